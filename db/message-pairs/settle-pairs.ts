import type { Status } from '../../domain/transactions/state.ts';
import type { Queryable } from '../postgres.ts';

/** What a change decides of a message pair. */
interface PairSettlement {
  id: string;
  /** The first final status, which decides for both sides; null while there is none. */
  outcome: Status | null;
  /** The sender has taken the message back. */
  isClosed: boolean;
}

/** Stores what a change decides of a locked pair. The time of an earlier decision stays. */
export async function settlePair(tx: Queryable, settlement: PairSettlement, now: Date): Promise<void> {
  const { id, outcome, isClosed } = settlement;
  await tx.query(
    `update message_pairs set outcome = $2, decided_at = coalesce(decided_at, $3),
       closed_at = case when $4 then $3::timestamptz else closed_at end
     where id = $1`,
    [id, outcome, now, isClosed],
  );
}

/** Stores the outcomes of several pairs. A pair that has an outcome keeps it. */
export async function settleOpenPairs(
  tx: Queryable,
  settled: readonly { id: string; outcome: Status }[],
  now: Date,
): Promise<void> {
  if (settled.length === 0) return;
  await tx.query(
    `update message_pairs p set outcome = r.outcome, decided_at = $3
     from unnest($1::uuid[], $2::text[]) as r(id, outcome) where p.id = r.id and p.outcome is null`,
    [settled.map(({ id }) => id), settled.map(({ outcome }) => outcome), now],
  );
}
