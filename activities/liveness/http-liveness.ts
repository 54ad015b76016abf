import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { LIVENESS_RESULTS } from '../../domain/verifications/step-documents.ts';
import { createHttpClient, discard } from '../../outside/http.ts';
import { readWhole } from '../../outside/limited-body.ts';
import { manualReview, type Liveness, type SelfieImage, type SelfieFile } from './liveness.ts';

const PROVIDER = 'HTTP';
/** The deadline is that of the activity, which sends the films again when it tries again. */
const LIMITS = { deadlineMs: 3 * 60_000, silenceMs: 60_000, maxBodyBytes: 64 * 1024 };
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
  const http = createHttpClient({ reach: 'ANYWHERE', limits: LIMITS });
  return {
    async analyse(selfie, signal) {
      const boundary = `waybill-${randomUUID()}`;
      const response = await http.open(new URL(url), {
        method: 'POST',
        headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        body: Readable.from(formOf(selfie, boundary), { objectMode: false }),
        signal,
      });
      const { status, body } = response;
      if (status === 200)
        return { provider: PROVIDER, ...Answer.parse(JSON.parse(String(await readWhole(body)))) };
      await discard(response);
      if (isRefusal(status)) return { provider: PROVIDER, ...UNCLEAR };
      throw new Error(`the liveness program answered ${status}`);
    },
  };
}

const UNCLEAR = { result: 'INCONCLUSIVE', score: null, reference: null, modelVersion: null } as const;
const TEMPORARY = new Set([401, 403, 404, 408, 425, 429]);

/** Wrong credentials and addresses are an operator's to mend: the selfie waits for it. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !TEMPORARY.has(status);
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
