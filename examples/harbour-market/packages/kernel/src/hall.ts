import { field, method, smrt } from '@happyvertical/smrt-core';
import { HarbourRecord } from './record';
import { Weekday } from './types';
import type { CurrencyCode, LocalisedText, OpeningHours, PostalAddress } from './types';

/** One market hall. Halls are the tenants of the system. */
@smrt({
  tableName: 'halls',
  api: { include: ['list', 'get'] },
  mcp: { include: ['get'] },
  cli: { exclude: ['delete'] },
})
export default class Hall extends HarbourRecord {
  static readonly adminRoutes = [
    { path: '/halls', label: 'Halls', roles: ['admin'] },
    { path: '/halls/:id', label: 'Hall', hidden: true },
  ];

  @field({ required: true, minLength: 2, maxLength: 80 })
  name: string = '';

  currency: CurrencyCode = 'EUR';
  quietDay: Weekday = Weekday.Monday;
  tagline: LocalisedText = {};
  hours: Record<string, OpeningHours> = {};
  address!: PostalAddress;
  openedOn: Date | null = null;

  /** Length of the quay in metres, measured to the decimetre. */
  quayLength: number = 0.0;
  pitchCount: number = 0;

  get label(): string {
    return this.name;
  }

  /** Whether the hall is open at that moment. */
  isOpen(at: Date = new Date(), { ignoreQuietDay = false }: { ignoreQuietDay?: boolean } = {}): boolean {
    const day = Object.values(Weekday)[(at.getDay() + 6) % 7];
    return ignoreQuietDay || day !== this.quietDay;
  }

  /** Closes the hall at short notice, for storm tides. */
  @method({ expose: false, description: 'Close the hall at once and tell every stallholder' })
  async closeNow(reason: string): Promise<void> {
    this.addRemark(`Closed: ${reason}`);
    await this.save();
  }
}
