import type { LocalisedText } from '@harbour/kernel';
import { SmrtHierarchical, field, oneToMany, smrt } from '@happyvertical/smrt-core';
import { Product } from './product';

/** A shelf of the catalogue; categories nest without limit. */
@smrt({ tableName: 'categories', api: { include: ['list', 'get'] }, mcp: { include: ['list', 'get'] }, cli: false })
export class Category extends SmrtHierarchical {
  static adminRoutes = [{ path: '/catalogue/categories', label: 'Categories', roles: ['hall-manager', 'floor-staff'] }];

  @field({ required: true, unique: true, maxLength: 40 })
  handle: string = '';

  title: LocalisedText = {};
  position: number = 0;
  isSeasonal: boolean = false;

  @oneToMany(() => Product)
  products: Product[] = [];

  /** Path from the root, for the signs above the aisles. */
  async breadcrumb(separator = ' › '): Promise<string> {
    const path = await this.ancestors<Category>();
    return [...path, this].map((category) => category.title.en ?? category.handle).join(separator);
  }
}
