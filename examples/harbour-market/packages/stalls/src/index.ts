export * from './models';
export { feeFor, PitchFee } from './pitch-fee';
