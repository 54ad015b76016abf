import { createHash } from 'node:crypto';
import type { EvidenceFile, LineHash } from '../domain/evidence/manifest.ts';
import type { ArchiveFile } from './archive.ts';

/** What was written of a file. */
interface MeasuredFile extends EvidenceFile {
  lines: LineHash[];
}

/** A file that is measured while it is read: `measured` is known once its content has been read to the end. */
export function measure({ path, content }: ArchiveFile): ArchiveFile & { measured: () => MeasuredFile } {
  let result: MeasuredFile | undefined;
  return {
    path,
    content: measuring(path, content, (measured) => void (result = measured)),
    measured() {
      if (!result) throw new Error(`${path} was not read to its end`);
      return result;
    },
  };
}

async function* measuring(
  path: string,
  content: AsyncIterable<Buffer>,
  done: (measured: MeasuredFile) => void,
): AsyncGenerator<Buffer> {
  const whole = createHash('sha256');
  const lines: LineHash[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    whole.update(chunk);
    bytes += chunk.length;
    // A file of lines gives one line in each chunk.
    if (hasLines(path)) lines.push({ path, line: lines.length + 1, sha256: hashOfLine(chunk) });
    yield chunk;
  }
  done({ path, bytes, sha256: whole.digest('hex'), lines });
}

/** Whether the lines of a file are hashed one by one. */
export function hasLines(path: string): boolean {
  return path.endsWith('.jsonl');
}

/** SHA-256, in hex, of a line without its line feed. */
export function hashOfLine(line: Buffer): string {
  const end = line.at(-1) === 0x0a ? line.length - 1 : line.length;
  return createHash('sha256').update(line.subarray(0, end)).digest('hex');
}

/** The bytes of lines of JSON, one chunk each. */
export async function* jsonLines(values: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Buffer> {
  for await (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
}
