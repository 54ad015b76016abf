import { countWaiting, endIfIdle } from '../../db/chain-scan/work.ts';
import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { isScannable, type ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { applyObservations } from './apply-observations.ts';
import type { ChainNode } from '../../chains/chain-node.ts';
import { openNode } from '../../chains/open-node.ts';
import { followChain } from './follow-chain.ts';

/** A round ends after this long, so that what was found is told while a long way is caught up with. */
const ROUND_MS = 20_000;
/** A slow node may take long for one block, or for the way back over a fork. */
const HEARTBEAT_MS = 5_000;

export interface ScanDeps {
  db: Database;
  /** The chains of this deployment. */
  chains: readonly ScanChain[];
  /** Tells the workflows of what was changed; what is not told now, the relay tells. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

/** What a round of the scan brought. Carries numbers only. */
export type ScanStep =
  | { outcome: 'IDLE' | 'NOT_CONFIGURED' }
  | {
      outcome: 'SCANNED';
      height: number;
      tipHeight: number;
      blocks: number;
      waiting: number;
      /** How long until the chain is worth looking at again. */
      pauseMs: number;
    };

export function scanActivities(deps: ScanDeps) {
  const nodes = new Map<string, ChainNode>();
  const nodeOf = (chain: ScanChain): ChainNode => {
    const node = nodes.get(chain.name) ?? openNode(chain);
    nodes.set(chain.name, node);
    return node;
  };
  return {
    /** Reads a chain on to its tip, for 20 s at most. Doing it twice, even at once, changes nothing. */
    async scanChain({ id }: { id: string }): Promise<ScanStep> {
      const chain = deps.chains.find(({ name }) => name === id);
      if (!chain || !isScannable(chain)) return { outcome: 'NOT_CONFIGURED' };
      if (await endIfIdle(deps.db, chain.name)) return { outcome: 'IDLE' };
      const until = Date.now() + ROUND_MS;
      return await whileHeartbeating(
        HEARTBEAT_MS,
        async (signal) =>
          await scanRound(deps, chain, nodeOf(chain), () => signal.aborted || Date.now() > until),
      );
    },
  };
}

/** One round with a node of the caller's own. */
export async function scanRound(
  { db, notifyWorkflows, now }: Pick<ScanDeps, 'db' | 'notifyWorkflows' | 'now'>,
  chain: ScanChain,
  node: ChainNode,
  isOver: () => boolean = () => false,
): Promise<ScanStep> {
  const followed = await followChain({ db, chain: chain.name, node, isOver });
  if (!followed) {
    return { outcome: 'SCANNED', height: 0, tipHeight: 0, blocks: 0, waiting: 0, pauseMs: chain.pollMs };
  }
  const { cursor, tip, blocks } = followed;
  notifyWorkflows(await applyObservations({ db, chain, tipHeight: cursor.height, now: now() }));
  const waiting = await countWaiting(db.pool, chain.name);
  const pauseMs = cursor.height < tip.height ? 0 : chain.pollMs;
  return { outcome: 'SCANNED', height: cursor.height, tipHeight: tip.height, blocks, waiting, pauseMs };
}
