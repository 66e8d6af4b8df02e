import { SmrtReport, avg, count, day, field, groupBy, report, sum } from '@happyvertical/smrt-core';

/** What the tills took, day by day and by way of payment. */
@report({ source: 'Payment', schedule: 'daily', title: 'Tageseinnahmen' })
export class DailyTakings extends SmrtReport {
  @day('received_at')
  bookedOn: Date = new Date();

  @groupBy('currency')
  currency: string = 'EUR';

  @sum('amount')
  takings: number = 0;

  @count()
  payments: number = 0;

  @count('order_id', { distinct: true })
  orders: number = 0;

  @avg('amount') @field({ description: 'Cents a payment, on average' })
  meanPayment: number = 0.0;
}
