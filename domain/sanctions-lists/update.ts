import type { ListFormat } from './list-format.ts';
import { sha256 } from '../sha256.ts';

/** Raised with every change of the readers that makes another entry of the same bytes: files are then read anew. */
export const PARSER_VERSION = '1';

/** Files of one upload at most: the parts of an OFAC list. */
export const MAX_FILES = 4;
/** Larger ones are refused, whether uploaded or fetched: four times the largest list there is. */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024;

export type UpdateSource = 'UPLOAD' | 'FETCH' | 'BUNDLED' | 'ROLLBACK';

/** What became of a file: `LOST` when its pieces were gone before they were read, `FAILED` when it was given up. */
export type UpdateOutcome = 'ACTIVATED' | 'UNCHANGED' | 'REJECTED' | 'UNREADABLE' | 'LOST' | 'FAILED';

/** What the last look at a publisher's address has brought. */
export type CheckOutcome = 'ACTIVATED' | 'UNCHANGED' | 'REJECTED' | 'UNREADABLE' | 'FETCH_FAILED';

/** How many files a list of this format has at most. */
export function maxFilesOf(format: ListFormat): number {
  return format === 'OFAC_CSV' ? MAX_FILES : 1;
}

/** One hash for all files, by their order; of a single file its own SHA-256. */
export function hashOfFiles(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (first && hashes.length === 1) return first;
  return sha256(Buffer.concat(hashes));
}

/** What a publisher wants to hear to answer "not modified"; null where it said nothing of the kind. */
export interface Validator {
  url: string;
  etag: string | null;
  lastModified: string | null;
}
