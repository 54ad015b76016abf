import { z } from 'zod';
import { normalAddress, normalHash } from '../../address.ts';
import { blockchains } from '../../blockchains.ts';
import { listQuery, oneOrMore, Timestamp } from '../../list-query.ts';
import { STATUSES, SUB_STATUSES } from '../state.ts';
import { DIRECTIONS } from '../../direction.ts';

/** The query of `GET /transactions`. */
export const ListTransactionsQuery = listQuery({
  sortable: ['createdAt', 'updatedAt', 'amount', 'amountUsd', 'amountEur', 'asset', 'status', 'direction'],
  filters: {
    _from: Timestamp,
    _to: Timestamp,
    _updatedFrom: Timestamp,
    _status: oneOrMore(z.enum(STATUSES)),
    _subStatus: oneOrMore(z.enum(SUB_STATUSES)),
    _direction: z.enum(DIRECTIONS),
    _reference: z.string().max(128),
    _transactionHash: z.string().max(256),
    _destination: z.string().max(256),
  },
});
export type TransactionList = z.output<typeof ListTransactionsQuery>;

interface AddressFilters {
  destination: string | undefined;
  transactionHash: string | undefined;
}

/** The filters in normal form, so that any spelling of an address or hash is found. */
export function normalisedFilters(filters: AddressFilters): {
  destination?: string[];
  transactionHash?: string;
} {
  const { destination, transactionHash } = filters;
  return {
    ...(destination === undefined ? {} : { destination: addressForms(destination) }),
    ...(transactionHash === undefined ? {} : { transactionHash: normalHash(transactionHash) }),
  };
}

/** One chain for each address format, and null for addresses whose format is evident. */
const SCRIPTS = [null, ...new Map(blockchains.map((chain) => [chain.addressFormat, chain.name])).values()];

/** Every form in which an address may be stored: the query does not name the blockchain. */
export function addressForms(address: string): string[] {
  const normals = SCRIPTS.map((blockchain) => normalAddress(blockchain, address));
  return [...new Set([address, ...normals.flatMap((form) => (form.ok ? [form.normal] : []))])];
}
