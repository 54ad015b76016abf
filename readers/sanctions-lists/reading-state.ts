import { ListFault } from './list-fault.ts';
import type { ListLimits } from './list-limits.ts';

/** One reading of one list: what its readers share and what they leave behind beside the entries. */
export class ReadingState {
  readonly list: string;
  readonly limits: ListLimits;
  /** Rows, lines or subjects that were left out. */
  faults = 0;
  /** Where the first of them stand, counted from 1, in formats that have rows. */
  readonly faultRows: number[] = [];
  publishedAt: string | undefined;
  #bytes = 0;
  #held = 0;

  constructor(list: string, limits: ListLimits) {
    this.list = list;
    this.limits = limits;
  }

  fault(row?: number): void {
    this.faults++;
    if (row !== undefined && this.faultRows.length < MOST_FAULT_ROWS) this.faultRows.push(row);
  }

  /** Counts bytes of any file of the list. */
  read(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.limits.bytes) throw new ListFault('TOO_LARGE');
  }

  /** Counts what stays in memory until the end: a text of this length and what the engine needs to keep it. */
  hold(length: number): void {
    this.#held += length + OVERHEAD_OF_A_TEXT;
    if (this.#held > this.limits.held) throw new ListFault('TOO_LARGE');
  }

  /** Counts an entry that stays in memory until the end, beside its texts. */
  holdEntry(): void {
    this.hold(OVERHEAD_OF_AN_ENTRY);
  }
}

/** What the lists and maps of an entry take beside its texts, measured on entries of one name each. */
const OVERHEAD_OF_AN_ENTRY = 2000;
const MOST_FAULT_ROWS = 20;
const OVERHEAD_OF_A_TEXT = 100;
