import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createHttpClient, discard } from '../outside/http.ts';
import { signedHeaders, type S3Credentials } from './s3-signature.ts';
import { ObjectMissing, requireKey, type Storage } from './storage.ts';

export interface S3Location extends S3Credentials {
  /** Scheme and host of S3 or of a compatible server; the bucket is part of the path. */
  endpoint: string;
  bucket: string;
}

/** A response may last as long as its reader needs. The largest object is far below the limit of bytes. */
const LIMITS = { deadlineMs: 15 * 60_000, silenceMs: 30_000, maxBodyBytes: 1 << 30 };

/** The content is sealed and authenticated before it gets here, so the signature leaves it out. */
const payloadHash = 'UNSIGNED-PAYLOAD';

/** The storage refused a request. Contains only its status, since its messages quote requests. */
class StorageRefusal extends Error {
  constructor(status: number) {
    super(`the storage answered ${status}`);
  }
}

/** Stores objects in a bucket. Throws StorageRefusal when the bucket refuses a request. */
export function s3Bucket(location: S3Location): Storage {
  const http = createHttpClient({ reach: 'ANYWHERE', limits: LIMITS });
  const send = async (method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Readable, bytes?: number) => {
    const url = new URL(`${location.endpoint.replace(/\/+$/, '')}/${location.bucket}/${requireKey(key)}`);
    const length: Record<string, string> = bytes === undefined ? {} : { 'content-length': String(bytes) };
    const headers = signedHeaders({ method, url, headers: length, payloadHash, now: new Date() }, location);
    return await http.open(url, { method, headers, ...(body && { body }) });
  };
  return {
    async put(key, content) {
      await spooled(content, async (body, bytes) => {
        const answer = await send('PUT', key, body, bytes);
        await discard(answer);
        requireSuccess(answer.status);
      });
    },
    async get(key) {
      const answer = await send('GET', key);
      if (answer.status === 200) return answer.body;
      await discard(answer);
      throw answer.status === 404 ? new ObjectMissing() : new StorageRefusal(answer.status);
    },
    async delete(key) {
      const answer = await send('DELETE', key);
      await discard(answer);
      if (answer.status !== 404) requireSuccess(answer.status);
    },
  };
}

function requireSuccess(status: number): void {
  if (status < 200 || status > 299) throw new StorageRefusal(status);
}

/** Writes the (encrypted) content to a temporary file first, since a bucket needs the length before the first byte. */
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
