import { defineIntent } from '@happyvertical/smrt-web/intents';
import { describe, expect, it } from 'vitest';
import { CashPayment, Order } from '../index';

/** Declared for this test; a scan leaves test folders out. */
const probe = defineIntent({
  id: 'test.probe',
  description: 'Only here for the test.',
  target: { registry: 'control', action: 'focus', controlId: 'probe' },
});

class FrozenOrder extends Order {
  override async save(): Promise<this> {
    return this;
  }
}

describe('settle', () => {
  it('closes an order that is paid in full', async () => {
    const order = new FrozenOrder({ total: 1250 });
    await order.settle(new CashPayment({ amount: 1250 }), { note: probe.id });
    expect(order.status).toBe('collected');
  });
});
