import { CsvError, parse, type Info, type Options, type Parser } from 'csv-parse';
import { UnreadableFile, type UnreadableReason } from './unreadable-file.ts';

interface CsvRow {
  cells: string[];
  /** Counted from 1, which is the header. */
  row: number;
}

interface CsvRules {
  /** LENIENT takes quotes inside a cell and any line ends, and cuts the blanks around cells. */
  dialect: keyof typeof DIALECTS;
  /** Longest row, in characters. */
  maxRowLength: number;
  /** Whether a blank row, which is never given, has a number, as it has in a spreadsheet. */
  countsBlankRows: boolean;
}

const DIALECTS = {
  RFC_4180: { record_delimiter: ['\r\n', '\n'] },
  LENIENT: { relax_quotes: true, trim: true },
} satisfies Record<string, Options>;

/**
 * The rows of a CSV file as its text arrives, those of one piece of text together; a row may have any number of cells.
 * Throws UnreadableFile: ROW_TOO_LONG, QUOTE_NOT_CLOSED, MALFORMED.
 */
export async function* csvRows(text: AsyncIterable<string>, rules: CsvRules): AsyncGenerator<CsvRow[]> {
  const reader = new CsvReader(rules);
  try {
    for await (const piece of text) {
      await reader.write(piece);
      yield reader.takeRows();
      reader.requireReadable();
    }
    await reader.end();
    yield reader.takeRows();
    reader.requireReadable();
  } finally {
    reader.close();
  }
}

class CsvReader {
  readonly #maxRowLength: number;
  readonly #parser: Parser;
  #rows: CsvRow[] = [];
  #lastRow = 0;
  #error: Error | undefined;
  /** Characters that were written since a row or a blank line ended. */
  #openLength = 0;

  constructor({ dialect, maxRowLength, countsBlankRows }: CsvRules) {
    this.#maxRowLength = maxRowLength;
    this.#parser = parse({
      ...DIALECTS[dialect],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRowLength,
      // Taken in the parser's own call: a stream of rows takes as long again.
      on_record: (cells: string[], info: Info) => {
        this.#lastRow = countsBlankRows ? endedLines(info) : info.records;
        this.#rows.push({ cells, row: this.#lastRow });
        return null;
      },
    });
    this.#parser.on('error', (error) => (this.#error = error));
    // Nothing but its end comes out of it, and only when it is read.
    this.#parser.resume();
  }

  /** Resolves when the parser has read the piece, whether it liked it or not. */
  async write(piece: string): Promise<void> {
    const ended = endedLines(this.#parser.info);
    await new Promise<void>((resolve) => this.#parser.write(piece, () => resolve()));
    this.#openLength = endedLines(this.#parser.info) > ended ? 0 : this.#openLength + piece.length;
  }

  async end(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#parser.once('close', resolve));
    this.#parser.end();
    await closed;
  }

  close(): void {
    this.#parser.destroy();
  }

  takeRows(): CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Throws UnreadableFile when the row after the last one cannot be read. */
  requireReadable(): void {
    // The parser counts cells only: without this a row of nothing but commas would have no end.
    if (this.#openLength > this.#maxRowLength) throw new UnreadableFile('ROW_TOO_LONG', this.#lastRow + 1);
    if (this.#error) throw new UnreadableFile(reasonOf(this.#error), this.#lastRow + 1);
  }
}

/** Rows and blank lines. */
function endedLines({ records, empty_lines }: Info): number {
  return records + empty_lines;
}

/** The parser's own texts quote the file. Throws what is no fault of the file. */
function reasonOf(error: Error): UnreadableReason {
  if (!(error instanceof CsvError)) throw error;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return 'ROW_TOO_LONG';
  return error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'QUOTE_NOT_CLOSED' : 'MALFORMED';
}
