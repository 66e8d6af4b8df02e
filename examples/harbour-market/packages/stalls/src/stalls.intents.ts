import { defineIntent } from '@happyvertical/smrt-web/intents';

const GROUND_FLOOR = 'ground';

export const stallIntents = [
  defineIntent({
    id: 'stallmap.highlight',
    description: 'Mark one stall on the floor plan.',
    capability: { effect: 'read', idempotent: true, openWorld: false },
    inputSchema: { type: 'object', properties: { code: { type: 'string', maxLength: 6 } }, required: ['code'] },
    target: { registry: 'control', action: 'highlight', controlId: 'floor-plan' },
  }),
  defineIntent({
    id: 'stallmap.vacancies',
    description: 'List the stalls that can be let.',
    capability: { effect: 'read', idempotent: true, openWorld: false },
    target: { registry: 'dataSurface', controlId: 'vacancy-list', kind: 'table' },
  }),
];

// Deliberate: the id is put together at run time, so the scan refuses this intent with
// `non-literal-argument` and points at the sum.
export const showGroundFloor = defineIntent({
  id: 'stallmap.floor_' + GROUND_FLOOR,
  description: 'Scroll the floor plan to the ground floor.',
  target: { registry: 'control', action: 'focus', controlId: 'floor-plan' },
});
