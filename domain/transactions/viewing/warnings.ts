import { namelessParties } from '../completeness.ts';
import type { TransactionRecord } from '../record.ts';
import type { TransactionWarning } from '../warning-schema.ts';

/** The warnings of a new record that will be sent as a message without the name of a party. */
export function incompletePartyWarnings(record: TransactionRecord): TransactionWarning[] {
  return namelessParties(record).map((party) => ({
    code: 'INCOMPLETE_PARTY',
    pointer: `/${party}/name`,
    message: `The message does not name the ${party}.`,
  }));
}

/** Warns that a message for the recorded transfer was already received: `relatedTransactionId` names its record. */
export const DUPLICATE_TRANSFER: TransactionWarning = {
  code: 'DUPLICATE_TRANSFER',
  pointer: '/blockchainInfo/transactionHash',
  message: 'This transfer was already received: `relatedTransactionId` is the record of its message.',
};
