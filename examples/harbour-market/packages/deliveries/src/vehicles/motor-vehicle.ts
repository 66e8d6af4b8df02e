import { field } from '@happyvertical/smrt-core';
import { Vehicle } from './vehicle';

/** What all vehicles with a number plate have in common; never a row of its own. */
export abstract class MotorVehicle extends Vehicle {
  @field({ required: true, unique: true, description: 'Number plate' })
  plate: string = '';

  fuel: 'diesel' | 'electric' = 'electric';

  /** Kilometres on the clock. */
  mileage: number = 0.0;

  abstract maximumSpeed(): number;
}
