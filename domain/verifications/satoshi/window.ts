import type { ScanChain } from '../../chain-scan/scan-chain.ts';
import { HOUR_MS } from '../../durations.ts';

const SATOSHI_TEST_MS = 48 * HOUR_MS;

/** A transfer counts when its block is not later than this, by the time that the block itself says. */
export function satoshiDeadline({ createdAt, expiresAt }: { createdAt: Date; expiresAt: Date }): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + SATOSHI_TEST_MS));
}

/** How far the time of a block may be behind the real one: a Bitcoin block's may by hours, by consensus. */
const BLOCK_TIME_LAG_MS = { EVM: 60_000, BITCOIN: 2 * HOUR_MS, SOLANA: 60_000, TRON: 60_000 } as const;

/** A transfer counts from the creation on; blocks that say less than this are older. */
export function armedFrom({ kind }: Pick<ScanChain, 'kind'>, createdAt: Date): Date {
  return new Date(createdAt.getTime() - BLOCK_TIME_LAG_MS[kind]);
}
