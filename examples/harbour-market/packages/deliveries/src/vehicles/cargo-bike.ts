import { smrt } from '@happyvertical/smrt-core';
import { Vehicle } from './vehicle';

/** A bicycle with a box, for the alleys behind the quay. */
@smrt()
export class CargoBike extends Vehicle {
  hasMotor = true;
  gears: number = 8;

  /* The bell is louder than it
     looks: "Achtung, Fisch!" 🚲 */
  bell: string = 'ding\ndong';
}
