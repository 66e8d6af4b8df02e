import { HallRecord } from '@harbour/kernel';
import { crossPackageRef, field, smrt } from '@happyvertical/smrt-core';

/** What moves goods. Road vehicles share one table. */
@smrt({
  tableName: 'vehicles',
  tableStrategy: 'sti',
  api: { include: ['list', 'get'] },
  mcp: { include: ['list'] },
  cli: { include: ['list', 'get'] },
})
export class Vehicle extends HallRecord {
  static uiSlots = { pin: { component: 'MapPin', order: 1 } };
  static adminRoutes = [{ path: '/fleet', label: 'Fleet', roles: ['hall-manager', 'driver'] }];

  @field({ required: true, unique: true, maxLength: 20 })
  callsign: string = '';

  /** Kilograms that may be loaded. */
  payload: number = 0;
  isInService: boolean = true;
  lastCheckedOn: Date | null = null;

  @crossPackageRef('@harbour/people:Employee')
  driverId: string | null = null;

  get label(): string {
    return this.callsign;
  }

  /** Whether the load fits, with what is on board already. */
  canLoad(kilograms: number, ...onBoard: number[]): boolean {
    return onBoard.reduce((sum, load) => sum + load, kilograms) <= this.payload;
  }
}
