import { stringify, type Options } from 'csv-stringify/sync';
import { EXPORT_HEADER, exportCells } from '../../domain/exports/export-columns.ts';
import type { ExportFormat } from '../../domain/exports/export.ts';
import { ivms101Entry } from '../../domain/exports/ivms101-entry.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';

/** Without `quoted_match` a line feed alone would not be quoted, since lines end with CR LF. */
const CSV: Options = { record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true };

/** How a file of a format is written, batch by batch. */
export interface ExportText {
  begin: string;
  /** The text of the next records; `isFirst` for those that come first. */
  batch: (records: readonly TransactionRecord[], isFirst: boolean) => Promise<string> | string;
  end: string;
}

export interface ExportTenant {
  name: string;
  /** The records as the api shows them, with what other tables say of them. */
  show: (records: readonly TransactionRecord[]) => Promise<object[]>;
}

/** The writer of a format. A cell of CSV that a spreadsheet would take for a formula gets an apostrophe in front. */
export function exportText(format: ExportFormat, { name, show }: ExportTenant): ExportText {
  if (format === 'CSV')
    return {
      begin: stringify([EXPORT_HEADER], CSV),
      batch: (records) => stringify(records.map(exportCells), CSV),
      end: '',
    };
  const entriesOf =
    format === 'JSON'
      ? show
      : (records: readonly TransactionRecord[]) => records.map((record) => ivms101Entry(record, name));
  return {
    begin: '[',
    batch: async (records, isFirst) => (isFirst ? '\n' : ',\n') + listed(await entriesOf(records)),
    end: '\n]\n',
  };
}

function listed(entries: readonly object[]): string {
  return entries.map((entry) => JSON.stringify(entry)).join(',\n');
}
