import { HallRecord } from '@harbour/kernel';
import type { CurrencyCode } from '@harbour/kernel';
import { field, foreignKey, method, smrt } from '@happyvertical/smrt-core';
import { Order } from '../order';

/** Money that came in, whatever the way. All kinds share one table. */
@smrt({
  tableName: 'payments',
  tableStrategy: 'sti',
  api: { include: ['list', 'get'] },
  mcp: false,
  cli: { include: ['list'] },
})
export class Payment extends HallRecord {
  static uiSlots = { row: { component: 'PaymentRow', order: 1 } };

  @foreignKey(() => Order, { nullable: true })
  orderId: string | null = null;

  @field({ required: true })
  amount: number = 0;

  currency: CurrencyCode = 'EUR';
  receivedAt: Date = new Date();
  status: 'pending' | 'booked' | 'refunded' = 'pending';

  get label(): string {
    return `${this.amount / 100} ${this.currency}`;
  }

  /** Gives the money back, all of it or a part. */
  @method({ expose: false })
  async refund(amount: number = this.amount): Promise<void> {
    if (amount === this.amount) this.status = 'refunded';
    this.addRemark(`Refunded ${amount}`);
    await this.save();
  }
}
