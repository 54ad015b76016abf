import type { ListEntry } from '../list-entry.ts';
import { ListFault } from './list-fault.ts';

export { ListFault } from './list-fault.ts';

export const LIST_FORMATS = [
  'OFAC_CSV',
  'OFAC_XML',
  'UN_XML',
  'EU_XML',
  'UK_CSV',
  'FTM_JSONL',
  'CSV',
] as const;

export type ListFormat = (typeof LIST_FORMATS)[number];

/** `name` matters to OFAC_CSV alone, where it tells the four files apart. */
export interface ListFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

export interface ListReading {
  /** To be read once, to the end. Throws ListFault, also after entries were given: then none of them counts. */
  entries: AsyncIterable<ListEntry>;
  /** Rows or subjects left out because they cannot be read; whole once `entries` is at its end. */
  faults(): number;
  /** `YYYY-MM-DD` or a timestamp as the file gives it; known once `entries` is at its end. */
  publishedAt(): string | undefined;
}

/** Reads the files of one list, once and in a stream; nothing is read before `entries` is. */
export function readList(format: ListFormat, code: string, files: readonly ListFile[]): ListReading {
  void [format, code, files];
  return { entries: nothingYet(), faults: () => 0, publishedAt: () => undefined };
}

// oxlint-disable-next-line require-yield
async function* nothingYet(): AsyncGenerator<ListEntry> {
  await Promise.resolve();
  throw new ListFault('EMPTY');
}
