import type { AddressFormat } from '../blockchains.ts';

/** What the scanner must know of a chain of this deployment. */
export interface ScanChain {
  readonly name: string;
  readonly kind: 'EVM' | 'BITCOIN' | 'SOLANA' | 'TRON';
  readonly addressFormat: AddressFormat;
  readonly nativeAsset: string;
  readonly decimals: number;
  /** Blocks from the one with the transfer to the newest, both counted; 0 means the same as 1. */
  readonly confirmations: number;
  readonly rpcUrl: readonly string[];
  readonly esploraUrl: readonly string[];
  readonly bitcoindUrl: readonly string[];
  readonly pollMs: number;
  readonly tokens: readonly { asset: string; address: string; decimals: number }[];
}

/** How the chain's own coin is named among its assets; tokens are named by their contract. */
export const NATIVE = 'native';

export interface WatchableAsset {
  ticker: string;
  /** NATIVE, or the token's contract in lower case. */
  key: string;
  decimals: number;
}

/**
 * Whether transfers on this chain can be seen: EVM over JSON-RPC, Bitcoin over Esplora or bitcoind. Bitcoin's relatives
 * write their blocks in other ways.
 */
export function isScannable({ kind, addressFormat, rpcUrl, esploraUrl, bitcoindUrl }: ScanChain): boolean {
  if (kind === 'EVM') return rpcUrl.length > 0;
  return kind === 'BITCOIN' && addressFormat === 'BITCOIN' && esploraUrl.length + bitcoindUrl.length > 0;
}

/** Ethereum's own transfers appear as logs of this address once EIP-7708 is live: it is never a token. */
const SYSTEM_EMITTER = '0xfffffffffffffffffffffffffffffffffffffffe';

/** The asset of this ticker, where its transfers can be seen: the chain's coin and its configured tokens. */
export function watchableAsset(chain: ScanChain, ticker: string): WatchableAsset | undefined {
  if (!isScannable(chain)) return undefined;
  const isAsset = (name: string) => name.toUpperCase() === ticker.toUpperCase();
  if (isAsset(chain.nativeAsset)) return { ticker, key: NATIVE, decimals: chain.decimals };
  if (chain.kind !== 'EVM') return undefined;
  const token = chain.tokens.find(({ asset }) => isAsset(asset));
  const key = token?.address.toLowerCase();
  if (!token || key === undefined || key === SYSTEM_EMITTER) return undefined;
  return { ticker, key, decimals: token.decimals };
}

/** The contracts whose Transfer logs are read. */
export function tokenContracts({ tokens }: ScanChain): string[] {
  return tokens.map(({ address }) => address.toLowerCase()).filter((address) => address !== SYSTEM_EMITTER);
}

/** How many blocks from the one with the transfer to the newest, both counted, make it final. */
export function neededDepth({ confirmations }: Pick<ScanChain, 'confirmations'>): number {
  return Math.max(1, confirmations);
}

const SETTLED_DEPTH = { EVM: 64, BITCOIN: 12, SOLANA: 64, TRON: 64 } as const;

/** From this depth on nobody looks for a fork any more that would take an accepted transfer back. */
export function settledDepth(chain: Pick<ScanChain, 'confirmations' | 'kind'>): number {
  return neededDepth(chain) + SETTLED_DEPTH[chain.kind];
}
