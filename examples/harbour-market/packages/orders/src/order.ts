import { HallRecord } from '@harbour/kernel';
import type { CurrencyCode } from '@harbour/kernel';
import { crossPackageRef, field, foreignKey, method, oneToMany, smrt } from '@happyvertical/smrt-core';
import { Customer } from './customer';
import { OrderLine } from './order-line';
import { Payment } from './payments';

/** Steps of an order, in the order they happen. */
export type OrderStatus = 'open' | 'packed' | 'collected' | 'cancelled';

/** What a customer has ordered at one stall. */
@smrt({
  tableName: 'orders',
  api: { include: ['list', 'get', 'create', 'pack', 'settle'] },
  mcp: { include: ['list', 'get', 'pack'] },
  cli: { include: ['list', 'get'] },
})
export class Order extends HallRecord {
  static readonly signalSubscriptions = { 'payment.received': 'onPaid', 'payment.failed': ['onFailed', 'notifyDesk'] };

  @field({ required: true, unique: true, readonly: true, description: 'Printed on the bag' })
  number: string = '';

  @foreignKey(() => Customer)
  customerId: string = '';

  @crossPackageRef('@harbour/stalls:Stall')
  stallId: string = '';

  status: OrderStatus = 'open';
  currency: CurrencyCode = 'EUR';

  /** Cents, VAT included. */
  total: number = 0;
  amountPaid: number = 0;

  placedAt: Date = new Date();
  collectBy: Date | null = null;
  giftNote?: string;

  @oneToMany(() => OrderLine)
  lines: OrderLine[] = [];

  @oneToMany(() => Payment)
  payments: Payment[] = [];

  get label(): string {
    return `#${this.number}`;
  }

  get balanceDue(): number {
    return this.total - this.amountPaid;
  }

  /** Marks the bag as packed. Packing an open order twice does nothing. */
  @method({ description: 'Mark an order as packed and ready to collect' })
  async pack(): Promise<OrderStatus> {
    if (this.status === 'open') this.status = 'packed';
    await this.save();
    return this.status;
  }

  /** Books a payment; the order closes once nothing is left to pay. */
  @method({ description: 'Book a payment against the order', audience: 'staff' })
  async settle(payment: Payment, { collect = true, note }: { collect?: boolean; note?: string } = {}): Promise<void> {
    this.amountPaid += payment.amount;
    if (note) this.addRemark(note);
    if (collect && this.balanceDue <= 0) this.status = 'collected';
    await this.save();
  }

  @method({ expose: false })
  async cancel(reason: string): Promise<void> {
    this.status = 'cancelled';
    this.addRemark(reason);
    await this.save();
  }

  onPaid(): void {
    this.amountPaid = this.total;
  }
}
