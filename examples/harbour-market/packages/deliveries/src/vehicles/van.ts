import { smrt } from '@happyvertical/smrt-core';
import { MotorVehicle } from './index';

/** A plain delivery van. */
@smrt()
export class Van extends MotorVehicle {
  hasTailLift = false;
  crateSlots: number = 24;

  override maximumSpeed(): number {
    return 120;
  }
}
