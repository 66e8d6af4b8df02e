import { definePlaybook } from '@happyvertical/smrt-playbooks';

const morningRun = definePlaybook({
  key: 'morning-run',
  title: 'Start the morning run',
  description: 'Lists the parcels, creates the run and sends the van off.',
  steps: [
    { kind: 'operation', model: '@harbour/deliveries:Parcel', action: 'list' },
    { kind: 'operation', model: '@harbour/deliveries:DeliveryRun', action: 'create' },
    { kind: 'operation', model: '@harbour/deliveries:DeliveryRun', action: 'depart' },
  ],
  planes: ['server', 'browser'],
  onStepFailure: 'abort',
});

export default morningRun;
