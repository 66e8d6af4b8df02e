export { Basket } from './basket';
export { Customer } from './customer';
export { Order } from './order';
export type { OrderStatus } from './order';
export { OrderLine } from './order-line';
export * from './payments';
