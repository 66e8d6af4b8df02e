import { Party } from '@harbour/kernel';
import { field, oneToMany, smrt } from '@happyvertical/smrt-core';
import { Order } from './order';

/** Somebody who orders ahead and collects at the counter. */
@smrt({ tableName: 'customers', api: { include: ['get', 'update'] }, mcp: false, cli: { include: ['list'] } })
export class Customer extends Party {
  loyaltyPoints: number = 0;

  // Deliberate: a rate is a fraction, so the scan warns with `numeric-precision` that this default
  // has no decimal point; the column would hold whole numbers only.
  discountRate: number = 0;

  wantsReceiptByMail = true;
  favourites: Array<{ stallId: string; since: Date }> = [];

  @field({ nullable: true, sensitive: true })
  birthday: Date | null = null;

  @oneToMany(() => Order)
  orders: Order[] = [];
}
