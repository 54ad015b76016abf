// The entry of the workflow bundle: every workflow by its type name.
export { housekeeping } from './housekeeping.ts';
export { transactionLifecycle } from './transaction-lifecycle.ts';
export { webhookDelivery } from './webhook-delivery.ts';
