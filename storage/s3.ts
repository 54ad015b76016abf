import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createHttpClient, discard } from '../outside/http.ts';
import { signedHeaders, type S3Credentials } from './s3-signature.ts';
import { ObjectMissing, requireKey, type Storage } from './storage.ts';

export interface S3Place extends S3Credentials {
  /** Scheme and host, also of servers that speak the same protocol; the bucket is a part of the path. */
  endpoint: string;
  bucket: string;
}

/** Contents are read as fast as a caller takes them. The largest is far below the limit. */
const LIMITS = { deadlineMs: 15 * 60_000, silenceMs: 30_000, maxBodyBytes: 1 << 30 };

/** The content is sealed and authenticated before it gets here, so the signature leaves it out. */
const payloadHash = 'UNSIGNED-PAYLOAD';

/** The storage said no; only its status is told, since its texts quote requests. */
class StorageRefusal extends Error {
  constructor(status: number) {
    super(`the storage answered ${status}`);
  }
}

/** Objects in a bucket. */
export function s3Bucket(place: S3Place): Storage {
  const http = createHttpClient({ reach: 'ANYWHERE', limits: LIMITS });
  const send = async (method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Readable, bytes?: number) => {
    const url = new URL(`${place.endpoint.replace(/\/+$/, '')}/${place.bucket}/${requireKey(key)}`);
    const length: Record<string, string> = bytes === undefined ? {} : { 'content-length': String(bytes) };
    const headers = signedHeaders({ method, url, headers: length, payloadHash, now: new Date() }, place);
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
