import type { ListFormat } from '../../domain/sanctions-lists/list-format.ts';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import { UnreadableFile, type UnreadableReason } from '../unreadable-file.ts';
import { readEuXml } from './eu-xml.ts';
import { readFtmJsonl } from './ftm/ftm-jsonl.ts';
import { ListFault, type ListFaultCode } from './list-fault.ts';
import { FTM_LIMITS, LIST_LIMITS, type ListLimits } from './list-limits.ts';
import { readOfacCsv } from './ofac/ofac-csv.ts';
import { readOfacXml } from './ofac/ofac-xml.ts';
import type { ListFile } from './list-text.ts';
import { readOwnCsv } from './own-csv.ts';
import { ReadingState } from './reading-state.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUnXml } from './un-xml.ts';

/** What ends the reading of a file, as the operator of a list is told it. */
const FAULT_CODES: Readonly<Record<UnreadableReason, ListFaultCode>> = {
  ENCODING: 'ENCODING',
  UTF_16: 'ENCODING',
  CHARACTER_CUT_OFF: 'TRUNCATED',
  ROW_TOO_LONG: 'TOO_LARGE',
  QUOTE_NOT_CLOSED: 'TRUNCATED',
  MALFORMED: 'NOT_THIS_FORMAT',
};

export interface ListReading {
  /** Must be read once, to the end. May throw ListFault after some entries: then none of them counts. */
  entries: AsyncIterable<ListEntry>;
  /** Number of rows or subjects left out because they cannot be read; final once `entries` has ended. */
  faults(): number;
  /** Numbers of the first 20 unreadable rows or lines, counted from 1; empty for formats without rows. */
  faultRows(): readonly number[];
  /** `YYYY-MM-DD` or a timestamp as the file gives it; known once `entries` is at its end. */
  publishedAt(): string | undefined;
}

type ListReader = (files: readonly ListFile[], reading: ReadingState) => AsyncGenerator<ListEntry>;

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
  const reading = new ReadingState(code, {
    ...(format === 'FTM_JSONL' ? FTM_LIMITS : LIST_LIMITS),
    ...limits,
  });
  return {
    entries: checked(READERS[format](files, reading), reading),
    faults: () => reading.faults,
    faultRows: () => reading.faultRows,
    publishedAt: () => reading.publishedAt,
  };
}

function oneByOne(read: (file: ListFile, reading: ReadingState) => AsyncGenerator<ListEntry>): ListReader {
  return async function* (files, reading) {
    for (const file of files) yield* read(file, reading);
  };
}

/** Each id once, not too many of them, and not none. Throws ListFault. */
async function* checked(entries: AsyncIterable<ListEntry>, reading: ReadingState): AsyncGenerator<ListEntry> {
  const ids = new Set<string>();
  try {
    for await (const entry of entries) {
      if (ids.has(entry.sourceId)) {
        reading.fault();
        continue;
      }
      ids.add(entry.sourceId);
      if (ids.size > reading.limits.entries) throw new ListFault('TOO_LARGE');
      yield entry;
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? new ListFault(FAULT_CODES[error.reason]) : error;
  }
  if (ids.size === 0) throw new ListFault(reading.faults > 0 ? 'NOT_THIS_FORMAT' : 'EMPTY');
}
