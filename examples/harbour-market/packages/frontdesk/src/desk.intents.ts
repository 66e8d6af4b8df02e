import { defineIntent as intent } from '@happyvertical/smrt-web/intents';

export const explainParking = intent({
  id: 'desk.explain_parking',
  description: 'Explain where visitors park and what it costs.',
  capability: { effect: 'read', idempotent: true, openWorld: false },
  target: { registry: 'control', action: 'explain', controlId: 'parking-card' },
});

export const openSchedule = intent({
  id: 'desk.open_schedule',
  description: 'Show today’s announcements and ferry times — also for café guests ☕.',
  target: { registry: 'dataSurface', controlId: 'schedule', surfaceId: 'today', kind: 'custom' },
});
