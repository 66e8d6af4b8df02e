export { DeliveryRun } from './delivery-run';
export { printLabel } from './label-printer';
export { Parcel } from './parcel';
export * from './vehicles';
