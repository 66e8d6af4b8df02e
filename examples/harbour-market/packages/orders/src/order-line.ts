import { SmrtObject, crossPackageRef, field, foreignKey, smrt } from '@happyvertical/smrt-core';
import { Order } from './order';

/** One row of an order. The price is copied, since tags change every morning. */
@smrt({ tableName: 'order_lines', api: false, mcp: false, cli: false })
export class OrderLine extends SmrtObject {
  @foreignKey(() => Order, { required: true, onDelete: 'cascade' })
  orderId!: string;

  @crossPackageRef('@harbour/catalogue:Product')
  productId!: string;

  @field({ min: 0.05, max: 50 })
  quantity: number = 1.0;

  unitPrice: number = 0;
  vatRate: number = 0.07;
  isSubstitute?: boolean;

  /** Row total in cents, rounded as the scales do. */
  rowTotal(): number {
    return Math.round(this.quantity * this.unitPrice);
  }
}
