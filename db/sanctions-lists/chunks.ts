import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Queryable } from '../postgres.ts';
import { inChunks } from '../in-chunks.ts';
import type { ArrivedUpload } from './uploads.ts';

/** A chunk of an uploaded file is missing: the upload can never be read. */
export class UploadLost extends Error {}

/** Lists are text: the fastest compression level reduces them to a tenth. */
const LEVEL = 1;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Stores a file while it arrives. Returns its size in bytes. */
export async function storeFile(
  db: Queryable,
  uploadId: string,
  file: number,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  let sequence = 0;
  let bytes = 0;
  for await (const chunk of inChunks(content)) {
    await db.query(
      'insert into sanctions_chunks (upload_id, file, sequence, content) values ($1, $2, $3, $4)',
      [uploadId, file, sequence, await zip(chunk, { level: LEVEL })],
    );
    sequence += 1;
    bytes += chunk.length;
  }
  // An empty chunk marks the end: without it a file that lost its last chunk would look shorter.
  await db.query(
    'insert into sanctions_chunks (upload_id, file, sequence, content) values ($1, $2, $3, $4)',
    [uploadId, file, sequence, Buffer.alloc(0)],
  );
  return bytes;
}

/** A file of an upload. Reading it throws UploadLost. */
interface StoredFile {
  name: string;
  content: AsyncIterable<Buffer>;
}

/** The files of an upload in their order. */
export function storedFiles(db: Queryable, { id, files }: ArrivedUpload): StoredFile[] {
  return files.map((name, file) => ({ name, content: readFile(db, id, file) }));
}

async function* readFile(db: Queryable, uploadId: string, file: number): AsyncGenerator<Buffer> {
  for (let sequence = 0; ; sequence += 1) {
    const { rows } = await db.query<{ content: Buffer }>(
      'select content from sanctions_chunks where upload_id = $1 and file = $2 and sequence = $3',
      [uploadId, file, sequence],
    );
    const content = rows[0]?.content;
    if (!content) throw new UploadLost('a piece of the upload is missing');
    if (content.length === 0) return;
    yield await unzip(content);
  }
}
