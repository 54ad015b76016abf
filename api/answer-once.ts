import { keepRefusal, OPERATOR_SCOPE, type KeptAnswer } from '../db/idempotency/idempotency.ts';
import type { Database } from '../db/database.ts';
import { DomainError } from '../domain/errors.ts';
import type { IdempotentCall } from './deps.ts';
import { problemAnswer } from './errors.ts';
import type { EndpointAnswer } from './middleware/send-answer.ts';
import { replayOf } from './replay.ts';

/** Refusals that a repeat of the same request would only get again. */
const KEPT_STATUSES = new Set([400, 422]);

/**
 * Runs a request under its Idempotency-Key. Effects keep their own answers, in the transaction that writes them; here
 * the refusals are kept, and a request whose key belongs to another one is refused.
 */
export async function answerOnce(
  db: Database,
  call: IdempotentCall,
  requestId: string,
  run: () => Promise<EndpointAnswer>,
): Promise<EndpointAnswer> {
  // Nothing of an operator's request is kept: there is no tenant whose key could seal it.
  if (call.tenantId === OPERATOR_SCOPE) return await run();
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'idempotency_key_reused') throw error;
    const problem = problemAnswer(error, requestId);
    if (!isKept(problem)) throw error;
    const refusal = toKept(problem);
    const kept = await keepRefusal(db, call.tenantId, call, refusal, new Date());
    return kept === refusal ? problem : replayOf(kept);
  }
}

/** Whether a refusal is kept for the repeat of its request. */
export function isKept(problem: EndpointAnswer): boolean {
  return KEPT_STATUSES.has(problem.status);
}

export function toKept({ status, headers = {}, body }: EndpointAnswer): KeptAnswer {
  return { status, headers: { ...headers }, body: Buffer.isBuffer(body) ? body.toString() : null };
}
