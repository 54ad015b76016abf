import { randomUUID } from 'node:crypto';
import type { ReportTotals } from '../../domain/reports/schema.ts';
import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { TURN_MS } from './queue-reports.ts';

/** A report that is to be made, and the object that an earlier attempt may have left in the storage. */
export interface UnmadeReport {
  id: string;
  tenantId: string;
  month: string;
  timeZone: string;
  leftObjectKey: string | null;
}

/** An attempt at a report: it writes an object of its own, sealed by a key of its own. */
export interface ReportAttempt extends UnmadeReport {
  objectKey: string;
  key: RecordKey;
}

/** Contents of a finished file. */
interface ReportContent {
  rows: number;
  totals: ReportTotals;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
}

/** Reads a report that is to be made; undefined when it is made, or was given up. */
export async function findUnmadeReport(db: Queryable, id: string): Promise<UnmadeReport | undefined> {
  const { rows } = await db.query<{
    tenant_id: string;
    month: string;
    object_key: string | null;
    time_zone: string;
  }>(
    `select tenant_id, month, object_key, time_zone from monthly_reports where id = $1 and state = 'MAKING'`,
    [id],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { tenant_id: tenantId, month, time_zone: timeZone, object_key: leftObjectKey } = row;
  return { id, tenantId, month, timeZone, leftObjectKey };
}

/** Begins an attempt. From now on an earlier one cannot be stored. Undefined when another attempt has begun meanwhile. */
export async function beginReport(
  { pool, vault }: Database,
  report: UnmadeReport,
): Promise<ReportAttempt | undefined> {
  const { tenantId, id } = report;
  const keys = await vault.tenantKeys(tenantId);
  const { key, wrapped } = keys.newRecordKey(sealingContext.report.key({ tenantId, id }));
  const objectKey = `${tenantId}/${id}/${randomUUID()}`;
  const { rowCount } = await pool.query(
    `update monthly_reports set object_key = $3, record_key = $4,
       wake_at = now() + make_interval(secs => $5::numeric / 1000)
     where id = $1 and state = 'MAKING' and object_key is not distinct from $2`,
    [id, report.leftObjectKey, objectKey, wrapped, TURN_MS],
  );
  return rowCount === 1 ? { ...report, objectKey, key } : undefined;
}

/**
 * Makes the written file the report of its month, in place of an earlier one. Returns false, and changes nothing, when another
 * attempt has begun since.
 */
export async function storeReport(
  { pool }: Database,
  { id, tenantId, month, objectKey }: ReportAttempt,
  content: ReportContent,
  generatedAt: Date,
): Promise<boolean> {
  return await inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `select from monthly_reports where id = $1 and state = 'MAKING' and object_key = $2 for update`,
      [id, objectKey],
    );
    if (rowCount !== 1) return false;
    await tx.query(
      `update monthly_reports set state = 'REPLACED', replaced_at = now()
       where tenant_id = $1 and month = $2 and state = 'STORED'`,
      [tenantId, month],
    );
    await tx.query(
      `update monthly_reports set state = 'STORED', wake_at = null, rows = $2, totals = $3, size_bytes = $4, sha256 = $5,
         generated_at = $6 where id = $1`,
      [id, content.rows, JSON.stringify(content.totals), content.sizeBytes, content.sha256, generatedAt],
    );
    return true;
  });
}

/** Gives up a report that cannot be made; `removeOldReports` removes it. An earlier report of the month stays. */
export async function giveReportUp(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update monthly_reports set state = 'REMOVING', wake_at = null where id = $1 and state = 'MAKING'`,
    [id],
  );
}
