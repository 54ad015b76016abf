import { toRefusal, type RowPage, type Refusal, type RowRange } from './exchange.ts';

/** Rows of one request; the API answers at most 100. */
const BLOCK = 100;

/** The rows of a list of any length: those that were looked at are read, block by block. */
export class PagedRows<Row> {
  /** Undefined until the first answer. */
  total: number | undefined;
  refusal: Refusal | undefined;
  readonly #read: (range: RowRange) => Promise<RowPage<Row>>;
  readonly #changed: () => void;
  #blocks = new Map<number, readonly Row[]>();
  #asked = new Set<number>();
  #seen: RowRange = { start: 0, end: 1 };

  constructor(read: (range: RowRange) => Promise<RowPage<Row>>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  at(index: number): Row | undefined {
    return this.#blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK];
  }

  /** Reads what is missing of the rows that are seen now. */
  see(range: RowRange): void {
    this.#seen = range;
    for (const block of this.#seenBlocks()) if (!this.#asked.has(block)) void this.#ask(block);
  }

  /** Reads the rows that are seen anew; the others when they are seen again. The old ones stay until the answer. */
  async again(): Promise<void> {
    const seen = this.#seenBlocks();
    for (const block of this.#blocks.keys()) if (!seen.includes(block)) this.#blocks.delete(block);
    this.#asked.clear();
    await Promise.all(seen.map(async (block) => await this.#ask(block)));
  }

  /** The index of a row among those that are read. */
  indexOf(isWanted: (row: Row) => boolean): number {
    for (const [block, rows] of this.#blocks) {
      const at = rows.findIndex(isWanted);
      if (at >= 0) return block * BLOCK + at;
    }
    return -1;
  }

  /** All rows that are read, in order. */
  known(): Row[] {
    return [...this.#blocks].toSorted(([one], [other]) => one - other).flatMap(([, rows]) => rows);
  }

  #seenBlocks(): number[] {
    const first = Math.floor(this.#seen.start / BLOCK);
    const last = Math.floor(Math.max(this.#seen.start, this.#seen.end - 1) / BLOCK);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }

  async #ask(block: number): Promise<void> {
    this.#asked.add(block);
    try {
      const { rows, total } = await this.#read({ start: block * BLOCK, end: (block + 1) * BLOCK });
      this.#blocks.set(block, rows);
      this.total = total;
      this.refusal = undefined;
    } catch (error) {
      this.#asked.delete(block);
      this.refusal = toRefusal(error);
    }
    this.#changed();
  }
}
