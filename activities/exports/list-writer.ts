import { stringify, type Options } from 'csv-stringify/sync';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { CsvColumns } from '../../domain/exports/resources/csv-columns.ts';
import type { ExportFormat } from '../../domain/exports/export.ts';
import type { ExportInput, ExportPiece, ExportWriter } from './export-writer.ts';

/**
 * Without `quoted_match` a line feed alone would not be quoted, since lines end with CR LF. A cell that a spreadsheet would take
 * for a formula gets an apostrophe in front.
 */
const CSV: Options = {
  record_delimiter: 'windows',
  quoted_match: /[\r\n]/,
  escape_formulas: true,
  cast: { boolean: String },
};

/** Shows items as members of a JSON list. */
type ShowItems<Item> = (
  items: readonly Item[],
  db: Database,
  input: ExportInput,
) => readonly object[] | Promise<readonly object[]>;

/** A resource whose files are lists of its records. */
interface ListedResource<Filter, Item extends object> {
  /** Reads the stored filter. */
  filter: z.ZodType<Filter>;
  read: (db: Database, tenantId: string, filter: Filter) => AsyncIterable<readonly Item[]>;
  columns: CsvColumns<Item>;
  /** By format, where it is more than the items as they are. */
  show?: Partial<Record<ExportFormat, ShowItems<Item>>>;
}

/** Writes the records of a resource, oldest first, as CSV or as a JSON list. */
export function listWriter<Filter, Item extends object>(
  resource: ListedResource<Filter, Item>,
): ExportWriter {
  const { filter, read, columns } = resource;
  const header = columns.map(([name]) => name);
  const itemsOf = (db: Database, input: ExportInput) => read(db, input.tenantId, filter.parse(input.filter));
  return {
    columnsOf: (format) => (format === 'CSV' ? header : null),
    pieces: (db, input) =>
      input.format === 'CSV' ? csvPieces(columns, itemsOf(db, input)) : jsonPieces(resource, db, input),
  };
}

async function* csvPieces<Item>(
  columns: CsvColumns<Item>,
  batches: AsyncIterable<readonly Item[]>,
): AsyncGenerator<ExportPiece> {
  yield { text: stringify([columns.map(([name]) => name)], CSV), rows: 0 };
  for await (const items of batches) {
    const lines = items.map((item) => columns.map(([, cell]) => cell(item)));
    yield { text: stringify(lines, CSV), rows: items.length };
  }
}

async function* jsonPieces<Filter, Item extends object>(
  { filter, read, show = {} }: ListedResource<Filter, Item>,
  db: Database,
  input: ExportInput,
): AsyncGenerator<ExportPiece> {
  const shown = show[input.format];
  let before = '[\n';
  for await (const items of read(db, input.tenantId, filter.parse(input.filter))) {
    const entries = shown ? await shown(items, db, input) : items;
    const text = before + entries.map((entry) => JSON.stringify(entry)).join(',\n');
    yield { text, rows: items.length };
    before = ',\n';
  }
  yield { text: before === ',\n' ? '\n]\n' : '[\n]\n', rows: 0 };
}
