import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import { signedHeaders, type S3Credentials } from './s3-signature.ts';
import { ObjectMissing, requireKey, type Storage } from './storage.ts';

export interface S3Place extends S3Credentials {
  /** Scheme and host, also of servers that speak the same protocol; the bucket is a part of the path. */
  endpoint: string;
  bucket: string;
}

const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;

/** The storage said no; only its status is told, since its texts quote requests. */
class StorageRefusal extends Error {
  constructor(status: number) {
    super(`the storage answered ${status}`);
  }
}

/** Objects in a bucket. */
export function s3Bucket(place: S3Place): Storage {
  const send = async (method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Readable, bytes?: number) => {
    const url = new URL(`${place.endpoint.replace(/\/+$/, '')}/${place.bucket}/${requireKey(key)}`);
    const length: Record<string, string> = bytes === undefined ? {} : { 'content-length': String(bytes) };
    const headers = signedHeaders({ method, url, headers: length, now: new Date() }, place);
    return await request(url, {
      method,
      headers,
      body: body ?? null,
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
    });
  };
  return {
    async put(key, content) {
      await spooled(content, async (body, bytes) => {
        const answer = await send('PUT', key, body, bytes);
        await answer.body.dump();
        requireSuccess(answer);
      });
    },
    async get(key) {
      const answer = await send('GET', key);
      if (answer.statusCode === 200) return answer.body;
      await answer.body.dump();
      throw answer.statusCode === 404 ? new ObjectMissing() : new StorageRefusal(answer.statusCode);
    },
    async delete(key) {
      const answer = await send('DELETE', key);
      await answer.body.dump();
      if (answer.statusCode !== 404) requireSuccess(answer);
    },
  };
}

function requireSuccess({ statusCode }: Dispatcher.ResponseData): void {
  if (statusCode < 200 || statusCode > 299) throw new StorageRefusal(statusCode);
}

/** A bucket wants to know the length before the first byte, so the (sealed) content waits on the disk until it is whole. */
async function spooled(
  content: AsyncIterable<Uint8Array>,
  use: (body: Readable, bytes: number) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-upload-'));
  const path = join(folder, 'content');
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of content) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    await use(createReadStream(path), (await stat(path)).size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
