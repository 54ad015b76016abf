import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { chainsWithWork } from '../db/chain-scan/work.ts';
import type { Queryable } from '../db/postgres.ts';
import { isScannable, type ScanChain } from '../domain/chain-scan/scan-chain.ts';
import { ensureWorkflow } from '../workflows/start.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 1_000;
const TROUBLE_MS = 5_000;

interface ScanLoopOptions {
  db: { pool: Queryable };
  client: Client;
  chains: readonly ScanChain[];
  log: Logger;
}

/**
 * Starts a scanner for each chain with a waiting verification. It needs no outbox entry that could be lost, and restores the
 * scanners within a second when Temporal has lost its state.
 */
export function startScanLoop({ db, client, chains, log }: ScanLoopOptions): WorkerLoop[] {
  const names = chains.filter(isScannable).map(({ name }) => name);
  if (names.length === 0) return [];
  const work = async (): Promise<boolean> => {
    for (const chain of await chainsWithWork(db.pool, names)) await ensureScanner(client, chain);
    return false;
  };
  return [startLoop({ name: 'chain scan', idleMs: EVERY_MS, troubleMs: TROUBLE_MS, log, work })];
}

async function ensureScanner(client: Client, chain: string): Promise<void> {
  await ensureWorkflow(client, {
    type: 'blockchainScan',
    idParts: [chain],
    args: [{ id: chain }],
    summary: `Transfers on ${chain}`,
  });
}
