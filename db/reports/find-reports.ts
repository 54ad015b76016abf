import { notFound } from '../../domain/errors.ts';
import { REPORTED_MONTHS } from '../../domain/reports/month.ts';
import type { MonthlyReport } from '../../domain/reports/schema.ts';
import type { Queryable } from '../postgres.ts';
import { REPORT_COLUMNS, toReport, type ReportRow } from './report-row.ts';

/** The tenant's reports of the latest 36 months that have one, newest month first. */
export async function listReports(db: Queryable, tenantId: string): Promise<MonthlyReport[]> {
  const { rows } = await db.query<ReportRow>(
    `select ${REPORT_COLUMNS} from monthly_reports where tenant_id = $1 and state = 'STORED'
     order by month desc limit ${REPORTED_MONTHS}`,
    [tenantId],
  );
  return rows.map(toReport);
}

/** The id of the tenant's current report of a month. Throws not_found. */
export async function requireStoredReport(db: Queryable, tenantId: string, month: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `select id from monthly_reports where tenant_id = $1 and month = $2 and state = 'STORED'`,
    [tenantId, month],
  );
  if (!rows[0]) throw notFound('report');
  return rows[0].id;
}

/** State of a queued report. GONE: it was given up. A report may have been replaced since. */
export type QueuedReport =
  { state: 'STORED'; report: MonthlyReport } | { state: 'MAKING' } | { state: 'GONE' };

/** Reads the state of a queued report of the tenant. */
export async function findQueuedReport(db: Queryable, tenantId: string, id: string): Promise<QueuedReport> {
  const { rows } = await db.query<ReportRow & { state: string }>(
    `select state, ${REPORT_COLUMNS} from monthly_reports where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  const row = rows[0];
  if (row?.state === 'MAKING') return { state: 'MAKING' };
  if (row?.state === 'STORED' || row?.state === 'REPLACED') return { state: 'STORED', report: toReport(row) };
  return { state: 'GONE' };
}

/** The part of a stored report that a download needs. */
export interface ReportFile {
  id: string;
  tenantId: string;
  month: string;
  objectKey: string;
  recordKey: Buffer;
  sizeBytes: number;
}

/** The file of a report by its id alone, as links name it; a replaced file is found as long as it is there. Throws not_found. */
export async function findReportFile(db: Queryable, id: string): Promise<ReportFile> {
  const { rows } = await db.query<ReportFile>(
    `select id, tenant_id as "tenantId", month, object_key as "objectKey", record_key as "recordKey",
       size_bytes as "sizeBytes"
     from monthly_reports where id = $1 and state in ('STORED', 'REPLACED')`,
    [id],
  );
  if (!rows[0]) throw notFound('report');
  return rows[0];
}
