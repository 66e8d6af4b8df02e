import { HallRecord } from '@harbour/kernel';
import {
  SmrtCollection,
  crossPackageRef,
  field,
  foreignKey,
  manyToMany,
  method,
  oneToMany,
  smrt,
} from '@happyvertical/smrt-core';
import { Allergen } from './allergen';
import { Category } from './category';
import { PriceTag } from './price-tag';
import { CatchArea } from './units';
import type { SalesUnit, StorageRange } from './units';

/** Staff actions of the catalogue are never offered to assistants. */
const BACK_OFFICE = { expose: false, audience: 'staff' } as const;

/** Something that a stall sells. */
@smrt({
  tableName: 'products',
  api: { include: ['list', 'get', 'create', 'update'] },
  mcp: { include: ['list', 'get'] },
  cli: { include: ['list', 'get'], exclude: ['delete'] },
})
export class Product extends HallRecord {
  static uiSlots = {
    card: { component: 'ProductCard', order: 1, props: { withPrice: true } },
    shelf: { component: 'ShelfLabel', order: 2 },
  };

  @field({ required: true, minLength: 1, maxLength: 120, index: true })
  name: string = '';

  @crossPackageRef('@harbour/stalls:Stall')
  stallId: string = '';

  @foreignKey(() => Category)
  categoryId: string | null = null;

  unit: SalesUnit = 'piece';

  /** Grams of one piece; zero for goods sold by weight. */
  grams: number = 0;
  stockLevel: number = 0.0;
  catchArea?: CatchArea = CatchArea.NorthSea;
  storage: StorageRange = { from: 0, to: 4 };
  landedAt: Date | null = null;
  isOrganic = false;

  /** Search words as the stallholder types them: “Krabben”, “crevettes grises”. */
  keywords: string[] = [];

  @manyToMany(() => Allergen)
  allergens: Allergen[] = [];

  @oneToMany(() => PriceTag)
  prices: PriceTag[] = [];

  get label(): string {
    return this.isOrganic ? `${this.name} 🌿` : this.name;
  }

  /** Price of the day, or null while the tag is blank. */
  async currentPrice(day: Date = new Date()): Promise<PriceTag | null> {
    return this.prices.find((tag) => tag.validFrom <= day) ?? null;
  }

  @method({ ...BACK_OFFICE, description: 'Write goods off that cannot be sold any more' })
  async writeOff(quantity: number, reason = 'spoiled'): Promise<void> {
    this.stockLevel -= quantity;
    this.addRemark(`Wrote off ${quantity}: ${reason}`);
    await this.save();
  }

  @method({ ...BACK_OFFICE, description: 'Book goods in from the quay' })
  async receive(boxes: { lot: string; kilograms: number }[], landedAt = new Date()): Promise<number> {
    this.landedAt = landedAt;
    this.stockLevel += boxes.reduce((sum, box) => sum + box.kilograms, 0);
    await this.save();
    return this.stockLevel;
  }

  /** Sorts by whatever the caller picks, smallest first, and leaves the list given alone. */
  static sortBy<K extends string | number>(products: Product[], pick: (product: Product) => K): Product[] {
    return [...products].sort((a, b) => (pick(a) > pick(b) ? 1 : -1));
  }
}

/** Products of all stalls. */
export class ProductCollection extends SmrtCollection<Product> {
  static readonly _itemClass = Product;

  async search(words: string, { stallId, limit = 10 }: { stallId?: string; limit?: number } = {}): Promise<Product[]> {
    return this.list({ where: { 'keywords contains': words, ...(stallId ? { stallId } : {}) }, limit });
  }
}
