import { HallRecord, STAFF_ONLY } from '@harbour/kernel';
import type { CurrencyCode } from '@harbour/kernel';
import { crossPackageRef, field, method, smrt } from '@happyvertical/smrt-core';

// Deliberate: STAFF_ONLY comes from another file, so nobody who reads this one can tell what it
// opens. The scan reports the spread with the error `unresolved-config`.
/** A bill for rent, water and power. */
@smrt({ ...STAFF_ONLY, tableName: 'invoices' })
export class Invoice extends HallRecord {
  @field({ required: true, unique: true, readonly: true })
  number: string = '';

  @crossPackageRef('@harbour/stalls:Stallholder')
  stallholderId: string = '';

  issuedOn: Date = new Date();
  dueOn: Date | null = null;
  currency: CurrencyCode = 'EUR';

  /** Cents before and after tax. */
  subtotal: number = 0;
  taxRate: number = 0.19;
  total: number = 0;
  amountOutstanding: number = 0;

  status: 'draft' | 'sent' | 'paid' | 'written off' = 'draft';

  /** Rows as printed; the ledger holds the bookings. */
  rows: { text: string; cents: number }[] = [];

  get label(): string {
    return `Invoice ${this.number}`;
  }

  @method({ description: 'Send the invoice to the stallholder', audience: 'staff' })
  async send(copies: number = 1, via: 'mail' | 'post' = 'mail'): Promise<void> {
    this.status = 'sent';
    this.addRemark(`${copies} × by ${via}`);
    await this.save();
  }
}
