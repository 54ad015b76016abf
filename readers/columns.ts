import { rowFault, type RowFault } from '../domain/row-fault.ts';

/** The known columns that the cells of a header name, in any case; undefined for a cell that names none. */
export function matchColumns<Column extends string>(
  cells: readonly string[],
  columns: readonly Column[],
): (Column | undefined)[] {
  const byName = new Map(columns.map((column) => [column.toLowerCase(), column]));
  return cells.map((cell) => byName.get(cell.trim().toLowerCase()));
}

/** The fault of a row that has more or fewer cells than the header. */
export function columnCountFault(
  row: number,
  cells: readonly string[],
  columns: readonly string[],
): RowFault {
  return rowFault(row, 'column_count', `The row has ${cells.length} columns, the header ${columns.length}.`);
}
