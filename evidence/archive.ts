import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. Its content is read once, when all files before it are written. */
export interface ArchiveFile {
  path: string;
  content: AsyncIterable<Buffer>;
}

/**
 * Nothing is compressed, and no file has a time or rights: the same files make the same archive, byte for byte, so that
 * any changed byte of an archive can be found by making it again.
 */
const SAME_BYTES = {
  compress: false,
  forceDosTimestamp: true,
  mtime: new Date(1980, 0, 1),
  mode: 0o100644,
};

/** Writes a ZIP archive while it is read. A failing file destroys the stream; destroying the stream closes the open file. */
export function writeArchive(files: AsyncIterable<ArchiveFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream;
  if (!(output instanceof PassThrough)) throw new TypeError('the archive is no stream');
  zip.on('error', (error: Error) => output.destroy(error));
  addFiles(zip, output, files).catch((error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error('a file of the archive failed')),
  );
  return output;
}

async function addFiles(zip: ZipFile, output: Readable, files: AsyncIterable<ArchiveFile>): Promise<void> {
  for await (const { path, content } of files) {
    if (output.destroyed) return;
    const source = Readable.from(content, { objectMode: false });
    const close = () => source.destroy();
    output.once('close', close);
    zip.addReadStream(source, path, SAME_BYTES);
    await finished(source);
    output.off('close', close);
  }
  zip.end();
}
