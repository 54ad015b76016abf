import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy, type Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { chainsWithWork } from '../db/chain-scan/work.ts';
import type { Queryable } from '../db/postgres.ts';
import { isScannable, type ScanChain } from '../domain/chain-scan/scan-chain.ts';
import { attributes, BLOCKCHAIN_SCAN } from '../workflows/contract.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 1_000;
const TROUBLE_MS = 5_000;
const DEADLINE_MS = 2_000;

interface ScanLoopOptions {
  db: { pool: Queryable };
  client: Client;
  chains: readonly ScanChain[];
  log: Logger;
}

/**
 * Sees to it that each chain on which somebody waits has its scanner: no entry that could be lost, and a Temporal that has
 * forgotten everything gets its scanners again within a second.
 */
export function startScanLoop({ db, client, chains, log }: ScanLoopOptions): WorkerLoop[] {
  const names = chains.filter(isScannable).map(({ name }) => name);
  if (names.length === 0) return [];
  const ensure = async (): Promise<boolean> => {
    for (const chain of await chainsWithWork(db.pool, names)) await ensureScanner(client, chain);
    return false;
  };
  return [startLoop(EVERY_MS, TROUBLE_MS, log, 'chain scan', ensure)];
}

/** Starts the chain's scanner unless it runs. */
async function ensureScanner(client: Client, chain: string): Promise<void> {
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    await client.workflow.start(BLOCKCHAIN_SCAN.workflow, {
      workflowId: BLOCKCHAIN_SCAN.id(chain),
      taskQueue: BLOCKCHAIN_SCAN.taskQueue,
      args: [{ id: chain }],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      staticSummary: `Transfers on ${chain}`,
      typedSearchAttributes: [
        { key: attributes.kind, value: BLOCKCHAIN_SCAN.workflow },
        { key: attributes.status, value: 'SCANNING' },
        { key: attributes.waitingFor, value: 'TRANSFER' },
        { key: attributes.stuck, value: false },
      ],
    });
  });
}
