import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { z } from 'zod';
import { LIVENESS_RESULTS } from '../../domain/verifications/step-documents.ts';
import {
  manualReview,
  type LivenessFinding,
  type Liveness,
  type SelfieImage,
  type SelfieFile,
} from './liveness.ts';

const PROVIDER = 'HTTP';
const ANSWER_TIMEOUT_MS = 60_000;
const ANSWER_BYTES = 64 * 1024;
const short = z.string().max(200).nullable().default(null);

/** What a program answers. */
const Answer = z.object({
  result: z.enum(LIVENESS_RESULTS),
  score: z.number().min(0).max(1).nullable().default(null),
  reference: short,
  modelVersion: short,
});

/** Without an address people judge. */
export function openLiveness(url: string | undefined): Liveness {
  return url === undefined ? manualReview : httpLiveness(url);
}

/**
 * A program behind one address: it gets `multipart/form-data` with the `files` and the `metadata` (JSON) and answers
 * `{result: PASS | FAIL | INCONCLUSIVE, score?: 0..1, reference?, modelVersion?}`. What it refuses as such (4xx) is
 * INCONCLUSIVE; of anything else it is asked again.
 */
function httpLiveness(url: string): Liveness {
  return {
    async analyse(selfie, signal) {
      const boundary = `waybill-${randomUUID()}`;
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: Readable.from(formOf(selfie, boundary), { objectMode: false }),
        headersTimeout: ANSWER_TIMEOUT_MS,
        bodyTimeout: ANSWER_TIMEOUT_MS,
        signal,
      });
      if (isRefusal(statusCode)) {
        await body.dump();
        return {
          provider: PROVIDER,
          result: 'INCONCLUSIVE',
          score: null,
          reference: null,
          modelVersion: null,
        };
      }
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`the liveness program answered ${statusCode}`);
      }
      return { provider: PROVIDER, ...(await readAnswer(body)) };
    },
  };
}

const TEMPORARY = new Set([401, 403, 404, 408, 425, 429]);

/** Wrong credentials and addresses are an operator's to mend: the selfie waits for it. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !TEMPORARY.has(status);
}

async function readAnswer(body: AsyncIterable<Buffer>): Promise<Omit<LivenessFinding, 'provider'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new Error('the liveness program answered too much');
    chunks.push(chunk);
  }
  return Answer.parse(JSON.parse(Buffer.concat(chunks).toString()));
}

async function* formOf({ files, metadata }: SelfieImage, boundary: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n` +
      `Content-Type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n`,
  );
  for (const file of files) {
    yield Buffer.from(partHead(file, boundary));
    yield* file.content();
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

function partHead({ name, type }: SelfieFile, boundary: string): string {
  return (
    `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`
  );
}
