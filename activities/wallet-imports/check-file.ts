import { isUtf8 } from 'node:buffer';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CsvError, parse, type Info, type Parser } from 'csv-parse';
import { CSV_LIMITS, rowFault, type CsvColumn, type CsvFault } from '../../domain/wallets/csv-fault.ts';
import { readCsvHeader } from '../../domain/wallets/csv-header.ts';
import { readCsvRow } from '../../domain/wallets/csv-row.ts';
import type { NewWallet } from '../../domain/wallets/wallet.ts';
import { LineTooLong, splitLines } from './split-lines.ts';

/** What a file says: all its wallets, or its faults. `total` counts the rows, `wallets` each wallet once. */
export type CheckedFile =
  | { faults: null; total: number; wallets: NewWallet[] }
  | { faults: CsvFault[]; total: number; wallets: null };

/** Reads a CSV file and checks every row; the first 1,000 faults are told, and what makes reading on pointless ends it. */
export async function checkFile(chunks: AsyncIterable<Buffer>): Promise<CheckedFile> {
  const reading = new Reading();
  const parser = openParser(reading);
  await feed(parser, reading, chunks);
  return reading.result();
}

/** What has been read so far. */
class Reading {
  readonly #wallets = new Map<string, NewWallet>();
  readonly #faults: CsvFault[] = [];
  #columns: CsvColumn[] | null = null;
  #row = 0;
  #total = 0;
  /** Set by a fault after which nothing more can be said. */
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver || this.#faults.length >= CSV_LIMITS.faults;
  }

  /** The last row that was read. */
  get row(): number {
    return this.#row;
  }

  take(cells: string[], row: number): void {
    this.#row = row;
    if (this.isOver) return;
    if (this.#columns) this.#takeRow(this.#columns, cells, row);
    else this.#takeHeader(cells);
  }

  #takeHeader(cells: string[]): void {
    const { columns, faults } = readCsvHeader(cells);
    if (columns) this.#columns = columns;
    else this.end(...faults);
  }

  #takeRow(columns: CsvColumn[], cells: string[], row: number): void {
    this.#total += 1;
    if (this.#total > CSV_LIMITS.rows) {
      this.end(rowFault(row, 'too_many_rows', `A file has at most ${CSV_LIMITS.rows} rows.`));
      return;
    }
    const { wallet, faults } = readCsvRow(columns, cells, row);
    this.#faults.push(...faults);
    if (!wallet) return;
    const key = keyOf(wallet);
    if (!this.#wallets.has(key)) this.#wallets.set(key, wallet);
  }

  /** Ends the reading for a reason that counts more than faults of single rows. */
  end(...faults: CsvFault[]): void {
    if (this.isOver) return;
    this.#isOver = true;
    this.#faults.unshift(...faults);
  }

  result(): CheckedFile {
    if (!this.#columns && this.#faults.length === 0) {
      this.end(rowFault(null, 'header_missing', 'The file is empty; its first row names the columns.'));
    }
    if (this.#faults.length > 0) {
      return { faults: this.#faults.slice(0, CSV_LIMITS.faults), total: this.#total, wallets: null };
    }
    return { faults: null, total: this.#total, wallets: [...this.#wallets.values()] };
  }
}

/** What makes a wallet unique in a registry. */
function keyOf({ addressNormal, blockchainKey, asset, tag }: NewWallet): string {
  return JSON.stringify([addressNormal, blockchainKey, asset.toUpperCase(), tag ?? '']);
}

function openParser(reading: Reading): Parser {
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: CSV_LIMITS.rowBytes,
    on_record: (cells: string[], info: Info) => {
      reading.take(cells, info.records + info.empty_lines);
      return null;
    },
  });
  parser.on('error', (error) => reading.end(parserFault(error, reading.row + 1)));
  // Records are taken as they are read; what is left is the end.
  parser.resume();
  return parser;
}

async function feed(parser: Parser, reading: Reading, chunks: AsyncIterable<Buffer>): Promise<void> {
  const ended = new Promise<void>((resolve) => parser.once('close', resolve));
  try {
    let isFirst = true;
    for await (const lines of splitLines(chunks, CSV_LIMITS.rowBytes)) {
      const fault = encodingFault(lines, isFirst);
      isFirst = false;
      if (fault) reading.end(fault);
      if (reading.isOver) break;
      await write(parser, lines);
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    reading.end(tooLong(reading.row + 1));
  }
  if (reading.isOver) parser.destroy();
  else parser.end();
  await ended;
}

/** Resolves when the parser has read the lines, whether it liked them or not. */
async function write(parser: Parser, lines: Buffer): Promise<void> {
  await new Promise<void>((resolve) => parser.write(lines, () => resolve()));
  await letOthersRun();
}

function encodingFault(lines: Buffer, isFirst: boolean): CsvFault | undefined {
  const [first, second] = lines;
  const isUtf16 = isFirst && ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff));
  if (!isUtf16 && isUtf8(lines)) return undefined;
  const found = isUtf16 ? 'it looks like UTF-16' : 'it holds bytes that are not';
  return rowFault(null, 'encoding_invalid', `The file must be UTF-8; ${found}.`);
}

/** The parser's own texts quote the file. */
function parserFault(error: Error, row: number): CsvFault {
  const code = error instanceof CsvError ? error.code : '';
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(row);
  return rowFault(row, 'quotes_invalid', 'The quotes of this row do not match.');
}

function tooLong(row: number): CsvFault {
  return rowFault(row, 'row_too_long', `A row has at most ${CSV_LIMITS.rowBytes} bytes.`);
}
