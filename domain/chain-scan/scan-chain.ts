import type { AddressFormat } from '../blockchains.ts';

/** The scanner's settings for a chain of this deployment. */
export interface ScanChain {
  readonly name: string;
  readonly kind: 'EVM' | 'BITCOIN' | 'SOLANA' | 'TRON';
  readonly addressFormat: AddressFormat;
  readonly nativeAsset: string;
  readonly decimals: number;
  /** Number of blocks from the transfer's block to the newest, both included; 0 means 1. */
  readonly confirmations: number;
  readonly rpcUrl: readonly string[];
  readonly esploraUrl: readonly string[];
  readonly bitcoindUrl: readonly string[];
  readonly pollMs: number;
  readonly tokens: readonly { asset: string; address: string; decimals: number }[];
}

/** The asset key of the chain's native coin; the key of a token is its contract. */
export const NATIVE = 'native';

export interface WatchableAsset {
  ticker: string;
  /** NATIVE, or the token's contract in lower case. */
  key: string;
  decimals: number;
}

/**
 * Whether transfers on this chain can be scanned: EVM by JSON-RPC, Bitcoin by Esplora or bitcoind. Related chains have
 * other block formats.
 */
export function isScannable({ kind, addressFormat, rpcUrl, esploraUrl, bitcoindUrl }: ScanChain): boolean {
  if (kind === 'EVM') return rpcUrl.length > 0;
  return kind === 'BITCOIN' && addressFormat === 'BITCOIN' && esploraUrl.length + bitcoindUrl.length > 0;
}

/** With EIP-7708, native transfers appear as logs of this address, so it is never a token. */
const SYSTEM_EMITTER = '0xfffffffffffffffffffffffffffffffffffffffe';

/** The asset of a ticker, if its transfers can be scanned: the native coin or a configured token; else undefined. */
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

/** Number of blocks from the transfer's block to the newest, both included, after which the transfer counts as final. */
export function neededDepth({ confirmations }: Pick<ScanChain, 'confirmations'>): number {
  return Math.max(1, confirmations);
}

const SETTLED_DEPTH = { EVM: 64, BITCOIN: 12, SOLANA: 64, TRON: 64 } as const;

/** Depth from which on an accepted transfer is no longer checked for a chain reorganisation. */
export function settledDepth(chain: Pick<ScanChain, 'confirmations' | 'kind'>): number {
  return neededDepth(chain) + SETTLED_DEPTH[chain.kind];
}
