import { parse, type Info } from 'csv-parse';
import { decodeFile } from './decode-file.ts';
import { LABEL_FILE_LIMITS, UnreadableFile, type LabelFault } from './label-fault.ts';
import { readLabel, type LabelText, type ReadLabel } from './read-label.ts';

/** The columns of a file, and what they fill. The first three it must have. */
const COLUMNS = {
  address: 'address',
  label: 'label',
  type: 'type',
  blockchain: 'blockchain',
  entity: 'entityId',
  entityName: 'entityName',
  confidence: 'confidence',
  lastModified: 'lastModified',
  reference: 'reference',
} as const satisfies Record<string, keyof LabelText>;
type LabelColumn = keyof typeof COLUMNS;
const LABEL_COLUMNS = Object.keys(COLUMNS) as LabelColumn[];
const REQUIRED = LABEL_COLUMNS.slice(0, 3);

/** The labels of a CSV file, row by row, with their faults. Throws UnreadableFile where reading on is pointless. */
export async function* readLabelCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLabel[]> {
  let columns: LabelColumn[] | undefined;
  for await (const rows of csvRows(chunks)) {
    const labels: ReadLabel[] = [];
    for (const { cells, row } of rows) {
      if (columns) labels.push(readCells(columns, cells, row));
      else columns = readHeader(cells);
    }
    yield labels;
  }
  if (!columns)
    throw new UnreadableFile(null, 'header_missing', 'The file is empty; its first row names the columns.');
}

interface CsvRow {
  cells: string[];
  /** The header is 1. */
  row: number;
}

/** The rows of a CSV file as they arrive: taken in the parser's own call, since a stream of rows takes as long again. */
async function* csvRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  let rows: CsvRow[] = [];
  let last = 0;
  let isBroken = false;
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: LABEL_FILE_LIMITS.rowBytes,
    on_record: (cells: string[], info: Info) => {
      last = info.records + info.empty_lines;
      rows.push({ cells, row: last });
      return null;
    },
  });
  parser.on('error', () => {
    isBroken = true;
  });
  parser.resume();
  const ended = new Promise<void>((resolve) => parser.once('close', resolve));
  for await (const text of decodeFile(chunks)) {
    await new Promise<void>((resolve) => parser.write(text, () => resolve()));
    yield rows;
    rows = [];
    // The parser's own message repeats what stands in the file.
    if (isBroken) throw malformed(last + 1);
  }
  parser.end();
  await ended;
  yield rows;
  if (isBroken) throw malformed(last + 1);
}

function malformed(row: number): UnreadableFile {
  return new UnreadableFile(row, 'csv_malformed', 'From this row on the file is no CSV.');
}

function readHeader(cells: readonly string[]): LabelColumn[] {
  const names = cells.map((cell) => {
    const folded = cell.trim().toLowerCase();
    return LABEL_COLUMNS.find((column) => column.toLowerCase() === folded);
  });
  const expected = `The columns are ${LABEL_COLUMNS.join(', ')}`;
  if (names.includes(undefined)) throw new UnreadableFile(1, 'column_unknown', `${expected}.`);
  const known = names.filter((name) => name !== undefined);
  if (new Set(known).size < known.length)
    throw new UnreadableFile(1, 'column_repeated', 'A column is there twice.');
  const missing = REQUIRED.filter((column) => !known.includes(column));
  if (missing.length === 0) return known;
  throw new UnreadableFile(1, 'column_missing', `${expected}; missing: ${missing.join(', ')}.`);
}

function readCells(columns: readonly LabelColumn[], cells: readonly string[], row: number): ReadLabel {
  if (cells.length !== columns.length) {
    const message = `The row has ${cells.length} columns, the header ${columns.length}.`;
    return { label: null, faults: [{ row, field: null, code: 'column_count', message }] };
  }
  const text: LabelText = {
    address: null,
    blockchain: null,
    label: null,
    type: null,
    entityId: null,
    entityName: null,
    confidence: null,
    lastModified: null,
    reference: null,
  };
  columns.forEach((column, index) => {
    text[COLUMNS[column]] = cells[index]?.trim() || null;
  });
  const read = readLabel(text, row);
  return read.label ? read : { label: null, faults: read.faults.map(withColumnName) };
}

function withColumnName(fault: LabelFault): LabelFault {
  const column = LABEL_COLUMNS.find((name) => COLUMNS[name] === fault.field);
  return column ? { ...fault, field: column } : fault;
}
