import { LRUCache } from 'lru-cache';
import type { ConfiguredChain } from '../chains/chains-file.ts';
import { readEvmHistory } from '../chains/evm-indexer.ts';
import { readEvmState } from '../chains/evm-state.ts';
import { readUtxoHistory } from '../chains/utxo-history.ts';
import type { WalletObservation } from '../domain/wallet-intelligence/activity.ts';
import type { CheckedWallet } from '../domain/wallet-intelligence/check.ts';

/** The behaviour of a wallet without the labels of its counterparties; `lack` says why something is missing. */
export type ObservedWallet = Omit<WalletObservation, 'labelled'>;
export type ObserveWallet = (tenantId: string, wallet: CheckedWallet) => Promise<ObservedWallet>;

/** Deadline of all requests of one check together. */
const LIMIT_MS = 5_000;
const KEPT_MS = 15 * 60_000;
const MAX_KEPT = 2_000;

const LACKS = {
  node: 'No node of this blockchain is configured.',
  nodeAnswer: 'The node of this blockchain does not answer.',
  indexer: 'No indexer of this blockchain is configured, so the history of the wallet is unknown.',
  kind: 'The history of wallets is not read on blockchains of this kind.',
  indexerAnswer: 'The indexer of this blockchain does not answer.',
} as const;

/**
 * Observes wallets through the nodes and indexers of this deployment; never throws for their failures. Observations are kept
 * for 15 minutes per tenant, and simultaneous requests of a tenant for one wallet share one observation.
 */
export function openObserver(chains: readonly ConfiguredChain[], limitMs = LIMIT_MS): ObserveWallet {
  const kept = new LRUCache<string, Promise<ObservedWallet>>({ max: MAX_KEPT, ttl: KEPT_MS });
  return async (tenantId, wallet) => {
    const chain = chains.find(({ name }) => name === wallet.chain.name);
    if (!chain) return { ...NOTHING, lack: LACKS.node };
    const key = `${tenantId} ${chain.name} ${wallet.addressNormal}`;
    const known = kept.get(key);
    if (known) return await known;
    const observing = observe(chain, wallet, AbortSignal.timeout(limitMs));
    kept.set(key, observing);
    const { isWhole, ...observed } = await observing;
    // A failed request says nothing about the wallet, so the observation is not reused.
    if (!isWhole && kept.peek(key) === observing) kept.delete(key);
    return observed;
  };
}

/** Whether a node or an indexer of a blockchain is configured, so that observing its wallets needs the network. */
export function canObserve(chains: readonly ConfiguredChain[]): (blockchainKey: string) => boolean {
  const observed = new Set(chains.map(({ name }) => name));
  return (blockchainKey) => observed.has(blockchainKey);
}

const NOTHING = { evm: null, evmHistory: null, utxoHistory: null };

/** `isWhole`: every configured source has answered. */
async function observe(
  chain: ConfiguredChain,
  wallet: CheckedWallet,
  signal: AbortSignal,
): Promise<ObservedWallet & { isWhole: boolean }> {
  const [evm, history] = await Promise.all([
    stateOf(chain, wallet, signal),
    historyOf(chain, wallet, signal),
  ]);
  const lacks = [history.lack, evm.lack].filter((lack) => lack !== null);
  return {
    evm: evm.found,
    evmHistory: history.found && 'movements' in history.found ? history.found : null,
    utxoHistory: history.found && 'transactions' in history.found ? history.found : null,
    lack: lacks.length > 0 ? lacks.join(' ') : null,
    isWhole: !lacks.some((lack) => lack === LACKS.nodeAnswer || lack === LACKS.indexerAnswer),
  };
}

interface ObservedSources<T> {
  found: T | null;
  lack: string | null;
}

async function attempt<T>(lack: string, read: () => Promise<T>): Promise<ObservedSources<T>> {
  try {
    return { found: await read(), lack: null };
  } catch {
    // Error messages may contain the node's address, which may contain a secret.
    return { found: null, lack };
  }
}

async function stateOf(chain: ConfiguredChain, { addressNormal }: CheckedWallet, signal: AbortSignal) {
  // Only EVM chains have code at addresses.
  if (chain.kind !== 'EVM') return { found: null, lack: null };
  if (chain.rpcUrl.length === 0) return { found: null, lack: LACKS.node };
  return await attempt(LACKS.nodeAnswer, async () => await readEvmState(chain, addressNormal, signal));
}

async function historyOf(chain: ConfiguredChain, { addressNormal }: CheckedWallet, signal: AbortSignal) {
  const { kind, indexerUrl } = chain;
  if (kind !== 'EVM' && kind !== 'BITCOIN') return { found: null, lack: LACKS.kind };
  if (indexerUrl === undefined) return { found: null, lack: LACKS.indexer };
  const read = kind === 'EVM' ? readEvmHistory : readUtxoHistory;
  return await attempt(LACKS.indexerAnswer, async () => await read(indexerUrl, addressNormal, signal));
}
