import { defineIntent } from '@happyvertical/smrt-web/intents';

/** Shows the rota of the week as a table that an assistant can read. */
export const showRota = defineIntent({
  id: 'rota.show',
  description: 'Show who works when this week.',
  capability: { effect: 'read', idempotent: true, openWorld: false },
  target: { registry: 'dataSurface', controlId: 'rota-board', surfaceId: 'week', kind: 'table' },
});

/** Puts a swap into the form; a manager still has to confirm it. */
export const stageSwap = defineIntent({
  id: 'rota.stage_swap',
  description: 'Fill in the swap form without sending it.',
  capability: { effect: 'write', idempotent: true, openWorld: false },
  inputSchema: {
    type: 'object',
    properties: { from: { type: 'string' }, to: { type: 'string' } },
    required: ['from', 'to'],
  },
  target: { registry: 'control', action: 'stage', formId: 'rota-swap' },
});
