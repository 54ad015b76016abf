import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { projectRoot } from '../../../standalone/project-root.ts';
import type { ListEntry } from '../../../domain/sanctions/list-entry.ts';
import type { ListLimits } from '../../../readers/sanctions-lists/list-limits.ts';
import type { ListFormat } from '../../../domain/sanctions-lists/list-format.ts';
import { ListFault } from '../../../readers/sanctions-lists/list-fault.ts';
import { readList } from '../../../readers/sanctions-lists/read-list.ts';

/** A file of bytes or text, given in pieces of this many bytes. */
export interface GivenFile {
  name?: string;
  content: Uint8Array | string;
  piece?: number;
}

interface Outcome {
  entries: ListEntry[];
  faults: number;
  faultRows: readonly number[];
  publishedAt: string | undefined;
  /** The code of the fault that ended the reading. */
  fault: string | undefined;
}

/** Reads to the end or to a ListFault; any other error is thrown. */
export async function readAll(
  format: ListFormat,
  files: readonly (GivenFile | string | Uint8Array)[],
  limits: Partial<ListLimits> = {},
): Promise<Outcome> {
  const given = files.map((file) =>
    typeof file === 'string' || file instanceof Uint8Array ? { content: file } : file,
  );
  const reading = readList(
    format,
    'TEST',
    given.map((file) => ({ name: file.name ?? 'list', content: inPieces(file) })),
    limits,
  );
  const entries: ListEntry[] = [];
  let fault: string | undefined;
  try {
    for await (const entry of reading.entries) entries.push(entry);
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    fault = error.code;
  }
  return {
    entries,
    faults: reading.faults(),
    faultRows: reading.faultRows(),
    publishedAt: reading.publishedAt(),
    fault,
  };
}

export function sample(name: string): Buffer {
  return readFileSync(join(projectRoot, 'test', 'readers', 'sanctions-lists', 'samples', name));
}

function inPieces({ content, piece = 65_536 }: GivenFile): Readable {
  const bytes = Buffer.from(content);
  const pieces = Math.ceil(bytes.length / piece);
  return Readable.from(
    Array.from({ length: pieces }, (_, index) => bytes.subarray(index * piece, (index + 1) * piece)),
  );
}
