import { addMs, MINUTE_MS } from '../../domain/durations.ts';
import { reportableMonths } from '../../domain/reports/month.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import { insertSql, unnestValues, type Column } from '../columns.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** A report that is to be made. */
interface DueReport {
  tenantId: string;
  month: string;
  /** Time zone that decides when the month is over, as IANA name. */
  timeZone: string;
}

interface QueuedRow {
  id: string;
  tenant_id: string;
  month: string;
}

/**
 * Time before the sweep takes up a report whose workflow is lost: longer than an attempt may take, and than a report waits for
 * its turn.
 */
export const TURN_MS = 90 * MINUTE_MS;
/** Tenants per page; each has at most 36 due months. */
const PAGE = 200;

const columns = (now: Date): Column<DueReport>[] => [
  { name: 'id', type: 'uuid', value: () => newId(now) },
  { name: 'tenant_id', type: 'uuid', value: (report) => report.tenantId },
  { name: 'month', type: 'text', value: (report) => report.month },
  { name: 'time_zone', type: 'text', value: (report) => report.timeZone },
  { name: 'state', type: 'text', value: () => 'MAKING' },
  { name: 'created_at', type: 'timestamptz', value: () => now },
  { name: 'wake_at', type: 'timestamptz', value: () => addMs(now, TURN_MS) },
];

/** Queues a report of the tenant, or joins the one of this month that is being made. Returns its id. */
export async function queueReport(
  tx: Queryable,
  report: DueReport,
  now: Date,
): Promise<{ id: string; outbox: OutboxEntry[] }> {
  const { queued, outbox } = await insertReports(tx, [report], now);
  const { rows } = await tx.query<{ id: string }>(
    `select id from monthly_reports where tenant_id = $1 and month = $2 and state = 'MAKING'`,
    [report.tenantId, report.month],
  );
  const id = queued[0]?.id ?? rows[0]?.id;
  // The report that was being made has ended between the two statements.
  if (id === undefined) return await queueReport(tx, report, now);
  return { id, outbox };
}

/** The result of one page: `after` is the last tenant of it, null when no tenant is left. */
interface QueuedReports {
  queued: number;
  after: string | null;
  outbox: OutboxEntry[];
}

/** Queues the missing reports of the next 200 tenants by id: of all months that are over, from their creation on. */
export async function queueDueReports(db: Database, after: string | null, now: Date): Promise<QueuedReports> {
  return await inTransaction(db.pool, async (tx) => {
    const { rows } = await tx.query<TenantMonths>(TENANTS, [after]);
    const due = rows.flatMap((tenant) => dueOf(tenant, now));
    const { queued, outbox } = await insertReports(tx, due, now);
    return {
      queued: queued.length,
      outbox,
      after: rows.length < PAGE ? null : (rows.at(-1)?.id ?? null),
    };
  });
}

interface TenantMonths {
  id: string;
  settings: StoredSettings;
  created_at: Date;
  months: string[];
}

// The counterparties of a sandbox have no reports. A report in another time zone than the tenant's is made again: where one month
// ends by one zone and the next begins by another, transactions would be in none, or in two.
const TENANTS = `
  select t.id, t.settings, t.created_at, array(
    select month from monthly_reports r where r.tenant_id = t.id and (r.state = 'MAKING'
      or (r.state = 'STORED' and r.time_zone = coalesce(t.settings ->> 'timeZone', '${settingsOf({}).timeZone}')))
  ) as months
  from tenants t where t.test_behaviour is null and t.gateway is null and t.erased_at is null and ($1::uuid is null or t.id > $1) order by t.id limit ${PAGE}`;

function dueOf({ id, settings, created_at, months }: TenantMonths, now: Date): DueReport[] {
  const { timeZone } = settingsOf(settings);
  return reportableMonths(timeZone, created_at, now)
    .filter((month) => !months.includes(month))
    .map((month) => ({ tenantId: id, month, timeZone }));
}

async function insertReports(
  tx: Queryable,
  reports: readonly DueReport[],
  now: Date,
): Promise<{ queued: QueuedRow[]; outbox: OutboxEntry[] }> {
  if (reports.length === 0) return { queued: [], outbox: [] };
  const { rows: queued } = await tx.query<QueuedRow>(
    `${insertSql('monthly_reports', columns(now))}
     on conflict (tenant_id, month) where state = 'MAKING' do nothing returning id, tenant_id, month`,
    unnestValues(columns(now), reports),
  );
  const entries = queued.map(({ id, tenant_id, month }) => ({
    tenantId: tenant_id,
    workflow: 'reportGeneration' as const,
    subjectId: id,
    summary: `Report of ${month}`,
  }));
  return { queued, outbox: await insertOutboxEntries(tx, entries, now) };
}
