export { Invoice } from './invoice';
export { InvoicePayment } from './invoice-payment';
export { JournalEntry, JournalLine } from './journal';
export { LedgerAccount } from './ledger-account';
export { DailyTakings } from './reports/daily-takings';
export { StallTurnover, StallTurnoverCollection } from './reports/stall-turnover';
