import {
  IMPORT_COLUMNS,
  readImportValues,
  type CheckedEntity,
  type ImportContext,
} from '../../domain/entities/import-row.ts';
import { columnCountFault, matchColumns } from '../columns.ts';
import { FileFault } from '../unreadable-file.ts';

const HEADER_ROW = 1;
const REQUIRED = ['name', 'type'];
/** Columns whose cells hold several values. */
const LISTS = new Set(['aliases', 'countries', 'emailDomains', 'networks']);

/** The columns of a file in the order of its header; names in any case. Throws FileFault. */
export function readEntityHeader(cells: readonly string[]): string[] {
  const columns = matchColumns(cells, IMPORT_COLUMNS);
  const known = `The columns are ${IMPORT_COLUMNS.join(', ')}.`;
  const unknown = columns.indexOf(undefined);
  if (unknown >= 0) {
    const message = `Column ${unknown + 1} has no known name. ${known}`;
    throw new FileFault(HEADER_ROW, 'column_unknown', message);
  }
  if (new Set(columns).size < columns.length) {
    throw new FileFault(HEADER_ROW, 'column_repeated', 'A column is there twice.');
  }
  const missing = REQUIRED.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new FileFault(HEADER_ROW, 'column_missing', `Required: ${missing.join(', ')}. ${known}`);
  }
  return columns.filter((column) => column !== undefined);
}

/** The entity of a row of CSV; an empty cell is no value, several values of a cell are joined by `;`. */
export function readEntityCells(
  columns: readonly string[],
  cells: readonly string[],
  context: ImportContext,
): CheckedEntity {
  if (cells.length !== columns.length) {
    return { entity: null, faults: [columnCountFault(context.row, cells, columns)] };
  }
  const values: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    const cell = cells[index]?.trim();
    if (cell) values[column] = valueOf(column, cell);
  });
  return readImportValues(values, context);
}

function valueOf(column: string, cell: string): unknown {
  if (LISTS.has(column)) {
    return cell
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  return column === 'riskScore' && /^\d{1,3}$/.test(cell) ? Number(cell) : cell;
}
