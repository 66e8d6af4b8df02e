import { HallRecord } from '@harbour/kernel';
import type { CurrencyCode } from '@harbour/kernel';
import { field, foreignKey, method, smrt } from '@happyvertical/smrt-core';
import { Stall } from './stall';
import { Stallholder } from './stallholder';

/** Only staff see leases, and nobody deletes one. */
const LEASE_ACCESS = {
  api: { include: ['list', 'get', 'create'], exclude: ['delete'] },
  mcp: false,
} as const;

/** The contract between the market and a stallholder. */
@smrt({ tableName: 'leases', ...LEASE_ACCESS, cli: { include: ['list', 'get'] } })
export class Lease extends HallRecord {
  @foreignKey(() => Stall, { required: true })
  stallId: string = '';

  @foreignKey(() => Stallholder, { required: true })
  stallholderId: string = '';

  startsOn: Date = new Date();
  endsOn: Date | null = null;

  /** Cents a month. */
  rent: number = 45_000;
  currency: CurrencyCode = 'EUR';
  noticeWeeks: number = 6;

  /** Share of the turnover paid on top of the rent. */
  turnoverRate: number = 0.04;

  @field({ type: 'decimal', min: 0, max: 1, description: 'Part of the rent that is waived while the quay is rebuilt' })
  rebateRatio: number = 0;

  get label(): string {
    return `${this.stallId} since ${this.startsOn.getFullYear()}`;
  }

  /** Whether the contract runs on that day. */
  covers(day: Date): boolean {
    return this.startsOn <= day && (this.endsOn === null || day < this.endsOn);
  }

  @method({ expose: false })
  async terminate(on: Date, reason: 'notice' | 'default' | 'retirement' = 'notice'): Promise<void> {
    this.endsOn = on;
    this.addRemark(`Ended: ${reason}`);
    await this.save();
  }
}
