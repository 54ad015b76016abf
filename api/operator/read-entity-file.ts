import { Readable } from 'node:stream';
import { types } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import {
  IMPORT_COLUMNS,
  IMPORT_LIMITS,
  readImportCells,
  readImportValues,
  type ImportedEntity,
  type ImportFault,
} from '../../domain/entities/import-row.ts';
import { splitObjects, ValueFault } from './split-objects.ts';

/** Enough rows for one statement, few enough to stay small in memory. */
const BATCH_ROWS = 5_000;

interface EntityFileReading {
  /** For rows that name none. */
  source: string;
  now: Date;
  /** Takes checked entities; none are given any more once there was a fault. */
  take: (entities: ImportedEntity[]) => Promise<void>;
}

export interface ReadFile {
  total: number;
  faults: ImportFault[];
}

/**
 * Reads a file of entities, CSV with a header or JSON (an array, or one object per line), while it arrives. Every row is
 * checked; the first 1,000 faults are told, and what makes reading on pointless ends it.
 */
export async function readEntityFile(
  content: AsyncIterable<Buffer>,
  reading: EntityFileReading,
): Promise<ReadFile> {
  const rows = new Rows(reading);
  try {
    const text = decode(leaveOpen(content));
    const first = await text.next();
    const start = first.done ? '' : first.value;
    const rest = prepend(start, text);
    if (/^\s*[[{]/.test(start)) await readJson(rest, rows);
    else await readCsv(rest, rows);
    await rows.flush();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    rows.faults.unshift(error.fault);
  }
  if (rows.total === 0 && rows.faults.length === 0)
    rows.faults.push(fileFault('empty', 'The file has no rows.'));
  return { total: rows.total, faults: rows.faults };
}

/** A fault after which nothing more can be said. */
class FileFault extends Error {
  readonly fault: ImportFault;

  constructor(fault: ImportFault) {
    super(fault.code);
    this.fault = fault;
  }
}

function fileFault(code: string, message: string, row: number | null = null): ImportFault {
  return { row, field: null, code, message };
}

type CheckedRows = { entity: ImportedEntity; faults: [] } | { entity: null; faults: ImportFault[] };

/** What has been read so far. */
class Rows {
  readonly faults: ImportFault[] = [];
  readonly reading: EntityFileReading;
  total = 0;
  #batch: ImportedEntity[] = [];

  constructor(reading: EntityFileReading) {
    this.reading = reading;
  }

  async add({ entity, faults }: CheckedRows, row: number): Promise<void> {
    this.total += 1;
    if (this.total > IMPORT_LIMITS.rows) {
      const message = `A file has at most ${IMPORT_LIMITS.rows} entities.`;
      throw new FileFault(fileFault('too_many_rows', message, row));
    }
    this.faults.push(...faults);
    if (this.faults.length >= IMPORT_LIMITS.faults) {
      throw new FileFault(fileFault('too_many_faults', 'There are more faults than are told.', row));
    }
    if (entity && this.faults.length === 0) this.#batch.push(entity);
    if (this.#batch.length >= BATCH_ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length > 0 && this.faults.length === 0) await this.reading.take(batch);
  }
}

/** Who stops reading leaves the rest to whoever waits for the end of the form. */
async function* leaveOpen(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = content[Symbol.asyncIterator]();
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** UTF-8 only, without its mark. */
async function* decode(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of content) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!isEncodingError(error)) throw error;
    throw new FileFault(fileFault('encoding_invalid', 'The file must be UTF-8.'));
  }
}

function isEncodingError(error: unknown): boolean {
  return types.isNativeError(error) && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function readCsv(text: AsyncIterable<string>, rows: Rows): Promise<void> {
  const { source, now } = rows.reading;
  const parser = parse({
    skip_empty_lines: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: IMPORT_LIMITS.rowBytes,
  });
  const input = Readable.from(text);
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  let columns: string[] | undefined;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      if (columns) await rows.add(readImportCells(columns, cells, { row, source, now }), row);
      else columns = columnsOf(cells);
    }
  } catch (error) {
    // The parser's own texts quote the file.
    if (!(error instanceof CsvError)) throw error;
    const message = 'The row is too long, or its quotes do not match.';
    throw new FileFault(fileFault('row_invalid', message, Number(error['records'] ?? row) + 1));
  } finally {
    input.destroy();
  }
}

/** Names in any case, in any order. */
function columnsOf(cells: readonly string[]): string[] {
  const columns = cells.map((cell) => {
    const name = cell.trim().toLowerCase();
    return IMPORT_COLUMNS.find((column) => column.toLowerCase() === name) ?? '';
  });
  const unknown = columns.indexOf('');
  const known = `The columns are ${IMPORT_COLUMNS.join(', ')}.`;
  if (unknown >= 0) {
    throw new FileFault(fileFault('column_unknown', `Column ${unknown + 1} has no known name. ${known}`, 1));
  }
  if (new Set(columns).size < columns.length) {
    throw new FileFault(fileFault('column_repeated', 'A column is there twice.', 1));
  }
  const missing = ['name', 'type'].filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new FileFault(fileFault('column_missing', `Required: ${missing.join(', ')}. ${known}`, 1));
  }
  return columns;
}

async function readJson(text: AsyncIterable<string>, rows: Rows): Promise<void> {
  const { source, now } = rows.reading;
  let row = 0;
  try {
    for await (const value of splitObjects(text, IMPORT_LIMITS.rowBytes)) {
      row += 1;
      await rows.add(readImportValues(value, { row, source, now }), row);
    }
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    throw new FileFault(fileFault('json_invalid', 'This is not a list of JSON objects.', row + 1));
  }
}
