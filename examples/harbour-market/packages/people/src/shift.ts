import { HallRecord } from '@harbour/kernel';
import { foreignKey, method, smrt } from '@happyvertical/smrt-core';
import { Employee } from './employee';

/** Why a shift was moved or dropped. */
export type ShiftChange = 'swap' | 'illness' | 'storm tide';

/** A stretch of work by one person. */
@smrt({ tableName: 'shifts', api: { exclude: ['delete'] }, mcp: { include: ['list', 'get'] } })
export class Shift extends HallRecord {
  @foreignKey(() => Employee, { required: true, onDelete: 'cascade' })
  employeeId: string = '';

  startsAt: Date = new Date();
  endsAt: Date | null = null;
  breakMinutes: number = 30;
  tasks: string[] = [];
  changedFor: ShiftChange | null = null;

  /** Called by the rota board while it is open; nothing of it is stored. */
  onChange?: (change: ShiftChange, at: Date) => void;

  get label(): string {
    return `${this.startsAt.toISOString().slice(0, 16)} ${this.tasks.join(', ')}`;
  }

  /** Hours on the floor, the break taken off. */
  hours(): number {
    const end = this.endsAt ?? this.startsAt;
    return (end.getTime() - this.startsAt.getTime()) / 3_600_000 - this.breakMinutes / 60;
  }

  /** Moves the shift; what is not named stays as it is. */
  @method({ description: 'Move a shift to another time', audience: 'staff' })
  async move({ startsAt = this.startsAt, endsAt = this.endsAt, why }: {
    startsAt?: Date;
    endsAt?: Date | null;
    why: ShiftChange;
  }): Promise<void> {
    Object.assign(this, { startsAt, endsAt, changedFor: why });
    this.onChange?.(why, startsAt);
    await this.save();
  }

  async employee(): Promise<Employee | null> {
    return this.loadRelated<Employee>('employeeId');
  }

  static async covering(at: Date): Promise<Shift[]> {
    return this.query<Shift>({ 'startsAt <=': at, 'endsAt >': at });
  }
}
