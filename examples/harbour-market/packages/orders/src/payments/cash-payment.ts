import { smrt } from '@happyvertical/smrt-core';
import { Payment } from './payment';

/** Coins and notes over the counter. */
@smrt()
export class CashPayment extends Payment {
  tillNumber: number = 1;
  changeGiven: number = 0;
  hasBeenCounted: boolean = false;
}
