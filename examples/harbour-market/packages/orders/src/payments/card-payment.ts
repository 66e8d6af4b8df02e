import { field, meta, smrt } from '@happyvertical/smrt-core';
import { Payment } from './payment';

/** A card in the terminal. */
@smrt({ mcp: false })
export class CardPayment extends Payment {
  scheme: 'girocard' | 'visa' | 'mastercard' | null = null;

  @field({ sensitive: true, minLength: 4, maxLength: 4 })
  lastDigits: string = '0000';

  /** Everything else that the terminal says; no column of its own. */
  @meta()
  terminalReply: Record<string, string> = {};

  /** Share that the acquirer keeps. */
  feeRate: number = 0.0119;
}
