import type { ListEntry } from '../domain/sanctions/list-entry.ts';
import { buildIndex, type SanctionsIndex } from '../domain/sanctions/sanctions-index.ts';
import type { SanctionsQuery } from '../domain/sanctions/sanctions-query.ts';
import { search, type SearchOptions } from '../domain/sanctions/search.ts';
import type { FoundMatch } from '../domain/sanctions-screening/found-match.ts';

/** An entry as stored, with the version of its list. */
export interface ListedEntry {
  entry: ListEntry;
  rowHash: Buffer;
  version: number;
}

/** A search for one name. */
export interface NameSearch {
  query: SanctionsQuery;
  options: SearchOptions;
}

/** The fields that every search reads; the rest of an entry stays text until the entry is matched. */
interface LeanEntry extends ListEntry {
  number: number;
}

/** An index that returns whole entries. It holds each entry as text, which needs a quarter of the memory of its objects. */
export class ListedIndex {
  readonly #index: SanctionsIndex;
  readonly #stored: readonly StoredText[];

  constructor(lean: readonly LeanEntry[], stored: readonly StoredText[]) {
    this.#index = buildIndex(lean);
    this.#stored = stored;
  }

  search({ query, options }: NameSearch): FoundMatch[] {
    return search(this.#index, query, options).map(({ entry, ...match }) => ({
      ...match,
      ...this.#whole((entry as LeanEntry).number),
    }));
  }

  #whole(number: number): Pick<FoundMatch, 'entry' | 'entryHash' | 'version'> {
    const { text, rowHash, version } = this.#stored[number] as StoredText;
    return { entry: JSON.parse(text.toString()) as ListEntry, entryHash: rowHash.toString('hex'), version };
  }
}

interface StoredText {
  /** JSON in UTF-8, outside of the garbage-collected heap. */
  text: Buffer;
  rowHash: Buffer;
  version: number;
}

/** Takes entries one by one; their order is the order of equal matches in results. */
export class ListedIndexBuilder {
  readonly #lean: LeanEntry[] = [];
  readonly #stored: StoredText[] = [];

  add({ entry, rowHash, version }: ListedEntry): void {
    const number = this.#stored.push({ text: Buffer.from(JSON.stringify(entry)), rowHash, version }) - 1;
    const { list, sourceId, type, names, birthDates, gender, countries, identifiers } = entry;
    this.#lean.push({
      list,
      sourceId,
      type,
      names,
      birthDates,
      birthPlaces: [],
      countries,
      identifiers,
      wallets: [],
      programs: [],
      ...(gender && { gender }),
      number,
    });
  }

  build(): ListedIndex {
    return new ListedIndex(this.#lean, this.#stored);
  }
}
