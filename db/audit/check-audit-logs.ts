import type pg from 'pg';
import { hashOfBatch } from '../../domain/audit/entry.ts';
import { columnNames } from '../columns.ts';
import type { EventFault } from '../events/event-report.ts';
import { OPERATORS } from '../idempotency/operator-scope.ts';
import { addMs, HOUR_MS } from '../../domain/durations.ts';
import { inSnapshot, inTransaction, type Queryable } from '../postgres.ts';
import type { Vault } from '../vault/vault.ts';
import { auditColumns, isGenuine, toAuditEntry, type AuditRow } from './audit-entry-row.ts';
import { isAnchored } from './chain-entries.ts';
import { IS_COUNT } from './count-requests.ts';

const PAGE = 1_000;

interface AuditLogs {
  pool: pg.Pool;
  vault: Pick<Vault, 'heads'>;
}

/** The entries that were looked at, and what is wrong with logs; `id` of a fault is the tenant. */
interface AuditReport {
  checked: number;
  faults: EventFault[];
}

interface LogPosition {
  epoch: number;
  xid: string;
  position: number;
}

interface BatchRow extends LogPosition {
  number: number;
  entries: number;
  hash: Buffer;
  created_at: Date;
}

interface HeadRow {
  tenant_id: string;
  number: number;
  hash: Buffer;
  mac: Buffer;
  created_at: Date;
}

const BEGINNING: LogPosition = { epoch: -1, xid: '0', position: 0 };

/**
 * Verifies the audit logs of all tenants and of the deployment. Finds entries that were changed or forged; entries that were
 * removed, added or moved once they were in a batch, which they are within a minute; and batches that were cut off the end, also with
 * the head rewritten. Does not find a log that was put back as a whole to an earlier state of a day that is not sealed
 * yet.
 */
export async function checkAuditLogs(
  { pool, vault }: AuditLogs,
  now: Date = new Date(),
): Promise<AuditReport> {
  const report: AuditReport = { checked: 0, faults: [] };
  for (const tenantId of await listLogs(pool)) {
    const found = await inSnapshot(pool, async (tx) => await checkLog(tx, vault, { tenantId, now })).catch(
      unreadable,
    );
    report.checked += found.checked;
    const name = tenantId === OPERATORS ? 'the deployment' : 'this tenant';
    report.faults.push(
      ...found.faults.map((fault) => ({ id: tenantId, fault: `the audit log of ${name}: ${fault}` })),
    );
  }
  report.faults.push(...(await findStray(pool).catch(unreadableTables)));
  return report;
}

/** Every row is read once, by its key where that still is there. */
const READ_LIMIT = '10min';

// No batch of a log has such a number, so that the walk does not meet it; but chaining goes on behind the last batch of all. Nor does it
// meet an entry before the beginning, or the second of one place where a page ends: the service's role, too, can add one with any place.
const STRAY = `
  select coalesce(tenant_id, '${OPERATORS}') as id, 'a batch that is in no audit log' as fault from audit_batches
  where tenant_id is null or number is null or number < 1
  union
  select tenant_id, 'two batches of one number in an audit log' from audit_batches group by tenant_id, number having count(*) > 1
  union
  select coalesce(tenant_id, '${OPERATORS}'), 'two entries of one id in an audit log' from audit_entries
  group by tenant_id, id having count(*) > 1
  union
  select '${OPERATORS}', 'an entry that is in no audit log' from audit_entries where tenant_id is null
  union
  select coalesce(tenant_id, '${OPERATORS}'), 'an entry that is placed before the beginning of an audit log' from audit_entries
  where epoch is null or xid is null or position is null or epoch < 0 or position < 1
  union
  select coalesce(tenant_id, '${OPERATORS}'), 'two entries of one place in an audit log' from audit_entries
  group by tenant_id, epoch, xid, position having count(*) > 1
  union
  select tenant_id, 'a count of requests that no program has written' from audit_counts where (${IS_COUNT}) is not true
  order by id`;

/** Finds what the walk along a log does not meet: what the owner of the tables can add once their keys are dropped, or anybody at such a place. */
async function findStray(pool: pg.Pool): Promise<EventFault[]> {
  return await inTransaction(pool, async (tx) => {
    await tx.query(`set local statement_timeout = '${READ_LIMIT}'`);
    const { rows } = await tx.query<EventFault>(STRAY);
    return rows;
  });
}

/** A log that cannot even be read hides no fault of the others. */
function unreadable(error: unknown): LogReport {
  return {
    checked: 0,
    faults: [`it cannot be read: ${error instanceof Error ? error.name : 'unknown error'}`],
  };
}

function unreadableTables(error: unknown): EventFault[] {
  const name = error instanceof Error ? error.name : 'unknown error';
  return [{ id: OPERATORS, fault: `the tables of the audit logs cannot be read as a whole: ${name}` }];
}

async function listLogs(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    `select tenant_id from (
       select tenant_id from audit_heads union select tenant_id from audit_batches union select tenant_id from audit_entries
     ) logs where tenant_id is not null order by 1`,
  );
  return rows.map(({ tenant_id: id }) => id);
}

interface LogReport {
  checked: number;
  faults: string[];
}

