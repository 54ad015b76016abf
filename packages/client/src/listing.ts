import { WaybillError } from './problems.ts';

/** The largest page of the API. */
const PAGE_ITEMS = 100;

interface ListedPage<T> {
  items: T[];
  /** The number of all matching items; undefined if it was not counted. */
  total: number | undefined;
}

/** Reads the items from `start` (inclusive, from 0) to `end` (exclusive). */
export type ReadPage<T> = (range: {
  start: number;
  end: number;
  isCounted: boolean;
}) => Promise<ListedPage<T>>;

/**
 * A list that is read page by page while it is iterated: `for await (const item of listing)`. What is created or deleted
 * meanwhile shifts the pages; oldest first (`_order: 'ASC'`), new items come at the end and nothing is seen twice.
 */
export class Listing<T> implements AsyncIterable<T> {
  readonly #read: ReadPage<T>;

  constructor(read: ReadPage<T>) {
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page;
  }

  /** The pages of at most `items` items each. Throws RangeError unless that is 1 to 100. */
  async *pages(items: number = PAGE_ITEMS): AsyncGenerator<T[], void, undefined> {
    if (!(items >= 1 && items <= PAGE_ITEMS)) throw new RangeError(`A page has 1 to ${PAGE_ITEMS} items.`);
    for (let start = 0; ; start += items) {
      const page = await this.#read({ start, end: start + items, isCounted: false });
      if (page.items.length > 0) yield page.items;
      if (page.items.length < items) return;
    }
  }

  /** The first items, at most `count`, from 1. */
  async first(count: number): Promise<T[]> {
    const found: T[] = [];
    for await (const page of this.pages(Math.min(count, PAGE_ITEMS))) {
      found.push(...page);
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  /** The number of all matching items. Throws WaybillError for a list that the API does not count. */
  async count(): Promise<number> {
    const { total } = await this.#read({ start: 0, end: 1, isCounted: true });
    if (total === undefined) throw new WaybillError('The API does not count this list.');
    return total;
  }
}
