import type { ListFormat } from './list-format.ts';
import { sha256 } from '../sha256.ts';

/** Raised with every change of the readers that changes entries of the same file: files are then read again. */
export const PARSER_VERSION = '1';

/** Maximum number of files in one upload: the parts of an OFAC list. */
export const MAX_FILES = 4;
/** Maximum size of a file, uploaded or fetched: four times the largest existing list. */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024;

export type UpdateSource = 'UPLOAD' | 'FETCH' | 'BUNDLED' | 'ROLLBACK';

/** The result of an update. `LOST`: the file's parts were deleted before they were read. `FAILED`: it was abandoned. */
export type UpdateOutcome = 'ACTIVATED' | 'UNCHANGED' | 'REJECTED' | 'UNREADABLE' | 'LOST' | 'FAILED';

/** The result of the last fetch from a publisher. */
export type CheckOutcome = 'ACTIVATED' | 'UNCHANGED' | 'REJECTED' | 'UNREADABLE' | 'FETCH_FAILED';

/** Maximum number of files of a list in this format. */
export function maxFilesOf(format: ListFormat): number {
  return format === 'OFAC_CSV' ? MAX_FILES : 1;
}

/** One hash for all files in order: for a single file its own SHA-256, otherwise the SHA-256 of their hashes. */
export function hashOfFiles(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (first && hashes.length === 1) return first;
  return sha256(Buffer.concat(hashes));
}

/** The validators of a conditional HTTP request (RFC 9110 13.1); null if the publisher sent none. */
export interface HttpValidator {
  url: string;
  etag: string | null;
  lastModified: string | null;
}
