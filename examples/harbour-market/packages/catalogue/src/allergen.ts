import { SmrtObject as Entity, SmrtJunction as Link, field, foreignKey, smrt } from '@happyvertical/smrt-core';
import { Product } from './product';

/** Food law decides what stands here; the shop only reads it. */
const READ_ONLY = {
  api: { include: ['list', 'get'] },
  mcp: { include: ['list', 'get'] },
  cli: false,
} as const;

/** One of the fourteen allergens that must be declared. */
@smrt({ ...READ_ONLY, tableName: 'allergens' })
export class Allergen extends Entity {
  @field({ required: true, unique: true, maxLength: 2 })
  letter: string = '';

  title: string = '';
  note?: string;
}

/** A declaration: this product holds, or may hold, that allergen. */
@smrt({ ...READ_ONLY, tableName: 'product_allergens', mcp: false })
export class ProductAllergen extends Link {
  @foreignKey(() => Product)
  productId: string = '';

  @foreignKey(() => Allergen)
  allergenId: string = '';

  certainty: 'contains' | 'may contain' = 'contains';
}
