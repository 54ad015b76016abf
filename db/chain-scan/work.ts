import { type Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** SQL over a chain's name `c`: somebody waits for a transfer there, or for the depth of one. */
const HAS_WORK = `(
  exists (select 1 from satoshi_watches w where w.chain = c and w.state <> 'DONE')
  or exists (select 1 from chain_observations o where o.chain = c and o.state <> 'SETTLED' and o.is_claim)
)`;

/** Those of the chains that must be scanned now. */
export async function chainsWithWork(db: Queryable, chains: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ c: string }>(`select c from unnest($1::text[]) c where ${HAS_WORK}`, [
    chains,
  ]);
  return rows.map(({ c }) => c);
}

/** Forgets where the scan of a chain stands when nothing waits there: the next one begins at the newest blocks. */
export async function endIfIdle(db: Database, chain: string): Promise<boolean> {
  return await inTransaction(db.pool, async (tx) => {
    await tx.query('select 1 from chain_cursors where chain = $1 for update', [chain]);
    if ((await chainsWithWork(tx, [chain])).length > 0) return false;
    await tx.query('delete from chain_blocks where chain = $1', [chain]);
    await tx.query('delete from chain_cursors where chain = $1', [chain]);
    return true;
  });
}

/** No transfer from before this moment is of interest; undefined when nothing waits. */
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

/** Counted no further: it is only shown to operators. */
const COUNTED = 1_000;

/** How many verifications wait for their transfer or for its depth, up to 1,000. */
export async function countWaiting(db: Queryable, chain: string): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(
    `select count(*)::int as waiting
     from (select 1 from satoshi_watches where chain = $1 and state <> 'DONE' limit ${COUNTED}) counted`,
    [chain],
  );
  return rows[0]?.waiting ?? 0;
}
