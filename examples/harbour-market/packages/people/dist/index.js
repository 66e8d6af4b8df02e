// Built from src; a scan never reads this folder.
import { defineIntent } from '@happyvertical/smrt-web/intents';
import { SmrtObject } from '@happyvertical/smrt-core';
export class Shift extends SmrtObject {
  breakMinutes = 30;
}
export class Skill extends SmrtObject {
  title = '';
}
export const showRota = defineIntent({
  id: 'rota.show',
  description: 'Show who works when this week.',
  target: { registry: 'dataSurface', controlId: 'rota-board', surfaceId: 'week', kind: 'table' },
});
