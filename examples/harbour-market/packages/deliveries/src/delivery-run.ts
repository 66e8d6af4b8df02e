import { HallRecord } from '@harbour/kernel';
import { field, foreignKey, method, oneToMany, smrt } from '@happyvertical/smrt-core';
import { Parcel } from './parcel';
import { Vehicle } from './vehicles';

/** One tour of one vehicle. */
@smrt({
  tableName: 'delivery_runs',
  api: { include: ['list', 'get', 'create', 'depart'] },
  mcp: { include: ['list', 'get'] },
  cli: { include: ['list'] },
})
export class DeliveryRun extends HallRecord {
  static signalSubscriptions = { 'gate.opened': 'onGateOpened' };

  @foreignKey(() => Vehicle, { required: true })
  vehicleId: string = '';

  plannedFor: Date = new Date();
  departedAt: Date | null = null;
  returnedAt?: Date;

  /** Stops as `latitude, longitude`, in driving order. */
  stops: string[] = [];

  @field({ description: 'Kilometres by the odometer', min: 0 })
  distance: number = 0.0;

  @oneToMany(() => Parcel)
  parcels: Parcel[] = [];

  private gate: 'north' | 'quay' = 'quay';

  get label(): string {
    return `${this.plannedFor.toDateString()} via ${this.gate}`;
  }

  @method({ description: 'Send the vehicle off' })
  async depart(at: Date = new Date()): Promise<void> {
    this.departedAt = at;
    await this.save();
  }

  onGateOpened(): void {
    this.gate = 'north';
  }
}
