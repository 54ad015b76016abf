import { namelessParties } from '../completeness.ts';
import type { TransactionRecord } from '../record.ts';
import type { TransactionWarning } from '../warning-schema.ts';

/** What is probably a mistake in the request that has made a record. */
export function warningsOf(record: TransactionRecord): TransactionWarning[] {
  if (record.direction === 'OUTGOING') return incompletePartyWarnings(record);
  return record.relatedTransactionId === null ? [] : [DUPLICATE_TRANSFER];
}

/** The warnings of a new record that will be sent as a message without the name of a party. */
function incompletePartyWarnings(record: TransactionRecord): TransactionWarning[] {
  return namelessParties(record).map((party) => ({
    code: 'INCOMPLETE_PARTY',
    pointer: `/${party}/name`,
    message: `The message does not name the ${party}.`,
  }));
}

/** Warns that a message for the recorded transfer was already received: `relatedTransactionId` names its record. */
const DUPLICATE_TRANSFER: TransactionWarning = {
  code: 'DUPLICATE_TRANSFER',
  pointer: '/blockchainInfo/transactionHash',
  message: 'This transfer was already received: `relatedTransactionId` is the record of its message.',
};
