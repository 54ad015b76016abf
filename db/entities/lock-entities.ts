// One order for everybody who writes entities: their rows, then the lock of merges, then the names. An import writes its rows for
// minutes before it locks all names; who waited for a row while holding a name would wait for it, and it for them.
import type { Queryable } from '../postgres.ts';

/** Locks entities and their duplicates for a change, before their names are locked. */
export async function lockEntities(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(
    `select 1 from entities where id = any($1::uuid[]) or master_entity_id = any($1::uuid[])
     order by id for no key update`,
    [ids],
  );
}

/** Keeps a future master, and its own master, from being deleted, and lets one merge run after another, so that two see each other. */
export async function lockMerge(tx: Queryable, masterId: string): Promise<void> {
  await tx.query(
    `select 1 from entities where id = $1 or id = (select master_entity_id from entities where id = $1)
     order by id for key share`,
    [masterId],
  );
  await lockMerges(tx);
}

/** Lets nobody else merge entities until the end of the transaction. */
export async function lockMerges(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('entity masters', 0))`);
}
