import type { ListEntry } from '../list-entry.ts';
import { readEuXml } from './eu-xml.ts';
import { readFtmJsonl } from './ftm-jsonl.ts';
import { ListFault } from './list-fault.ts';
import type { ListFile } from './list-file.ts';
import { FTM_LIMITS, LIST_LIMITS, type ListLimits } from './list-limits.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readOwnCsv } from './own-csv.ts';
import { Reading } from './reading.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUnXml } from './un-xml.ts';

export { ListFault } from './list-fault.ts';
export type { ListFile } from './list-file.ts';

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

export interface ListReading {
  /** To be read once, to the end. Throws ListFault, also after entries were given: then none of them counts. */
  entries: AsyncIterable<ListEntry>;
  /** Rows or subjects left out because they cannot be read; whole once `entries` is at its end. */
  faults(): number;
  /** Where the first 20 of them stand, counted from 1, in formats that have rows or lines. */
  faultRows(): readonly number[];
  /** `YYYY-MM-DD` or a timestamp as the file gives it; known once `entries` is at its end. */
  publishedAt(): string | undefined;
}

type ListReader = (files: readonly ListFile[], reading: Reading) => AsyncGenerator<ListEntry>;

const READERS: Record<ListFormat, ListReader> = {
  OFAC_CSV: readOfacCsv,
  OFAC_XML: oneByOne(readOfacXml),
  UN_XML: oneByOne(readUnXml),
  EU_XML: oneByOne(readEuXml),
  UK_CSV: oneByOne(readUkCsv),
  FTM_JSONL: oneByOne(readFtmJsonl),
  CSV: oneByOne(readOwnCsv),
};

/** Reads the files of one list, once and in a stream; nothing is read before `entries` is. */
export function readList(
  format: ListFormat,
  code: string,
  files: readonly ListFile[],
  limits: Partial<ListLimits> = {},
): ListReading {
  const reading = new Reading(code, { ...(format === 'FTM_JSONL' ? FTM_LIMITS : LIST_LIMITS), ...limits });
  return {
    entries: checked(READERS[format](files, reading), reading),
    faults: () => reading.faults,
    faultRows: () => reading.faultRows,
    publishedAt: () => reading.publishedAt,
  };
}

function oneByOne(read: (file: ListFile, reading: Reading) => AsyncGenerator<ListEntry>): ListReader {
  return async function* (files, reading) {
    for (const file of files) yield* read(file, reading);
  };
}

/** Each id once, not too many of them, and not none. */
async function* checked(entries: AsyncIterable<ListEntry>, reading: Reading): AsyncGenerator<ListEntry> {
  const ids = new Set<string>();
  for await (const entry of entries) {
    if (ids.has(entry.sourceId)) {
      reading.fault();
      continue;
    }
    ids.add(entry.sourceId);
    if (ids.size > reading.limits.entries) throw new ListFault('TOO_LARGE');
    yield entry;
  }
  if (ids.size === 0) throw new ListFault(reading.faults > 0 ? 'NOT_THIS_FORMAT' : 'EMPTY');
}
