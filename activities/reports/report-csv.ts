import { stringify, type Options } from 'csv-stringify/sync';
import { REPORT_COLUMNS, reportCells, type ReportedTransaction } from '../../domain/reports/report-row.ts';
import type { ReportTally } from '../../domain/reports/tally.ts';

/** Without `quoted_match` a line feed alone would not be quoted, since lines end with CR LF. */
const OPTIONS: Options = { record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true };

/**
 * Writes transactions as CSV (RFC 4180) in UTF-8, with a header, and counts them. A cell that a spreadsheet would take for a
 * formula gets an apostrophe in front. Throws the reason of `signal` when it is aborted.
 */
export async function* reportCsv(
  batches: AsyncIterable<readonly ReportedTransaction[]>,
  tally: ReportTally,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  yield linesOf([REPORT_COLUMNS]);
  for await (const batch of batches) {
    signal.throwIfAborted();
    for (const { record } of batch) tally.count(record);
    yield linesOf(batch.map(reportCells));
  }
}

function linesOf(rows: (string | null)[][]): Buffer {
  return Buffer.from(stringify(rows, OPTIONS));
}
