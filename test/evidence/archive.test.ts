import { once } from 'node:events';
import { inBatches } from '../../db/evidence/in-batches.ts';
import { writeArchive, type ArchiveFile } from '../../evidence/archive.ts';
import { eventually } from '../eventually.ts';
import { contentsIn, joined } from '../factories/evidence-archive.ts';

const MEGABYTE = Buffer.alloc(1024 * 1024);

/** A file of so many megabytes, and how many of them were read. */
function large(megabytes: number): ArchiveFile & { read: () => number; isClosed: () => boolean } {
  let read = 0;
  let isClosed = false;
  // oxlint-disable-next-line typescript/require-await
  async function* content() {
    try {
      for (; read < megabytes; read += 1) yield MEGABYTE;
    } finally {
      isClosed = true;
    }
  }
  return { path: 'large', content: content(), read: () => read, isClosed: () => isClosed };
}

// oxlint-disable-next-line typescript/require-await
async function* filesOf(...files: ArchiveFile[]): AsyncGenerator<ArchiveFile> {
  yield* files;
}

test('a file is read no faster than the archive', async () => {
  const file = large(50);
  const archive = writeArchive(filesOf(file));
  await once(archive, 'readable');
  archive.read();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(file.read()).toBeLessThan(10);
  archive.destroy();
});

test('a file is closed when nobody reads the archive any more', async () => {
  const file = large(50);
  const archive = writeArchive(filesOf(file));
  await once(archive, 'readable');
  archive.destroy();
  await once(archive, 'close');
  await eventually(file.isClosed, (isClosed) => isClosed);
});

test('a file that fails ends the archive by its error', async () => {
  // oxlint-disable-next-line typescript/require-await
  async function* failing(): AsyncGenerator<Buffer> {
    yield MEGABYTE;
    throw new Error('no more');
  }
  const archive = writeArchive(filesOf({ path: 'a', content: failing() })) as AsyncIterable<Buffer>;
  await expect(joined(archive)).rejects.toThrow('no more');
});

test('the same files make the same bytes, and their contents come back', async () => {
  const make = async () => await joined(writeArchive(filesOf(large(3))) as AsyncIterable<Buffer>);
  const made = await make();
  expect(made.equals(await make())).toBe(true);
  expect((await contentsIn(made)).get('large')?.length).toBe(3 * MEGABYTE.length);
});

test.each([0, 1, 2, 3, 4, 5])('%d rows are all read in batches of two, once', async (count) => {
  const rows = Array.from({ length: count }, (_, place) => place);
  const read: number[] = [];
  // oxlint-disable-next-line typescript/require-await
  const batches = inBatches<number>(2, async (last = -1, size) => rows.slice(last + 1, last + 1 + size));
  for await (const row of batches) read.push(row);
  expect(read).toEqual(rows);
});
