import type { Queryable } from '../db/postgres.ts';
import {
  FIRST_CURSOR,
  outboxRoom,
  queueUnfinished,
  type UnfinishedCursor,
} from '../db/reconcile/queue-unfinished.ts';
import { noneOfAnyKind, UNFINISHED_KINDS, type UnfinishedKind } from '../db/reconcile/unfinished-rows.ts';

const BATCH = 1_000;

/** Number of queued rows by kind. */
export type QueuedCounts = Record<UnfinishedKind, number>;

/** A walk over unfinished rows, most urgent first. */
export interface ReconcileWalk {
  /** Queues rows while the outbox has room; true at the end of the walk. */
  next: () => Promise<boolean>;
  /** Rows queued so far. */
  queued: QueuedCounts;
}

/**
 * Queues the rows that are overdue by a minute, or all unfinished ones, for a Temporal server that lost its state or
 * was restored from an old backup. Kinds take turns, so that none waits for the end of another.
 */
export function walkUnfinished(db: Queryable, range: { overdue: boolean }): ReconcileWalk {
  const queued = noneOfAnyKind();
  const turns: { kind: UnfinishedKind; cursor: UnfinishedCursor }[] = UNFINISHED_KINDS.map((kind) => ({
    kind,
    cursor: FIRST_CURSOR,
  }));
  return {
    queued,
    async next() {
      let room = await outboxRoom(db);
      for (let turn = turns[0]; turn && room > 0; turn = turns[0]) {
        const limit = Math.min(BATCH, room);
        const page = await queueUnfinished(db, turn.kind, { ...range, cursor: turn.cursor }, limit);
        queued[turn.kind] += page.queued;
        room -= page.queued;
        turns.shift();
        if (page.last && page.queued === limit) turns.push({ kind: turn.kind, cursor: page.last });
      }
      return turns.length === 0;
    },
  };
}

/** One round of the sweep: a row that is overdue by a minute has lost its workflow. */
export async function queueOverdue(db: Queryable): Promise<QueuedCounts> {
  const walk = walkUnfinished(db, { overdue: true });
  await walk.next();
  return walk.queued;
}
