import { field, method, smrt } from '@happyvertical/smrt-core';
import { Van } from './van';

/** A van with a cold box, for fish and dairy. */
@smrt({ mcp: { include: ['list', 'get'] } })
export class RefrigeratedVan extends Van {
  static uiSlots = { pin: { component: 'ColdPin', order: 1 } };

  /** Degrees Celsius that the box is set to. */
  @field({ min: -25, max: 8 })
  setPoint: number = -1.5;

  readings: Record<string, number> = {};

  @method({ description: 'Report the temperature of the cold box' })
  async report(celsius: number, at: Date = new Date()): Promise<boolean> {
    this.readings[at.toISOString()] = celsius;
    await this.save();
    return Math.abs(celsius - this.setPoint) < 2;
  }

  override maximumSpeed(): number {
    return 100;
  }
}
