import { MAX_ROW_BYTES, type RowFault } from '../../domain/row-fault.ts';
import { columnCountFault, matchColumns } from '../columns.ts';
import { csvRows } from '../csv-rows.ts';
import { decodeText } from '../decode-text.ts';
import { FileFault } from '../unreadable-file.ts';
import { readLabel, type LabelText, type ReadLabel } from './read-label.ts';

/** The columns of a file, and what they fill. The first three are required. */
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
const HEADER_ROW = 1;

/** The labels of a CSV file, row by row, with their faults. Throws UnreadableFile and FileFault. */
export async function* readLabelCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLabel[]> {
  const rules = { dialect: 'RFC_4180', maxRowLength: MAX_ROW_BYTES, countsBlankRows: true } as const;
  let columns: LabelColumn[] | undefined;
  for await (const rows of csvRows(decodeText(chunks, 'UTF_8'), rules)) {
    const labels: ReadLabel[] = [];
    for (const { cells, row } of rows) {
      if (columns) labels.push(readCells(columns, cells, row));
      else columns = readHeader(cells);
    }
    yield labels;
  }
  if (!columns) {
    throw new FileFault(null, 'header_missing', 'The file is empty; its first row names the columns.');
  }
}

function readHeader(cells: readonly string[]): LabelColumn[] {
  const names = matchColumns(cells, LABEL_COLUMNS);
  const expected = `The columns are ${LABEL_COLUMNS.join(', ')}`;
  if (names.includes(undefined)) throw new FileFault(HEADER_ROW, 'column_unknown', `${expected}.`);
  const known = names.filter((name) => name !== undefined);
  if (new Set(known).size < known.length) {
    throw new FileFault(HEADER_ROW, 'column_repeated', 'A column is there twice.');
  }
  const missing = REQUIRED.filter((column) => !known.includes(column));
  if (missing.length === 0) return known;
  throw new FileFault(HEADER_ROW, 'column_missing', `${expected}; missing: ${missing.join(', ')}.`);
}

function readCells(columns: readonly LabelColumn[], cells: readonly string[], row: number): ReadLabel {
  if (cells.length !== columns.length) {
    return { label: null, faults: [columnCountFault(row, cells, columns)] };
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

function withColumnName(fault: RowFault): RowFault {
  const column = LABEL_COLUMNS.find((name) => COLUMNS[name] === fault.field);
  return column ? { ...fault, field: column } : fault;
}
