import { z } from 'zod';
import { normalAddress, normalHash } from '../../address.ts';
import { sharedSpellings } from '../../addresses/shared-hashes.ts';
import { blockchains } from '../../blockchains.ts';
import { listQuery, oneOrMore, Timestamp } from '../../list-query.ts';
import { blockchainKey } from '../../normalised-places.ts';
import { Asset, Blockchain } from '../../schema-fields.ts';
import { NEXT_ACTIONS, OUTCOMES } from '../clearance.ts';
import { HOLDS, STATUSES, SUB_STATUSES } from '../state.ts';
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
    _clearance: oneOrMore(z.enum(OUTCOMES)).describe('`clearance.outcome`; one or several.'),
    _nextAction: oneOrMore(z.enum(NEXT_ACTIONS)).describe('`clearance.nextAction`; one or several.'),
    _hold: oneOrMore(z.enum(HOLDS)).describe('Why a transaction is held for a review now; one or several.'),
    _asset: oneOrMore(Asset).describe('Tickers in any case.'),
    _blockchain: oneOrMore(Blockchain).describe('Names, aliases, CAIP-2 ids or EVM chain ids.'),
    _counterpartyEntityId: oneOrMore(z.uuid().toLowerCase()).describe(
      'The other VASP: the beneficiary VASP of an OUTGOING, the originator VASP of an INCOMING transaction.',
    ),
  },
});
type Query = z.output<typeof ListTransactionsQuery>;
/** Filters of a list of a tenant's transactions; one that an endpoint does not have is absent. */
export type TransactionList = Omit<Query, 'filters'> & { filters: Partial<Query['filters']> };

type SpeltFilters = Partial<
  Pick<TransactionList['filters'], 'destination' | 'transactionHash' | 'asset' | 'blockchain'>
>;

/** The filters in normal form, so that any spelling of an address, hash, ticker or blockchain is found. */
export function normalisedFilters(filters: SpeltFilters): {
  destination?: string[];
  transactionHash?: string;
  asset?: string[];
  blockchain?: string[];
} {
  const { destination, transactionHash, asset, blockchain } = filters;
  return {
    ...(asset === undefined ? {} : { asset: asset.map((ticker) => ticker.toUpperCase()) }),
    ...(blockchain === undefined ? {} : { blockchain: blockchain.map(blockchainKey) }),
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

/** Every form in which the account of an address may be stored, also under a spelling that another chain has for it. */
export function accountForms(address: string): string[] {
  return [...new Set([...addressForms(address), ...sharedSpellings(address)])];
}
