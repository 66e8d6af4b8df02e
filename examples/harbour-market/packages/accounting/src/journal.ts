import { HallRecord } from '@harbour/kernel';
import { SmrtObject, field, foreignKey, oneToMany, smrt } from '@happyvertical/smrt-core';
import { LedgerAccount } from './ledger-account';

/** What is booked stays booked: the journal can be read and nothing else. */
export const READ_ONLY = { api: { include: ['list', 'get'] }, mcp: false, cli: { include: ['list'] } } as const;

/** One booking. Its lines add up to nothing. */
@smrt({ ...READ_ONLY, tableName: 'journal_entries' })
export class JournalEntry extends HallRecord {
  @field({ required: true, readonly: true, unique: true })
  number: number = 1;

  bookedOn: Date = new Date();
  text: string = '';
  source: 'till' | 'bank' | 'hand' = 'till';

  @oneToMany(() => JournalLine)
  lines: JournalLine[] = [];

  get label(): string {
    return `${this.number} ${this.text}`;
  }

  /** Whether debit and credit meet. */
  isBalanced(): boolean {
    return this.lines.reduce((sum, line) => sum + line.amount, 0) === 0;
  }
}

/** One side of a booking. */
@smrt({ ...READ_ONLY, tableName: 'journal_lines', cli: false })
export class JournalLine extends SmrtObject {
  @foreignKey(() => JournalEntry, { required: true, onDelete: 'cascade' })
  entryId: string = '';

  @foreignKey(() => LedgerAccount, { required: true })
  accountId: string = '';

  /** Cents; debit is positive, credit negative. */
  amount: number = 0;
  costCentre?: string;
}
