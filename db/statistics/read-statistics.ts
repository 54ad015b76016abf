import { notFound } from '../../domain/errors.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { localMonth, monthAt, type LocalMonth } from '../../domain/statistics/month.ts';
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
async function countingOf(
  db: Queryable,
  tenantId: string,
): Promise<{ timeZone: string; complete: boolean }> {
  const { rows } = await db.query<{ settings: StoredSettings; statistics_due: boolean }>(
    'select settings, statistics_due from tenants where id = $1',
    [tenantId],
  );
  if (!rows[0]) throw notFound('tenant');
  return { timeZone: settingsOf(rows[0].settings).timeZone, complete: !rows[0].statistics_due };
}

// One statement, so one state: a delta that is being folded counts once. $2 to $5 are the beginning of the month, of its first
// whole UTC day, the end of its last whole UTC day, and its end.
const COUNTS = `
  with counted as (
    select measure, key, count, unvalued, usd, eur from statistics_counts
    where tenant_id = $1 and span = 'DAY' and starts_at >= $3 and starts_at < $4
    union all
    select measure, key, count, unvalued, usd, eur from statistics_counts
    where tenant_id = $1 and span = 'QUARTER' and starts_at >= $2 and starts_at < $3
    union all
    select measure, key, count, unvalued, usd, eur from statistics_counts
    where tenant_id = $1 and span = 'QUARTER' and starts_at >= $4 and starts_at < $5
    union all
    select measure, key, count, unvalued, usd, eur from statistics_deltas
    where tenant_id = $1 and quarter >= $2 and quarter < $5
  )
  select measure, key, sum(count)::bigint as count, sum(unvalued)::bigint as unvalued, sum(usd) as usd, sum(eur) as eur
  from counted group by measure, key`;

async function readCounts(db: Queryable, tenantId: string, { from, to }: LocalMonth): Promise<MonthCount[]> {
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const endOfDays = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  const { rows } = await db.query<MonthCount>({
    name: 'read-statistics',
    text: COUNTS,
    values: [tenantId, from, firstDay, endOfDays, to],
  });
  return rows;
}
