import { MAX_ROW_BYTES, rowFault, type RowFault } from '../../domain/row-fault.ts';
import { CSV_LIMITS, type CsvColumn } from '../../domain/wallets/wallet-file.ts';
import type { NewWallet } from '../../domain/wallets/wallet.ts';
import { csvRows } from '../csv-rows.ts';
import { decodeText } from '../decode-text.ts';
import { RowFaults } from '../row-faults.ts';
import { endingFault, unreadableTexts, type UnreadableTexts } from '../unreadable-file.ts';
import { readWalletHeader } from './wallet-header.ts';
import { readWalletRow } from './wallet-row.ts';

/** All wallets of a file, or its faults. `total` counts the rows, `wallets` has each wallet once. */
export type WalletFile =
  | { faults: null; total: number; wallets: NewWallet[] }
  | { faults: RowFault[]; total: number; wallets: null };

const NOT_UTF_8 = {
  code: 'encoding_invalid',
  message: 'The file must be UTF-8; it holds bytes that are not.',
};
const WRONG_QUOTES = { code: 'quotes_invalid', message: 'The quotes of this row do not match.' };
const TEXTS: UnreadableTexts = {
  ...unreadableTexts(NOT_UTF_8, WRONG_QUOTES),
  UTF_16: { code: 'encoding_invalid', message: 'The file must be UTF-8; it looks like UTF-16.' },
  ROW_TOO_LONG: { code: 'row_too_long', message: `A row has at most ${MAX_ROW_BYTES} bytes.` },
};

/** Reads a CSV file of wallets and checks every row. Reading ends at 1,000 faults, and where the file cannot be read on. */
export async function readWalletFile(chunks: AsyncIterable<Uint8Array>): Promise<WalletFile> {
  const reading = new WalletReading();
  const rules = { dialect: 'RFC_4180', maxRowLength: MAX_ROW_BYTES, countsBlankRows: true } as const;
  try {
    for await (const rows of csvRows(decodeText(chunks, 'UTF_8'), rules)) {
      for (const { cells, row } of rows) reading.take(cells, row);
      if (reading.isOver) break;
    }
  } catch (error) {
    reading.end(endingFault(error, TEXTS));
  }
  return reading.result();
}

/** The wallets and faults of the rows that have been read so far. */
class WalletReading {
  readonly #wallets = new Map<string, NewWallet>();
  readonly #faults = new RowFaults();
  #columns: CsvColumn[] | null = null;
  #total = 0;
  /** Set by a fault after which nothing more can be said. */
  #isEnded = false;

  get isOver(): boolean {
    return this.#isEnded || this.#faults.isFull;
  }

  take(cells: string[], row: number): void {
    if (this.isOver) return;
    if (this.#columns) this.#takeRow(this.#columns, cells, row);
    else this.#takeHeader(cells);
  }

  #takeHeader(cells: string[]): void {
    const { columns, faults } = readWalletHeader(cells);
    if (columns) this.#columns = columns;
    else this.end(...faults);
  }

  #takeRow(columns: CsvColumn[], cells: string[], row: number): void {
    this.#total += 1;
    if (this.#total > CSV_LIMITS.rows) {
      this.end(rowFault(row, 'too_many_rows', `A file has at most ${CSV_LIMITS.rows} rows.`));
      return;
    }
    const { wallet, faults } = readWalletRow(columns, cells, row);
    this.#faults.add(faults);
    if (!wallet) return;
    const key = keyOf(wallet);
    if (!this.#wallets.has(key)) this.#wallets.set(key, wallet);
  }

  /** Ends the reading for a reason that counts more than faults of single rows. */
  end(...faults: RowFault[]): void {
    this.#isEnded = true;
    this.#faults.addFirst(...faults);
  }

  result(): WalletFile {
    if (!this.#columns && this.#faults.isEmpty) {
      this.end(rowFault(null, 'header_missing', 'The file is empty; its first row names the columns.'));
    }
    if (!this.#faults.isEmpty) {
      return { faults: this.#faults.reported(), total: this.#total, wallets: null };
    }
    return { faults: null, total: this.#total, wallets: [...this.#wallets.values()] };
  }
}

/** What makes a wallet unique in a registry. */
function keyOf({ addressNormal, blockchainKey, asset, tag }: NewWallet): string {
  return JSON.stringify([addressNormal, blockchainKey, asset.toUpperCase(), tag ?? '']);
}
