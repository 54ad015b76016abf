import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { columnNames, type Column } from './columns.ts';

/** Some hundred rows travel together: a write per row would cost more than the row. */
const ROWS_PER_WRITE = 200;
/** A server that reads fast lets the stream write without end, and nothing else of the process would come in between. */
const WRITES_PER_TURN = 25;

/** Copies rows into a table as they are made; other work of the process comes in between. */
export async function copyRows<T>(
  client: pg.ClientBase,
  table: string,
  columns: readonly Column<T>[],
  rows: Iterable<T>,
): Promise<void> {
  const target = client.query(copyFrom(`copy ${table} (${columnNames(columns)}) from stdin`));
  await pipeline(Readable.from(writes(columns, rows)), target);
}

async function* writes<T>(columns: readonly Column<T>[], rows: Iterable<T>): AsyncGenerator<string> {
  let lines: string[] = [];
  let written = 0;
  for (const row of rows) {
    lines.push(`${columns.map((column) => copyText(column.value(row))).join('\t')}\n`);
    if (lines.length < ROWS_PER_WRITE) continue;
    yield lines.join('');
    lines = [];
    written += 1;
    if (written % WRITES_PER_TURN === 0) await nextTurn();
  }
  if (lines.length > 0) yield lines.join('');
}

const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in the text form of COPY. Throws TypeError for an object of which its column has not made a text. */
function copyText(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string')
    return value.replaceAll(/[\\\t\n\r]/g, (special) => ESCAPED[special] ?? special);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return `${value}`;
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  throw new TypeError('COPY takes texts, numbers, booleans, times and bytes.');
}
