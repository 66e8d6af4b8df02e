import { describe, expect, it } from 'vitest';
import { Stall, feeFor } from '../src';

/** A stall that needs no hall around it. */
class LooseStall extends Stall {
  override hallId = 'test-hall';
}

describe('feeFor', () => {
  it('charges more at the weekend', () => {
    const stall = new LooseStall({ frontage: 2 });
    expect(feeFor(stall, new Date('2025-06-07'))).toBeGreaterThan(feeFor(stall, new Date('2025-06-04')));
  });
});
