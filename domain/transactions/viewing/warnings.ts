import { misspeltBlockchain } from '../../normalised-places.ts';
import { hashFault } from '../../transaction-hash.ts';
import { namelessParties } from '../completeness.ts';
import type { TransactionRecord } from '../record.ts';
import type { TransactionWarning } from '../warning-schema.ts';

/** What is probably a mistake in the request that has made a record. */
export function warningsOf(record: TransactionRecord): TransactionWarning[] {
  const isRelated = record.direction === 'INCOMING' && record.relatedTransactionId !== null;
  return [
    ...(isRelated ? [DUPLICATE_TRANSFER] : []),
    ...(record.direction === 'OUTGOING' ? incompletePartyWarnings(record) : []),
    ...blockchainWarnings(record),
    ...hashWarnings(record),
  ];
}

/** The warning of a blockchain that nobody knows by this name: without its chain, addresses and hashes are not checked. */
function blockchainWarnings({ blockchain }: TransactionRecord): TransactionWarning[] {
  const message = blockchain === null ? undefined : misspeltBlockchain(blockchain);
  const pointer = '/blockchainInfo/blockchain';
  return message === undefined ? [] : [{ code: 'UNKNOWN_BLOCKCHAIN', pointer, message }];
}

/** The warning of a hash that is none of the chain. Where the request names the chain, such a hash is refused. */
function hashWarnings({ blockchain, transactionHash }: TransactionRecord): TransactionWarning[] {
  const message = hashFault(blockchain, transactionHash);
  const pointer = '/blockchainInfo/transactionHash';
  return message === undefined ? [] : [{ code: 'UNUSUAL_HASH', pointer, message }];
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
