/** Currencies that the tills accept. */
export type CurrencyCode = 'EUR' | 'GBP' | 'DKK';

/** A text in the languages of the signs in the hall. */
export type LocalisedText = Record<string, string>;

/** Days on which the hall can be open. */
export enum Weekday {
  Monday = 'monday',
  Tuesday = 'tuesday',
  Wednesday = 'wednesday',
  Thursday = 'thursday',
  Friday = 'friday',
  Saturday = 'saturday',
  Sunday = 'sunday',
}

/** Opening time and closing time as `HH:MM`, harbour time. */
export interface OpeningHours {
  opens: string;
  closes: string;
}

/** A postal address as the delivery office wants it. */
export interface PostalAddress {
  street: string;
  town: string;
  postcode: string;
  country?: string;
}
