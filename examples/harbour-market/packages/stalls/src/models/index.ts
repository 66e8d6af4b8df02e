export { HallArea } from './hall-area';
export { Lease } from './lease';
export { Stall, StallCollection } from './stall';
export type { StallStatus } from './stall';
export { Stallholder } from './stallholder';