async function checkLog(
  tx: Queryable,
  vault: AuditLogs['vault'],
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<LogReport> {
  const report: LogReport = { checked: 0, faults: [] };
  let after = BEGINNING;
  let last: BatchRow | null = null;
  for (;;) {
    const batch = await nextBatch(tx, tenantId, last);
    if (!batch) break;
    const { macs, end } = await checkEntries(tx, vault, { tenantId, after, until: batch, report });
    const fault = batchFault(batch, { tenantId, last, macs, end, now });
    if (fault) report.faults.push(fault);
    after = batch;
    last = batch;
  }
  await checkEntries(tx, vault, { tenantId, after, until: null, report });
  const fault = headFault(vault, await readHead(tx, tenantId), last);
  if (fault) report.faults.push(fault);
  return report;
}

async function nextBatch(
  tx: Queryable,
  tenantId: string,
  last: BatchRow | null,
): Promise<BatchRow | undefined> {
  const { rows } = await tx.query<BatchRow>(
    `select number, entries, epoch, xid::text, position, hash, created_at from audit_batches
     where tenant_id = $1 and number > $2 order by number limit 1`,
    [tenantId, last?.number ?? 0],
  );
  return rows[0];
}

interface EntryRange {
  tenantId: string;
  /** Exclusive. */
  after: LogPosition;
  /** Inclusive; null for all that follow. */
  until: LogPosition | null;
  report: LogReport;
}

const ENTRIES = `
  select ${columnNames(auditColumns)}, epoch, xid::text, position,
    (epoch, xid) >= (present_feed_epoch(), pg_snapshot_xmax(pg_current_snapshot())) as is_ahead,
    $5::int is null and (epoch, xid, position) <= (
      select epoch, xid, position from audit_batches order by epoch desc, xid desc, position desc limit 1) as is_passed
  from audit_entries
  where tenant_id = $1 and (epoch, xid, position) > ($2, $3::xid8, $4)
    and ($5::int is null or (epoch, xid, position) <= ($5, $6::xid8, $7::bigint))
  order by audit_entries.epoch, audit_entries.xid, audit_entries.position limit ${PAGE}`;

interface PlacedEntry extends AuditRow, LogPosition {
  /** Whether it is placed behind all that have been written: then it is never chained, and goes without a trace. */
  is_ahead: boolean;
  /** Whether it is in no batch of its log, but before the end of the last batch of all logs, where chaining goes on: the same. */
  is_passed: boolean;
}

interface CheckedEntries {
  /** In the order of the chain. */
  macs: Buffer[];
  /** Where the last of them is, or where the range begins. */
  end: LogPosition;
}

/** Checks each entry of a range by itself. */
async function checkEntries(
  tx: Queryable,
  vault: AuditLogs['vault'],
  { tenantId, after, until, report }: EntryRange,
): Promise<CheckedEntries> {
  const macs: Buffer[] = [];
  let from = after;
  for (;;) {
    const { rows } = await tx.query<PlacedEntry>(ENTRIES, [
      tenantId,
      ...positionValues(from),
      ...positionValues(until),
    ]);
    for (const row of rows) {
      if (!isSound(vault, row)) report.faults.push(`entry ${row.id} was changed or forged`);
      if (row.is_ahead) report.faults.push(`entry ${row.id} is placed where none is chained yet`);
      if (row.is_passed) report.faults.push(`entry ${row.id} is placed where chaining has passed`);
      macs.push(row.mac);
    }
    report.checked += rows.length;
    from = rows.at(-1) ?? from;
    if (rows.length < PAGE) return { macs, end: from };
  }
}

function positionValues(end: LogPosition | null): unknown[] {
  return end ? [end.epoch, end.xid, end.position] : [null, null, null];
}

/** False, too, for what cannot be hashed, such as an infinite time or parameters of absurd depth: this product never stores it. */
function isSound(vault: AuditLogs['vault'], row: AuditRow): boolean {
  try {
    return isGenuine(vault, toAuditEntry(row), row.mac);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return false;
    throw error;
  }
}

interface BatchContext {
  tenantId: string;
  /** The batch before. */
  last: BatchRow | null;
  macs: readonly Buffer[];
  /** Where its last entry is. */
  end: LogPosition;
  now: Date;
}

function batchFault(batch: BatchRow, { tenantId, last, macs, end, now }: BatchContext): string | null {
  const { number, entries, hash, created_at: createdAt } = batch;
  if (number !== (last?.number ?? 0) + 1) return `batch ${number - 1} is missing`;
  if (macs.length !== entries) return `batch ${number} has ${macs.length} entries instead of ${entries}`;
  if (!Number.isFinite(createdAt.valueOf())) return `batch ${number} was changed`;
  const previousHash = last?.hash ?? null;
  const isWhole = hashOfBatch({ tenantId, number, createdAt, previousHash }, macs).equals(hash);
  if (!isWhole) return `batch ${number} does not fit its entries and the batch before`;
  // Chaining goes on behind the last batch of all: one that says that it ends later keeps what comes from being chained.
  if (!isSamePosition(batch, end)) return `batch ${number} does not end with its last entry`;
  // A head whose time was moved dates the batches that follow, and no seal of the days until then states them.
  if (createdAt > addMs(now, HOUR_MS)) return `batch ${number} is of a time to come`;
  return null;
}

function isSamePosition(a: LogPosition, b: LogPosition): boolean {
  return a.epoch === b.epoch && a.xid === b.xid && a.position === b.position;
}

async function readHead(tx: Queryable, tenantId: string): Promise<HeadRow | undefined> {
  const { rows } = await tx.query<HeadRow>(
    'select tenant_id, number, hash, mac, created_at from audit_heads where tenant_id = $1',
    [tenantId],
  );
  return rows[0];
}

function headFault(
  vault: AuditLogs['vault'],
  head: HeadRow | undefined,
  last: BatchRow | null,
): string | null {
  if (!head) return last ? 'its head is missing' : null;
  if (!isAnchored(vault, head)) return 'the head is not the one that was anchored';
  if (head.number !== (last?.number ?? 0))
    return `the last batches are missing: ${last?.number ?? 0} of ${head.number}`;
  const isOfLast = last?.hash.equals(head.hash) && last.created_at.valueOf() === head.created_at.valueOf();
  return isOfLast ? null : 'the head does not fit the last batch';
}
