import type pg from 'pg';
import { inSnapshot, type Queryable } from '../postgres.ts';
import { COUNTED_RECORDS } from './counted-records.ts';

/** A count that the records of a tenant do not bear out. */
export interface CountFault {
  tenantId: string;
  measure: string;
  key: string;
  /** The quarter of an hour or the month that it is of. */
  startsAt: Date;
  stored: string;
  counted: string;
}

interface FaultRow {
  measure: string;
  key: string;
  starts_at: Date;
  stored: string;
  counted: string;
}

/** Faults that are named for each tenant. */
const MAX_FAULTS = 100;

const FIGURES = `sum(count) || ' (' || sum(unvalued) || ' without value), ' || trim_scale(sum(usd)) || ' USD, '
  || trim_scale(sum(eur)) || ' EUR'`;

// Searches are deleted after five years, and their counts stay.
const CHECK = `
  with counted as (
    select quarter as at, measure, key, ${FIGURES} as figures, sum(count) as count
    from (${COUNTED_RECORDS.map((records) => `(${records})`).join(' union all ')}) records
    group by 1, 2, 3
    having sum(count) <> 0 or sum(unvalued) <> 0 or sum(usd) <> 0 or sum(eur) <> 0
  ), kept as (
    select starts_at, measure, key, count, unvalued, usd, eur from statistics_counts where tenant_id = $1 and span = 'QUARTER'
    union all select quarter, measure, key, count, unvalued, usd, eur from statistics_deltas where tenant_id = $1
  ), stored as (
    select starts_at as at, measure, key, ${FIGURES} as figures, sum(count) as count from kept
    group by 1, 2, 3
    having sum(count) <> 0 or sum(unvalued) <> 0 or sum(usd) <> 0 or sum(eur) <> 0
  ), months as (
    select starts_at as at, measure, key, ${FIGURES} as figures from statistics_counts where tenant_id = $1 and span = 'MONTH'
    group by 1, 2, 3
  ), quarters as (
    select date_trunc('month', starts_at, 'UTC') as at, measure, key, ${FIGURES} as figures from statistics_counts
    where tenant_id = $1 and span = 'QUARTER' group by 1, 2, 3
  )
  select measure, key, at as starts_at, coalesce(s.figures, '0') as stored, coalesce(c.figures, '0') as counted
  from stored s full join counted c using (measure, key, at)
  where s.figures is distinct from c.figures and not (measure = 'SCREENING' and s.count > coalesce(c.count, 0))
  union all
  select measure, key, at, coalesce(m.figures, '0'), coalesce(q.figures, '0')
  from months m full join quarters q using (measure, key, at)
  where m.figures is distinct from q.figures
  order by measure, key, starts_at limit ${MAX_FAULTS}`;

/** Compares the counts of every tenant with its records, each on one state of the database. Writers go on meanwhile. */
export async function* checkCounts(
  pool: pg.Pool,
): AsyncGenerator<{ tenantId: string; faults: CountFault[] }> {
  // A tenant whose records are being counted shows its counts as incomplete.
  const { rows } = await pool.query<{ id: string }>(
    'select id from tenants where erased_at is null and not statistics_due order by id',
  );
  for (const { id: tenantId } of rows) {
    const faults = await inSnapshot(pool, async (tx) => await faultsOf(tx, tenantId));
    yield {
      tenantId,
      faults: faults.map(({ starts_at: startsAt, ...row }) => ({ tenantId, startsAt, ...row })),
    };
  }
}

/** Millions of rows take a while. */
async function faultsOf(tx: Queryable, tenantId: string): Promise<FaultRow[]> {
  await tx.query('set local statement_timeout = 0');
  return (await tx.query<FaultRow>(CHECK, [tenantId])).rows;
}
