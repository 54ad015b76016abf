import { notFound } from '../../domain/errors.ts';
import { localMonth, monthAt, type LocalMonth } from '../../domain/tenants/local-month.ts';
import type { Statistics } from '../../domain/statistics/schema.ts';
import { statisticsOf, type MonthCount } from '../../domain/statistics/statistics.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Queryable } from '../postgres.ts';

/** The statistics of a month of a tenant, in its time zone; the current month if none is given. Throws not_found. */
export async function readStatistics(
  db: Queryable,
  tenantId: string,
  month: string | undefined,
  now: Date,
): Promise<Statistics> {
  const { timeZone, complete } = await countingOf(db, tenantId);
  const period = localMonth(month ?? monthAt(now, timeZone), timeZone);
  const counts = await readCounts(db, tenantId, period);
  return statisticsOf({ period, timeZone, asOf: now, complete, counts });
}

/** Read before the counts: once these were complete they stay so. */
async function countingOf(db: Queryable, tenantId: string): Promise<{ timeZone: string; complete: boolean }> {
  const { rows } = await db.query<{ settings: StoredSettings; statistics_due: boolean }>(
    'select settings, statistics_due from tenants where id = $1',
    [tenantId],
  );
  if (!rows[0]) throw notFound('tenant');
  return { timeZone: settingsOf(rows[0].settings).timeZone, complete: !rows[0].statistics_due };
}

// One statement, so one state: a delta that is being folded counts once. $2 is the beginning of the UTC month. What the local
// month has more or less than that lies between $3 and $4 and between $6 and $7, and counts $5 and $8 times: once, or once less.
// $9 and $10 are beginning and end of the local month.
const COUNTS = `
  with borders (first, until, times) as (
    values ($3::timestamptz, $4::timestamptz, $5::int), ($6::timestamptz, $7::timestamptz, $8::int)
  ), counted as (
    select measure, key, count, unvalued, usd, eur from statistics_counts
    where tenant_id = $1 and span = 'MONTH' and starts_at = $2
    union all
    select measure, key, times * count, times * unvalued, times * usd, times * eur
    from borders b join statistics_counts c on c.starts_at >= b.first and c.starts_at < b.until
    where c.tenant_id = $1 and c.span = 'QUARTER'
    union all
    select measure, key, count, unvalued, usd, eur from statistics_deltas
    where tenant_id = $1 and quarter >= $9 and quarter < $10
  )
  select measure, key, sum(count)::bigint as count, sum(unvalued)::bigint as unvalued, sum(usd) as usd, sum(eur) as eur
  from counted group by measure, key`;

async function readCounts(db: Queryable, tenantId: string, local: LocalMonth): Promise<MonthCount[]> {
  const utc = localMonth(local.month, 'UTC');
  const { rows } = await db.query<MonthCount>({
    name: 'read-statistics',
    text: COUNTS,
    values: [
      tenantId,
      utc.from,
      ...border(local.from, utc.from),
      ...border(utc.to, local.to),
      local.from,
      local.to,
    ],
  });
  return rows;
}

/** The time between two borders of months, and what it counts: 1 if `inner` comes before `outer`, -1 if it comes after. */
function border(inner: Date, outer: Date): [first: Date, until: Date, times: 1 | -1] {
  return inner < outer ? [inner, outer, 1] : [outer, inner, -1];
}
