import type { Queryable } from '../db/postgres.ts';
import { FIRST_PLACE, outboxRoom, pokeUnfinished, type Place } from '../db/reconcile/poke-unfinished.ts';
import { noneOfAnyKind, UNFINISHED_KINDS, type UnfinishedKind } from '../db/reconcile/unfinished-rows.ts';

const BATCH = 1_000;

/** How many rows were given their workflow, by kind. */
export type Poked = Record<UnfinishedKind, number>;

/** A walk over unfinished rows, the most urgent first. */
export interface Walk {
  /** Pokes on as far as the outbox has room; true when the end is reached. */
  next: () => Promise<boolean>;
  /** So far. */
  poked: Poked;
}

/**
 * Over the rows that are overdue by a minute, or over all of them: for a Temporal that has lost its state or got an old
 * one back. Kinds take turns, so that none waits for the end of another.
 */
export function walkUnfinished(db: Queryable, range: { overdue: boolean }): Walk {
  const poked = noneOfAnyKind();
  const turns: { kind: UnfinishedKind; after: Place }[] = UNFINISHED_KINDS.map((kind) => ({
    kind,
    after: FIRST_PLACE,
  }));
  return {
    poked,
    async next() {
      let room = await outboxRoom(db);
      for (let turn = turns[0]; turn && room > 0; turn = turns[0]) {
        const limit = Math.min(BATCH, room);
        const page = await pokeUnfinished(db, turn.kind, { ...range, after: turn.after }, limit);
        poked[turn.kind] += page.poked;
        room -= page.poked;
        turns.shift();
        if (page.last && page.poked === limit) turns.push({ kind: turn.kind, after: page.last });
      }
      return turns.length === 0;
    },
  };
}

/** One round of the sweep: what is overdue by a minute has lost its workflow. */
export async function pokeOverdue(db: Queryable): Promise<Poked> {
  const walk = walkUnfinished(db, { overdue: true });
  await walk.next();
  return walk.poked;
}
