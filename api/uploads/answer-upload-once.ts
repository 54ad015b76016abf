import type { Database } from '../../db/database.ts';
import {
  keepLeasedAnswer,
  releaseLease,
  takeLease,
  type IdempotencyLease,
} from '../../db/idempotency/idempotency-lease.ts';
import type { KeptAnswer } from '../../db/idempotency/idempotency.ts';
import { DomainError } from '../../domain/errors.ts';
import { isKept, toKept } from '../answer-once.ts';
import type { IdempotentCall } from '../deps.ts';
import { KeptRefusal, problemAnswer } from '../errors.ts';
import type { EndpointAnswer } from '../middleware/send-answer.ts';
import { replayOf } from '../replay.ts';

/**
 * Runs an effect that is more than one statement under its Idempotency-Key, if it has one: the first answer is kept,
 * and a twin is told to wait while the first still runs. An effect that came to no answer is run again by its repeat.
 */
export async function answerUploadOnce(
  db: Database,
  call: IdempotentCall | undefined,
  requestId: string,
  run: () => Promise<EndpointAnswer>,
): Promise<EndpointAnswer> {
  if (!call) return await run();
  const taken = await takeLease(db, call.tenantId, call);
  if ('kept' in taken) return replay(taken.kept);
  const { lease } = taken;
  try {
    const answer = await run();
    await keepLeasedAnswer(db, lease, { status: answer.status, headers: {}, body: answer.body });
    return answer;
  } catch (error) {
    await settleRefusal(db, lease, error, requestId);
    throw error;
  }
}

function replay(kept: KeptAnswer): EndpointAnswer {
  const answer = replayOf(kept);
  if (kept.status >= 400) throw new KeptRefusal(answer);
  return answer;
}

/** Keeps a refusal that a repeat would only get again; after any other the repeat may run. */
async function settleRefusal(
  db: Database,
  lease: IdempotencyLease,
  error: unknown,
  requestId: string,
): Promise<void> {
  const problem = error instanceof DomainError ? problemAnswer(error, requestId) : undefined;
  if (problem && isKept(problem)) await keepLeasedAnswer(db, lease, toKept(problem));
  // Left to its end when even that fails.
  else await releaseLease(db, lease).catch(() => undefined);
}
