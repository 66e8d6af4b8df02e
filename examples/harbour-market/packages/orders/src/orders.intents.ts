import * as intents from '@happyvertical/smrt-web/intents';

export const showBag = intents.defineIntent({
  id: 'collect.show_bag',
  description: 'Open the bag of an order at the collection counter.',
  capability: { effect: 'read', idempotent: true, openWorld: false },
  target: { registry: 'control', action: 'reveal', controlId: 'bag-drawer' },
});

const checkPickup = intents.defineIntent({
  id: 'collect.check_number',
  description: 'Check that the number on the bag belongs to the customer.',
  capability: { effect: 'read', idempotent: true, openWorld: true },
  inputSchema: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  target: { registry: 'control', action: 'validate', formId: 'pickup', controlId: 'bag-number' },
});

export { checkPickup };
