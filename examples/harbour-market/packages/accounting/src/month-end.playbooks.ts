import { definePlaybook } from '@happyvertical/smrt-playbooks';

export const monthEnd = definePlaybook({
  key: 'month-end',
  title: 'Close the month',
  description: 'Draws the turnover of every stall and sends the invoices.',
  steps: [
    { kind: 'operation', model: '@harbour/accounting:StallTurnover', action: 'list' },
    { kind: 'operation', model: '@harbour/accounting:Invoice', action: 'send' },
  ],
});

// Deliberate: `Invoice` alone does not say whose invoice is meant. A step names its model with the
// package in front, so the scan refuses this playbook with `invalid-identity`.
export const remindDebtors = definePlaybook({
  key: 'remind-debtors',
  title: 'Remind late payers',
  description: 'Sends open invoices once more.',
  steps: [{ kind: 'operation', model: 'Invoice', action: 'send' }],
});
