import { CSV_COLUMNS, REQUIRED_CSV_COLUMNS, rowFault, type CsvColumn, type CsvFault } from './csv-fault.ts';

type CsvHeader = { columns: CsvColumn[]; faults: [] } | { columns: null; faults: CsvFault[] };

const ROW = 1;
const EXPECTED = `the columns are ${CSV_COLUMNS.join(', ')}`;

/** Reads the header row. Case and surrounding spaces of column names do not matter. */
export function readCsvHeader(cells: readonly string[]): CsvHeader {
  if (cells.length === 1 && /[;\t|]/.test(cells[0] ?? '')) {
    return refused([rowFault(ROW, 'delimiter_invalid', 'Columns are separated by commas.')]);
  }
  const names = cells.map((cell) => columnOf(cell));
  const faults = [...names.flatMap((name, index) => columnFault(names, name, index)), ...missing(names)];
  return faults.length > 0
    ? refused(faults)
    : { columns: names.filter((name) => name !== undefined), faults: [] };
}

function refused(faults: CsvFault[]): CsvHeader {
  return { columns: null, faults };
}

function columnOf(cell: string): CsvColumn | undefined {
  const name = cell.trim().toLowerCase();
  return CSV_COLUMNS.find((column) => column === name);
}

/** The faults of one column. The message has its number, not its content, which is data if the header is missing. */
function columnFault(
  names: readonly (CsvColumn | undefined)[],
  name: CsvColumn | undefined,
  index: number,
): CsvFault[] {
  if (name === undefined) {
    return [rowFault(ROW, 'column_unknown', `Column ${index + 1} has no known name; ${EXPECTED}.`)];
  }
  if (names.indexOf(name) === index) return [];
  return [{ row: ROW, field: name, code: 'column_repeated', message: 'This column occurs twice.' }];
}

function missing(names: readonly (CsvColumn | undefined)[]): CsvFault[] {
  return REQUIRED_CSV_COLUMNS.filter((column) => !names.includes(column)).map((field) => ({
    row: ROW,
    field,
    code: 'column_missing',
    message: `The column ${field} is required; ${EXPECTED}.`,
  }));
}
