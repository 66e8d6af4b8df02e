import {
  SmrtReport,
  SmrtReportCollection,
  aggregate,
  groupBy,
  max,
  min,
  month,
  report,
  smrt,
  sum,
} from '@happyvertical/smrt-core';

/** Turnover of every stall by month; the rent on top is reckoned from it. */
@report({ source: 'Order', schedule: 'monthly' })
@smrt({ api: { include: ['list'] }, mcp: { include: ['list'] }, cli: false })
export class StallTurnover extends SmrtReport {
  @month('placed_at')
  month: Date = new Date();

  @groupBy('stall_id')
  stallId: string = '';

  @sum('total')
  turnover: number = 0;

  @min('total')
  smallestOrder?: number;

  @max('total')
  largestOrder: number | null = null;

  @aggregate({ fn: 'count', column: 'customer_id', distinct: true })
  customers: number = 0;
}

/** Reports of all months. */
export class StallTurnoverCollection extends SmrtReportCollection<StallTurnover> {
  async forMonth(year: number, month: number): Promise<StallTurnover[]> {
    return this.list({ where: { month: new Date(Date.UTC(year, month - 1)) } });
  }
}
