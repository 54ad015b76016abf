import type { Database } from '../../db/database.ts';
import {
  keepLeasedAnswer,
  releaseLease,
  takeLease,
  type IdempotencyLease,
} from '../../db/idempotency/idempotency-lease.ts';
import {
  dropStaleKey,
  findKeptAnswer,
  keepRefusal,
  KeyTaken,
  type KeptAnswer,
} from '../../db/idempotency/idempotency.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { problemAnswer } from '../errors.ts';
import type { KeyedRequest } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/** Refusals that a repeat of the same request would only get again. */
const KEPT_STATUSES = new Set([400, 422]);
/** A stale key costs a second try, another request that takes the freed key a third. */
const MAX_TRIES = 3;

/**
 * Runs requests under their Idempotency-Key: the first answer (2xx, 400 or 422) is kept and given to every repeat. A
 * request whose key belongs to another request gets idempotency_key_reused.
 */
export function onceAnswerer(db: Database): Deps['answerOnce'] {
  return async (request) => {
    switch (request.kind) {
      case 'NONE':
      case 'NOT_KEPT':
        return await request.run();
      case 'TRANSACTION':
      case 'OWN_STATEMENT':
        return await keepingRefusals(db, request);
      case 'LEASE':
        return await underLease(db, request);
    }
  };
}

/** A 2xx is kept by the effect itself, in the transaction that writes it. */
async function keepingRefusals(db: Database, request: KeyedRequest): Promise<EndpointAnswer> {
  try {
    return await runOnce(db, request);
  } catch (error) {
    const problem = problemToKeep(error, request.requestId);
    if (!problem) throw error;
    const refusal = toKept(problem);
    const kept = await keepRefusal(db, request.call, refusal);
    return kept === refusal ? problem : replayOf(kept);
  }
}

async function runOnce(db: Database, { call, kind, run }: KeyedRequest): Promise<EndpointAnswer> {
  // What an endpoint does before its transaction, such as counting or searching, is not done again for a repeat.
  const known = kind === 'TRANSACTION' && (await findKeptAnswer(db, call));
  if (known) return replayOf(known);
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
    }
    const kept = await findKeptAnswer(db, call);
    if (kept) return replayOf(kept);
    // A request of the day before had the key.
    await dropStaleKey(db.pool, call);
  }
  throw new DomainError('temporarily_unavailable', 'Try again.', { retryAfterSeconds: 1 });
}

/** An effect that came to no answer worth keeping is run again by its repeat. */
async function underLease(db: Database, { call, requestId, run }: KeyedRequest): Promise<EndpointAnswer> {
  const taken = await takeLease(db, call);
  if ('kept' in taken) return replayOf(taken.kept);
  const { lease } = taken;
  try {
    const answer = await run();
    await keepLeasedAnswer(db, lease, { status: answer.status, headers: {}, body: answer.body });
    return answer;
  } catch (error) {
    await settleRefusal(db, lease, problemToKeep(error, requestId));
    throw error;
  }
}

async function settleRefusal(
  db: Database,
  lease: IdempotencyLease,
  problem: EndpointAnswer | undefined,
): Promise<void> {
  if (problem) await keepLeasedAnswer(db, lease, toKept(problem));
  // The lease ends by itself when even that fails; the caller is to learn of the first error.
  else await releaseLease(db, lease).catch(() => undefined);
}

function problemToKeep(error: unknown, requestId: string): EndpointAnswer | undefined {
  if (!(error instanceof DomainError) || error.code === 'idempotency_key_reused') return undefined;
  const problem = problemAnswer(error, requestId);
  return KEPT_STATUSES.has(problem.status) ? problem : undefined;
}

function toKept({ status, headers = {}, body }: EndpointAnswer): KeptAnswer {
  return { status, headers: { ...headers }, body: Buffer.isBuffer(body) ? body.toString() : null };
}

/** The first answer, marked as such. A refusal is kept as the text that was sent, everything else as its value. */
function replayOf({ status, headers, body }: KeptAnswer): EndpointAnswer {
  const isProblem = headers['Content-Type'] === 'application/problem+json';
  return {
    status,
    body: isProblem && typeof body === 'string' ? Buffer.from(body) : body,
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
  };
}
