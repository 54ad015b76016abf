import type pg from 'pg';
import { inTransaction, type Queryable } from '../postgres.ts';

/** Small enough that no statement holds its locks for long. */
const BATCH = 10_000;

/**
 * SQL: adds `changes`, rows as in `statistics_deltas`, to the counts of their quarters of an hour and of their UTC months. The
 * months are cheap to read, and the quarters make their borders exact in every time zone.
 */
export function foldSql(changes: string): string {
  const grouped = (span: string, start: string) => `
    select tenant_id, '${span}' as span, ${start} as starts_at, measure, key,
      sum(count) as count, sum(unvalued) as unvalued, sum(usd) as usd, sum(eur) as eur
    from ${changes} group by tenant_id, ${start}, measure, key`;
  return `
  insert into statistics_counts as c (tenant_id, span, starts_at, measure, key, count, unvalued, usd, eur)
  ${grouped('QUARTER', 'quarter')} union all ${grouped('MONTH', `date_trunc('month', quarter, 'UTC')`)}
  on conflict (tenant_id, span, starts_at, measure, key) do update set
    count = c.count + excluded.count, unvalued = c.unvalued + excluded.unvalued,
    usd = c.usd + excluded.usd, eur = c.eur + excluded.eur`;
}

const FOLD = `
  with moved as (
    delete from statistics_deltas where ctid = any(array(
      select ctid from statistics_deltas limit $1 for update skip locked))
    returning tenant_id, quarter, measure, key, count, unvalued, usd, eur
  ), folded as (${foldSql('moved')})
  select count(*)::int as count from moved`;

/**
 * Moves deltas of all tenants into the counts, in one statement: a change counts once, whenever this is cut off or repeated.
 * True when there may be more. Another process that folds at the same time does not wait: this one then moves nothing.
 */
export async function foldDeltas(pool: pg.Pool): Promise<boolean> {
  return await inTransaction(pool, async (tx) => {
    if (!(await isFoldingAlone(tx))) return false;
    const { rows } = await tx.query<{ count: number }>(FOLD, [BATCH]);
    return rows[0]?.count === BATCH;
  });
}

async function isFoldingAlone(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ alone: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('statistics', 0)) as alone`,
  );
  return rows[0]?.alone === true;
}
