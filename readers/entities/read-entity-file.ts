import {
  IMPORT_LIMITS,
  readImportValues,
  type CheckedEntity,
  type ImportedEntity,
} from '../../domain/entities/import-row.ts';
import { MAX_ROW_BYTES, rowFault, type RowFault } from '../../domain/row-fault.ts';
import { csvRows } from '../csv-rows.ts';
import { decodeText } from '../decode-text.ts';
import { RowFaults } from '../row-faults.ts';
import { splitObjects } from '../split-objects.ts';
import { endingFault, FileFault, unreadableTexts } from '../unreadable-file.ts';
import { readEntityCells, readEntityHeader } from './entity-cells.ts';

/** Enough rows for one statement, few enough to stay small in memory. */
const BATCH_ROWS = 5_000;

interface EntityReading {
  /** For rows that name none. */
  source: string;
  now: Date;
  /** Takes checked entities; none are given any more once there was a fault. */
  take: (entities: ImportedEntity[]) => Promise<void>;
}

export interface ReadEntities {
  total: number;
  faults: RowFault[];
}

const NOT_UTF_8 = { code: 'encoding_invalid', message: 'The file must be UTF-8.' };
const CSV_TEXTS = unreadableTexts(NOT_UTF_8, {
  code: 'row_invalid',
  message: 'The row is too long, or its quotes do not match.',
});
const JSON_TEXTS = unreadableTexts(NOT_UTF_8, {
  code: 'json_invalid',
  message: 'This is not a list of JSON objects.',
});

/**
 * Reads a file of entities, CSV with a header or JSON (an array, or one object per line), while it arrives, and checks every
 * row. Reading ends at 1,000 faults, and where the file cannot be read on.
 */
export async function readEntityFile(
  content: AsyncIterable<Uint8Array>,
  reading: EntityReading,
): Promise<ReadEntities> {
  const rows = new EntityRows(reading);
  const text = decodeText(leaveOpen(content), 'UTF_8');
  let isJson = false;
  try {
    const first = await text.next();
    const start = first.done ? '' : first.value;
    isJson = /^\s*[[{]/.test(start);
    await (isJson ? readJson : readCsv)(prepend(start, text), rows);
    await rows.flush();
  } catch (error) {
    rows.faults.addFirst(endingFault(error, isJson ? JSON_TEXTS : CSV_TEXTS));
  }
  if (rows.total === 0 && rows.faults.isEmpty) {
    rows.faults.addFirst(rowFault(null, 'empty', 'The file has no rows.'));
  }
  return { total: rows.total, faults: rows.faults.reported() };
}

/** The rows that have been read so far: their number, their faults, and entities that are still to be taken. */
class EntityRows {
  readonly faults = new RowFaults();
  readonly reading: EntityReading;
  total = 0;
  #batch: ImportedEntity[] = [];

  constructor(reading: EntityReading) {
    this.reading = reading;
  }

  async add({ entity, faults }: CheckedEntity, row: number): Promise<void> {
    this.total += 1;
    if (this.total > IMPORT_LIMITS.rows) {
      throw new FileFault(row, 'too_many_rows', `A file has at most ${IMPORT_LIMITS.rows} entities.`);
    }
    this.faults.add(faults);
    if (this.faults.isFull) {
      throw new FileFault(row, 'too_many_faults', 'There are more faults than are listed.');
    }
    if (entity && this.faults.isEmpty) this.#batch.push(entity);
    if (this.#batch.length >= BATCH_ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length > 0 && this.faults.isEmpty) await this.reading.take(batch);
  }
}

/** The content, left open by a reader that stops early: what waits for the end of the form takes the rest. */
async function* leaveOpen(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function readCsv(text: AsyncIterable<string>, rows: EntityRows): Promise<void> {
  const { source, now } = rows.reading;
  const rules = { dialect: 'RFC_4180', maxRowLength: MAX_ROW_BYTES, countsBlankRows: false } as const;
  let columns: string[] | undefined;
  for await (const arrived of csvRows(text, rules)) {
    for (const { cells, row } of arrived) {
      if (columns) await rows.add(readEntityCells(columns, cells, { row, source, now }), row);
      else columns = readEntityHeader(cells);
    }
  }
}

async function readJson(text: AsyncIterable<string>, rows: EntityRows): Promise<void> {
  const { source, now } = rows.reading;
  let row = 0;
  for await (const value of splitObjects(text, MAX_ROW_BYTES)) {
    row += 1;
    await rows.add(readImportValues(value, { row, source, now }), row);
  }
}
