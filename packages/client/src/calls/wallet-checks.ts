import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { CallOptions, QueryOf } from '../operations.ts';

/** Calls of `/kyw`: who holds the keys of a wallet. */
export function walletIntelligenceCalls({ request, list }: ApiCalls) {
  return {
    check: async (
      blockchain: string,
      address: string,
      query?: QueryOf<'/kyw/{blockchain}/{address}'>,
      options?: CallOptions,
    ) =>
      await request('GET', '/kyw/{blockchain}/{address}', {
        ...options,
        path: { blockchain, address },
        ...(query && { query }),
      }),
    /** Earlier checks, newest first. */
    history: (options?: CallOptions) => list('/kyw/history', { ...options, query: {} }),
    getCheck: async (id: string, options?: CallOptions) =>
      await request('GET', '/kyw/history/{id}', { ...options, path: { id } }),
  };
}

const TRANSACTION = '/aml/analysis/{blockchain}/transaction/{txHash}';
const WALLET_TRANSACTIONS = '/aml/analysis/{blockchain}/wallet/{address}/transactions';

/** Calls of `/aml`: the tenant's provider of AML checks. A check may cost a credit; the API pays once for repeats. */
export function amlCalls({ request, list }: ApiCalls) {
  return {
    /** The blockchains on which a text is an address or a transaction hash. Asks no provider. */
    search: async (query: QueryOf<'/aml/search'>, options?: CallOptions) =>
      await request('GET', '/aml/search', { ...options, query }),
    checkWallet: async (blockchain: string, address: string, options?: CallOptions) =>
      await request('GET', '/aml/analysis/{blockchain}/wallet/{address}', {
        ...options,
        path: { blockchain, address },
      }),
    checkTransaction: async (
      blockchain: string,
      txHash: string,
      query?: QueryOf<typeof TRANSACTION>,
      options?: CallOptions,
    ) =>
      await request('GET', TRANSACTION, {
        ...options,
        path: { blockchain, txHash },
        ...(query && { query }),
      }),
    /** The addresses that a transaction pays, read from the chain. */
    receivers: async (blockchain: string, txHash: string, options?: CallOptions) =>
      await request('GET', `${TRANSACTION}/receivers`, { ...options, path: { blockchain, txHash } }),
    /** The newest transactions of a wallet, read from the chain. */
    walletTransactions: async (
      blockchain: string,
      address: string,
      query?: QueryOf<typeof WALLET_TRANSACTIONS>,
      options?: CallOptions,
    ) =>
      await request('GET', WALLET_TRANSACTIONS, {
        ...options,
        path: { blockchain, address },
        ...(query && { query }),
      }),
    /** Earlier checks, newest first. */
    history: (filters?: FiltersOf<'/aml/search/history'>, options?: CallOptions) =>
      list('/aml/search/history', { ...options, query: filters }),
    /** Makes a check again. */
    repeatCheck: async (id: string, options?: CallOptions) =>
      await request('GET', '/aml/search/history/{id}', { ...options, path: { id } }),
  };
}
