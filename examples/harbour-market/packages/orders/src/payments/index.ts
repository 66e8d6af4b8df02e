export * from './payment';
export { CashPayment } from './cash-payment';
export { CardPayment } from './card-payment';
export { ContactlessPayment } from './contactless-payment';
