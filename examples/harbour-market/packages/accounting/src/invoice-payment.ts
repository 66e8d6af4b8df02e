import { Payment } from '@harbour/orders';
import { field, foreignKey, smrt } from '@happyvertical/smrt-core';
import { Invoice } from './invoice';

/** A bank transfer for an invoice. It stands in the payments table of the orders. */
@smrt({ api: { include: ['list', 'get'] }, mcp: false })
export class InvoicePayment extends Payment {
  @foreignKey(() => Invoice)
  invoiceId: string | null = null;

  @field({ sensitive: true, description: 'What the payer wrote' })
  reference: string = '';

  valueDate?: Date;
}
