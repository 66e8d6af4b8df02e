/** How a price is meant: each, by weight, or by the dozen. */
export type SalesUnit = 'piece' | 'kilogram' | 'hundred grams' | 'dozen';

/** FAO fishing areas that the harbour lands from. */
export enum CatchArea {
  NorthSea = '27.4',
  Baltic = '27.3.d',
  Channel = '27.7.d',
}

/** Degrees Celsius between which goods are kept. */
export interface StorageRange {
  from: number;
  to: number;
}
