import { definePlaybook } from '@happyvertical/smrt-playbooks';

/** What the counter does with an order, as one list. */
export const orderPlaybooks = [
  definePlaybook({
    key: 'collect-order',
    title: 'Hand an order over',
    description: 'Check the number, open the bag, then book what is still due.',
    steps: [
      { kind: 'intent', id: 'collect.check_number' },
      { kind: 'intent', id: 'collect.show_bag' },
      { kind: 'operation', model: '@harbour/orders:Order', action: 'settle' },
    ],
  }),
  definePlaybook({
    key: 'pack-morning-orders',
    title: 'Pack the morning orders',
    description: 'Packs every order that is collected before noon.',
    steps: [
      { kind: 'operation', model: '@harbour/orders:Order', action: 'list' },
      { kind: 'operation', model: '@harbour/orders:Order', action: 'pack' },
    ],
    planes: ['server'],
    onStepFailure: 'continue',
    enabled: true,
  }),
];
