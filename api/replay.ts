import type { KeptAnswer } from '../db/idempotency/idempotency.ts';
import type { EndpointAnswer } from './middleware/send-answer.ts';

/** The first answer to a request that came again under its Idempotency-Key, marked as such. */
export function replayOf(kept: KeptAnswer): EndpointAnswer {
  return {
    status: kept.status,
    body: bodyOf(kept),
    headers: { ...kept.headers, 'Idempotency-Replayed': 'true' },
  };
}

/** A refusal is kept as the text that was sent; everything else as its value. */
function bodyOf({ headers, body }: KeptAnswer): unknown {
  const isProblem = headers['Content-Type'] === 'application/problem+json';
  return isProblem && typeof body === 'string' ? Buffer.from(body) : body;
}
