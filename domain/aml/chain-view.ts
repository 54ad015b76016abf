import { z } from 'zod';

/** Fields of data read from the blockchain itself, because none of the vendors offers it. */
const about = {
  supported: z.boolean().describe('False when this deployment has no data source for this blockchain.'),
  source: z.enum(['CHAIN_NODE', 'INDEXER']).nullable(),
  reason: z
    .enum(['NO_CHAIN_SOURCE', 'SOURCE_UNAVAILABLE', 'NOT_FOUND'])
    .nullable()
    .describe('Why there are no items.'),
};

const TransferReceiver = z.strictObject({
  address: z.string(),
  amount: z.string().nullable().describe('Exact decimal in units of the asset.'),
  asset: z.string().nullable(),
});

export const Receivers = z
  .strictObject({ blockchain: z.string(), txHash: z.string(), ...about, items: z.array(TransferReceiver) })
  .meta({ id: 'AmlReceivers' });

const ConnectedTransaction = z.strictObject({
  hash: z.string(),
  timestamp: z.iso.datetime().nullable().describe('Null while it is not confirmed.'),
  direction: z.enum(['incoming', 'outgoing']),
  amount: z.string().nullable(),
  asset: z.string().nullable(),
  counterparty: z.string().nullable().describe('The address on the other side; null if there are several.'),
});

export const WalletTransactions = z
  .strictObject({
    blockchain: z.string(),
    address: z.string(),
    ...about,
    items: z.array(ConnectedTransaction),
  })
  .meta({ id: 'AmlWalletTransactions' });

/** The result of a source of blockchain data, or the reason why there is none. */
export interface ChainView<T> {
  supported: boolean;
  source: 'CHAIN_NODE' | 'INDEXER' | null;
  reason: 'NO_CHAIN_SOURCE' | 'SOURCE_UNAVAILABLE' | 'NOT_FOUND' | null;
  items: T[];
}

/** The result for a blockchain without a data source. */
export function noChainSource<T>(): ChainView<T> {
  return { supported: false, source: null, reason: 'NO_CHAIN_SOURCE', items: [] };
}

export type TransferReceiver = z.infer<typeof TransferReceiver>;
export type ConnectedTransaction = z.infer<typeof ConnectedTransaction>;
