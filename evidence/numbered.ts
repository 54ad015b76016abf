import { readingLine } from './broken-link.ts';
import { parsed } from './check-files.ts';
import type { OpenArchive } from './open-archive.ts';

/** The lines of a file with their numbers. Throws BrokenLink for one that `read` refuses. */
export async function* numbered<T>(
  archive: OpenArchive,
  path: string,
  read: (value: unknown) => T,
): AsyncGenerator<{ value: T; line: number }> {
  let line = 0;
  for await (const bytes of archive.readLines(path)) {
    line += 1;
    yield { value: readingLine(path, line, () => read(parsed(bytes))), line };
  }
}
