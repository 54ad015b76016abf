import type { KeptAnswer } from '../db/idempotency.ts';
import type { Answer } from './middleware/send-answer.ts';

/** The first answer to a request that came again under its Idempotency-Key, marked as such. */
export function replayOf(kept: KeptAnswer): Answer {
  return {
    status: kept.status,
    body: kept.body,
    headers: { ...kept.headers, 'Idempotency-Replayed': 'true' },
  };
}
