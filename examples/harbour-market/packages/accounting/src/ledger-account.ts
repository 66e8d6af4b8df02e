import { SmrtHierarchical, field, method, smrt } from '@happyvertical/smrt-core';

/** Sides of the ledger. */
export type AccountKind = 'asset' | 'liability' | 'income' | 'expense';

/** An account of the chart, e.g. 4120 Standgebühren. Accounts nest as the chart does. */
@smrt({ tableName: 'ledger_accounts', api: { include: ['list', 'get'] }, mcp: { include: ['list'] }, cli: true })
export class LedgerAccount extends SmrtHierarchical {
  @field({ required: true, unique: true, minLength: 4, maxLength: 6 })
  number: string = '';

  title: string = 'Gebühren für Standplätze';
  kind: AccountKind = 'asset';

  /** Cents; kept up to date by the journal. */
  balance: number = 0;
  isLocked = false;

  @method({ expose: false, description: 'Close the account at the end of the year' })
  async lock(): Promise<void> {
    this.isLocked = true;
    await this.save();
  }
}
