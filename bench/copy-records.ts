import type pg from 'pg';
import { copyRows, type CopyValue } from '../db/copy-rows.ts';
import type { Column } from '../db/columns.ts';

/** Copies records into a table by the columns with which the product inserts them. */
export async function copyRecords<T>(
  client: pg.Client,
  table: string,
  columns: readonly Column<T>[],
  records: Iterable<T>,
): Promise<void> {
  const names = columns.map((column) => column.name);
  await copyRows(client, table, names, rowsOf(columns, records));
}

function* rowsOf<T>(columns: readonly Column<T>[], records: Iterable<T>): Generator<CopyValue[]> {
  for (const record of records) yield columns.map((column) => copyValue(column.value(record)));
}

/** What is neither text, time nor bytes is given to COPY as PostgreSQL reads it: numbers, booleans, JSON. */
function copyValue(value: unknown): CopyValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || value instanceof Date || Buffer.isBuffer(value)) return value;
  return JSON.stringify(value);
}
