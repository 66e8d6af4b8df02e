import { smrt } from '@happyvertical/smrt-core';
import { CardPayment } from './index';

/** A card or a phone held to the terminal; below the limit nobody types a number. */
@smrt()
export class ContactlessPayment extends CardPayment {
  static uiSlots = { row: { component: 'ContactlessRow', order: 1 } };

  wallet: 'none' | 'apple pay' | 'google pay' = 'none';
  pinAsked?: boolean;

  static needsPin(amount: number, limit = 5_000): boolean {
    return amount > limit;
  }
}
