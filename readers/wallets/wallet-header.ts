import { rowFault, type RowFault } from '../../domain/row-fault.ts';
import { CSV_COLUMNS, REQUIRED_CSV_COLUMNS, type CsvColumn } from '../../domain/wallets/wallet-file.ts';
import { matchColumns } from '../columns.ts';

type WalletHeader = { columns: CsvColumn[]; faults: [] } | { columns: null; faults: RowFault[] };

const ROW = 1;
const EXPECTED = `the columns are ${CSV_COLUMNS.join(', ')}`;

/** The columns of a file in the order of its first row; names in any case, spaces around them do not matter. */
export function readWalletHeader(cells: readonly string[]): WalletHeader {
  if (cells.length === 1 && /[;\t|]/.test(cells[0] ?? '')) {
    return refused([rowFault(ROW, 'delimiter_invalid', 'Columns are separated by commas.')]);
  }
  const names = matchColumns(cells, CSV_COLUMNS);
  const faults = [...names.flatMap((name, index) => columnFault(names, name, index)), ...missing(names)];
  return faults.length > 0
    ? refused(faults)
    : { columns: names.filter((name) => name !== undefined), faults: [] };
}

function refused(faults: RowFault[]): WalletHeader {
  return { columns: null, faults };
}

/** A header may be missing, and its place be taken by data: so columns are named by their place. */
function columnFault(
  names: readonly (CsvColumn | undefined)[],
  name: CsvColumn | undefined,
  index: number,
): RowFault[] {
  if (name === undefined) {
    return [rowFault(ROW, 'column_unknown', `Column ${index + 1} has no known name; ${EXPECTED}.`)];
  }
  if (names.indexOf(name) === index) return [];
  return [{ row: ROW, field: name, code: 'column_repeated', message: 'This column occurs twice.' }];
}

function missing(names: readonly (CsvColumn | undefined)[]): RowFault[] {
  return REQUIRED_CSV_COLUMNS.filter((column) => !names.includes(column)).map((field) => ({
    row: ROW,
    field,
    code: 'column_missing',
    message: `The column ${field} is required; ${EXPECTED}.`,
  }));
}
