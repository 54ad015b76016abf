import { downloadEndpointOf, type MonthlyReport, type ReportTotals } from '../../domain/reports/schema.ts';

/** The columns of a stored report that responses show. */
export interface ReportRow {
  month: string;
  rows: number;
  totals: ReportTotals;
  size_bytes: number;
  sha256: string;
  generated_at: Date;
  time_zone: string;
}

/** SQL: the columns of a `ReportRow`. */
export const REPORT_COLUMNS = 'month, rows, totals, size_bytes, sha256, generated_at, time_zone';

/** The report as responses show it. */
export function toReport(row: ReportRow): MonthlyReport {
  return {
    month: row.month,
    rows: row.rows,
    totals: row.totals,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    generatedAt: row.generated_at.toISOString(),
    timeZone: row.time_zone,
    downloadEndpoint: downloadEndpointOf(row.month),
  };
}
