import type { TransactionWarning } from '../warning-schema.ts';

/** Warns that a message for the recorded transfer was already received: `relatedTransactionId` names its record. */
export const DUPLICATE_TRANSFER: TransactionWarning = {
  code: 'DUPLICATE_TRANSFER',
  pointer: '/blockchainInfo/transactionHash',
  message: 'This transfer was already received: `relatedTransactionId` is the record of its message.',
};
