/** Everything the other packages share. */
export { formatMoney, sumMinor } from './format-money.js';
export { default as Hall } from './hall';
export { HallRecord } from './hall-record';
export { Party } from './party';
export { HarbourRecord } from './record';
export * from './surfaces';
export * from './types';
