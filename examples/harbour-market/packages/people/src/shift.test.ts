import { smrt } from '@happyvertical/smrt-core';
import { describe, expect, it } from 'vitest';
import { Shift } from './shift';

/** Stands in for a shift in the night; a model of this test only. */
@smrt()
class NightShift extends Shift {
  override breakMinutes = 45;
}

describe('hours', () => {
  it('takes the break off', () => {
    const shift = new NightShift({ startsAt: new Date('2025-05-01T22:00Z'), endsAt: new Date('2025-05-02T04:45Z') });
    expect(shift.hours()).toBe(6);
  });
});
