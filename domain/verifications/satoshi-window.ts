import type { ScanChain } from '../chain-scan/scan-chain.ts';
import { HOUR_MS } from '../durations.ts';

const SATOSHI_TEST_MS = 48 * HOUR_MS;

/** The latest block timestamp of a transfer that counts. */
export function satoshiDeadline({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date }): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + SATOSHI_TEST_MS));
}

/** How far a block timestamp may be behind real time: hours on Bitcoin, by consensus. */
const BLOCK_TIME_LAG_MS = { EVM: 60_000, BITCOIN: 2 * HOUR_MS, SOLANA: 60_000, TRON: 60_000 } as const;

/** The earliest block timestamp of a transfer that counts: the creation, less the lag of block timestamps. */
export function armedFrom({ kind }: Pick<ScanChain, 'kind'>, createdAt: Date): Date {
  return new Date(createdAt.getTime() - BLOCK_TIME_LAG_MS[kind]);
}
