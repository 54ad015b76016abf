import { z } from 'zod';
import { normalAddress, normalHash } from '../address.ts';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { DIRECTIONS, STATUSES, SUB_STATUSES } from './state.ts';

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

interface PlaceFilters {
  destination: string | undefined;
  transactionHash: string | undefined;
}

/** Filters compare normal forms: any spelling of an address or hash finds it. */
export function foldedPlace(filters: PlaceFilters): { destination?: string[]; transactionHash?: string } {
  const { destination, transactionHash } = filters;
  return {
    ...(destination === undefined ? {} : { destination: spellings(destination) }),
    ...(transactionHash === undefined ? {} : { transactionHash: normalHash(transactionHash) }),
  };
}

function spellings(address: string): string[] {
  const normal = normalAddress(null, address);
  return normal.ok ? [address, normal.normal] : [address];
}
