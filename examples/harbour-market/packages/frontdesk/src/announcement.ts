import { HallRecord, Weekday } from '@harbour/kernel';
import type { LocalisedText } from '@harbour/kernel';
import { field, method, smrt } from '@happyvertical/smrt-core';

/** Who hears an announcement. */
type Audience = 'visitors' | 'stallholders' | 'staff';

/** Something that is read out or shown on the screens. */
@smrt({ tableName: 'announcements', api: { exclude: ['delete'] }, mcp: { include: ['list', 'create'] }, cli: true })
export class Announcement extends HallRecord {
  static uiSlots = { banner: { component: 'AnnouncementBanner', order: 5 } };

  @field({ required: true })
  text: LocalisedText = {};

  audience: Audience = 'visitors';
  showFrom: Date = new Date();
  showUntil: Date | null = null;
  repeatOn: Weekday[] = [];
  volume: number = 0.6;
  chime = '🔔 ding';

  get label(): string {
    return this.text.en ?? '—';
  }

  @method({ description: 'Read the announcement out now' })
  async readOut(language = 'en', times: number = 1): Promise<string> {
    return Array.from({ length: times }, () => this.text[language] ?? this.label).join(' … ');
  }
}
