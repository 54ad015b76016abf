import type pg from 'pg';
import { inTransaction, type Queryable } from '../postgres.ts';
import { COUNTED_RECORDS } from './counted-records.ts';
import { foldSql } from './fold.ts';

/** Marks every tenant that was not erased: its records are counted again. */
export async function markForRecount(db: Queryable): Promise<void> {
  await db.query('update tenants set statistics_due = true where not statistics_due and erased_at is null');
}

/**
 * Counts all records of a tenant that is marked, in place of its counts and deltas. Everything is read and replaced on one
 * state of the database, to which each change belongs with its deltas or not at all: writers go on and nothing is lost. False
 * when no tenant is marked.
 */
export async function recountNext(pool: pg.Pool): Promise<boolean> {
  if ((await dueTenant(pool)) === undefined) return false;
  return await inTransaction(pool, async (tx) => {
    await beginAlone(tx);
    const tenantId = await dueTenant(tx);
    if (tenantId === undefined) return false;
    await recount(tx, tenantId);
    return true;
  });
}

async function dueTenant(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    'select id from tenants where statistics_due order by id limit 1',
  );
  return rows[0]?.id;
}

/** The lock keeps out folding, and comes first: the state that is read begins after it. Millions of rows take a while. */
async function beginAlone(tx: Queryable): Promise<void> {
  await tx.query(`
    set transaction isolation level repeatable read;
    set local statement_timeout = 0;
    lock table statistics_counts in share row exclusive mode`);
}

async function recount(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('delete from statistics_deltas where tenant_id = $1', [tenantId]);
  await tx.query('delete from statistics_counts where tenant_id = $1', [tenantId]);
  for (const changes of COUNTED_RECORDS) await tx.query(countingSql(changes), [tenantId]);
  await tx.query('update tenants set statistics_due = false where id = $1', [tenantId]);
}

/** The counts of the quarters are far fewer than the records. */
function countingSql(changes: string): string {
  return `
  with quarters as materialized (
    select tenant_id, quarter, measure, key, sum(count) as count, sum(unvalued) as unvalued, sum(usd) as usd, sum(eur) as eur
    from (${changes}) changed group by tenant_id, quarter, measure, key
  ) ${foldSql('quarters')}`;
}
