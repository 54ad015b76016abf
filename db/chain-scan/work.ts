import { type Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** SQL over a chain's name `c`: a verification waits for a transfer on it, or for the depth of one. */
const HAS_WORK = `(
  exists (select 1 from satoshi_watches w where w.chain = c and w.state <> 'DONE')
  or exists (select 1 from chain_observations o where o.chain = c and o.state <> 'SETTLED' and o.is_claim)
)`;

/** The chains among these that must be scanned now. */
export async function chainsWithWork(db: Queryable, chains: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ c: string }>(`select c from unnest($1::text[]) c where ${HAS_WORK}`, [
    chains,
  ]);
  return rows.map(({ c }) => c);
}

/**
 * Deletes the cursor of a chain on which nothing waits, so that the next scan starts at the newest block. True when
 * deleted.
 */
export async function endIfIdle(db: Database, chain: string): Promise<boolean> {
  return await inTransaction(db.pool, async (tx) => {
    await tx.query('select 1 from chain_cursors where chain = $1 for update', [chain]);
    if ((await chainsWithWork(tx, [chain])).length > 0) return false;
    await tx.query('delete from chain_blocks where chain = $1', [chain]);
    await tx.query('delete from chain_cursors where chain = $1', [chain]);
    return true;
  });
}

/** The moment before which no transfer matters; undefined when nothing waits. */
export async function earliestInterest(db: Queryable, chain: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ since: Date | null }>(
    `select least(
       (select min(armed_from) from satoshi_watches where chain = $1 and state <> 'DONE'),
       (select min(block_time) from chain_observations where chain = $1 and state = 'ORPHANED')
     ) as since`,
    [chain],
  );
  return rows[0]?.since ?? undefined;
}

/** The count stops here, since operators only read it. */
const COUNTED = 1_000;

/** Number of verifications that wait for their transfer or its depth, at most 1,000. */
export async function countWaiting(db: Queryable, chain: string): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(
    `select count(*)::int as waiting
     from (select 1 from satoshi_watches where chain = $1 and state <> 'DONE' limit ${COUNTED}) counted`,
    [chain],
  );
  return rows[0]?.waiting ?? 0;
}
