import { createReadStream } from 'node:fs';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { writeArchive, type ArchiveFile } from './archive.ts';
import { BrokenLink, reading } from './broken-link.ts';

/** More files than any archive has. */
const FILES_LIMIT = 50_000;
/** Bytes: far more than any line that is written, and little enough to be read. */
const LINE_LIMIT = 64 * 1024 * 1024;

/** An archive that is read from a file; nothing of it is unpacked. */
export interface OpenArchive {
  /** The paths of its files, in order. */
  paths: readonly string[];
  /** The content of a file. Throws BrokenLink. */
  read: (path: string) => AsyncGenerator<Buffer>;
  /** The whole text of a file that is small. Throws BrokenLink. */
  readText: (path: string) => Promise<string>;
  /** The lines of a file, each with its line feed. Throws BrokenLink. */
  readLines: (path: string) => AsyncGenerator<Buffer>;
  close: () => void;
}

/** Opens an archive. Throws BrokenLink for a file that is none, or not one of this product. */
export async function openArchive(file: string): Promise<OpenArchive> {
  const zip = await reading(null, async () =>
    openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true }),
  );
  try {
    const entries = await reading(null, async () => await readEntries(zip));
    const read = (path: string) => readEntry(zip, entries, path);
    return {
      paths: [...entries.keys()],
      read,
      readText: async (path) => await textOf(path, read(path)),
      readLines: (path) => linesOf(path, read(path)),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { fileName, compressionMethod } = entry;
    if (entries.size === FILES_LIMIT) throw new BrokenLink('has too many files', null);
    if (compressionMethod !== 0 || entry.isEncrypted())
      throw new BrokenLink('is compressed or encrypted, as no file of an archive is', fileName);
    if (entries.has(fileName)) throw new BrokenLink('is there twice', fileName);
    entries.set(fileName, entry);
  }
  return entries;
}

async function* readEntry(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  path: string,
): AsyncGenerator<Buffer> {
  const entry = entries.get(path);
  if (!entry) throw new BrokenLink('is missing', path);
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new BrokenLink('cannot be read', path, null, { cause });
  }
}

async function textOf(path: string, content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > LINE_LIMIT) throw new BrokenLink('is too large', path);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function* linesOf(path: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end + 1)]);
      begun = [];
      bytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > LINE_LIMIT) throw new BrokenLink('has a line that is too long', path);
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/** Makes the archive again from its files, and throws BrokenLink for the first byte that differs. */
export async function requireSameBytes(file: string, archive: OpenArchive): Promise<void> {
  const made = writeArchive(filesOf(archive));
  const makes = made[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let expected: Buffer = Buffer.alloc(0);
  let position = 0;
  try {
    for await (const given of createReadStream(file) as AsyncIterable<Buffer>) {
      for (let rest = given; rest.length > 0;) {
        if (expected.length === 0) expected = await nextChunk(makes, position);
        const length = Math.min(rest.length, expected.length);
        const differs = firstDifference(rest.subarray(0, length), expected.subarray(0, length));
        if (differs !== -1) throw differsAt(position + differs);
        position += length;
        rest = rest.subarray(length);
        expected = expected.subarray(length);
      }
    }
    if (expected.length > 0 || !(await makes.next()).done) throw differsAt(position);
  } finally {
    made.destroy();
  }
}

// oxlint-disable-next-line typescript/require-await
async function* filesOf({ paths, read }: OpenArchive): AsyncGenerator<ArchiveFile> {
  for (const path of paths) yield { path, content: read(path) };
}

async function nextChunk(chunks: AsyncIterator<Buffer>, position: number): Promise<Buffer> {
  for (;;) {
    const next = await chunks.next();
    if (next.done) throw differsAt(position);
    if (next.value.length > 0) return next.value;
  }
}

function firstDifference(a: Buffer, b: Buffer): number {
  return a.equals(b) ? -1 : a.findIndex((byte, index) => byte !== b[index]);
}

function differsAt(position: number): BrokenLink {
  return new BrokenLink(`was changed outside of its files, at byte ${position}`, null);
}
