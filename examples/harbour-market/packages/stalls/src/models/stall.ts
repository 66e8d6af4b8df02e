import { HallRecord } from '@harbour/kernel';
import { SmrtCollection, field, foreignKey, method, smrt } from '@happyvertical/smrt-core';
import { HallArea } from './hall-area';
import { Stallholder } from './stallholder';

/** Where a stall stands in its life. */
export type StallStatus = 'vacant' | 'let' | 'closed for works';

/** A stall that can be let. */
@smrt({
  tableName: 'stalls',
  api: { include: ['list', 'get', 'update'] },
  mcp: { include: ['list', 'get'], exclude: ['delete'] },
  cli: { include: ['list'] },
})
export class Stall extends HallRecord {
  static uiSlots = { tile: { component: 'StallTile', order: 1 }, sign: { component: 'StallSign', order: 2 } };
  static signalSubscriptions = { 'lease.signed': 'onLeaseSigned', 'lease.ended': 'onLeaseEnded' };

  @field({ required: true, unique: true, minLength: 2, maxLength: 6, description: 'Painted on the beam, e.g. “B12”' })
  code: string = '';

  status: StallStatus = 'vacant';

  @foreignKey(() => HallArea)
  areaId: string = '';

  @foreignKey('Stallholder', { nullable: true })
  stallholderId: string | null = null;

  /** Metres along the aisle. */
  frontage: number = 2.5;
  scalesCount: number = 1;
  opensLate?: boolean;
  tags: Array<string> = [];

  /** Redraws the sign above the stall. */
  onSignChanged?: (text: string) => void;

  get label(): string {
    return `${this.code} (${this.status})`;
  }

  @method({ description: 'Let the stall to somebody', audience: 'staff' })
  async letTo(holder: Stallholder, options: { from: Date; months?: number; notes?: string[] }): Promise<void> {
    this.stallholderId = holder.id ?? null;
    this.status = 'let';
    this.addRemark(`Let to ${holder.name} from ${options.from.toDateString()}`);
    await this.save();
  }

  onLeaseSigned(): void {
    this.status = 'let';
  }

  onLeaseEnded(): void {
    this.status = 'vacant';
    this.onSignChanged?.('À louer · zu vermieten · to let');
  }
}

/** All stalls of a hall. */
export class StallCollection extends SmrtCollection<Stall> {
  static readonly _itemClass = Stall;

  /** Stalls that can be let today, widest first. */
  async vacant(limit = 20): Promise<Stall[]> {
    const stalls = await this.list({ where: { status: 'vacant' }, limit });
    return stalls.sort((a, b) => b.frontage - a.frontage);
  }

  find(code: string): Promise<Stall | null>;
  find(codes: string[]): Promise<Stall[]>;
  async find(codes: string | string[]): Promise<Stall | Stall[] | null> {
    if (typeof codes === 'string') return (await this.list({ where: { code: codes }, limit: 1 }))[0] ?? null;
    return this.list({ where: { 'code in': codes } });
  }
}
