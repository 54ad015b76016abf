import type { Database } from '../../db/database.ts';
import {
  keepLeasedAnswer,
  lapseLease,
  noteBegun,
  stillRunning,
  takeLease,
  type IdempotencyLease,
} from '../../db/idempotency/idempotency-lease.ts';
import {
  dropStaleKey,
  findKeptAnswer,
  keepRefusal,
  KeyTaken,
  waitForKey,
  type KeptAnswer,
} from '../../db/idempotency/idempotency.ts';
import type { IdempotentCall } from '../../db/idempotency/idempotent-call.ts';
import { ensureOperatorKeys, OPERATORS } from '../../db/idempotency/operator-scope.ts';
import { inTransaction } from '../../db/postgres.ts';
import { retryWrite } from '../../db/retry-write.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { problemAnswer } from '../errors.ts';
import type { KeyedRequest, LeasedEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { holdLease, RENEWAL_MS, type HeldLease } from './hold-lease.ts';

/** Statuses of errors that are stored, because a repeat of the same request would get the same error. */
const KEPT_STATUSES = new Set([400, 422]);
/** The second try follows after an expired key was removed, the third if another request then took that key. */
const MAX_TRIES = 3;

/**
 * Runs requests under their Idempotency-Key: the first answer (2xx, 400 or 422) is stored and returned to every repeat.
 * Throws idempotency_key_reused if the key belongs to a different request.
 */
export function onceAnswerer(
  deps: Pick<Deps, 'db' | 'writeInTurn'>,
  renewalMs = RENEWAL_MS,
): Deps['answerOnce'] {
  return async (request) => {
    switch (request.kind) {
      case 'NONE':
        return await request.run();
      case 'TRANSACTION':
      case 'OWN_STATEMENT':
        return await keepingRefusals(deps, request);
      case 'LEASE':
        return await underLease(deps.db, request, renewalMs);
    }
  };
}

/** Runs a request and stores a 400 or 422. The effect itself stores a 2xx, in its own database transaction. */
async function keepingRefusals(
  deps: Pick<Deps, 'db' | 'writeInTurn'>,
  request: KeyedRequest,
): Promise<EndpointAnswer> {
  const { db } = deps;
  if (request.call.tenantId === OPERATORS) await ensureOperatorKeys(db);
  try {
    return await runOnce(deps, request);
  } catch (error) {
    const problem = problemToKeep(error, request.requestId);
    if (!problem) throw error;
    const refusal = toKept(problem);
    const kept = await keepFirst(deps, request.call, refusal);
    return kept === refusal ? problem : replayOf(kept);
  }
}

/**
 * Keeps a refusal unless the key has an answer by then; returns what is kept. An effect under way, of this or another request
 * under the key, is waited for: its answer is the first one.
 */
async function keepFirst(
  deps: Pick<Deps, 'db' | 'writeInTurn'>,
  call: IdempotentCall,
  refusal: KeptAnswer,
): Promise<KeptAnswer> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const kept = (await keepRefusal(deps.db, call, refusal)) ?? (await keptInTurn(deps, call));
    if (kept) return kept.status === 0 ? refusal : kept;
  }
  throw busyKey();
}

function busyKey(): DomainError {
  return new DomainError('temporarily_unavailable', 'Try again.', { retryAfterSeconds: 1 });
}

async function runOnce(
  { db, writeInTurn }: Pick<Deps, 'db' | 'writeInTurn'>,
  { call, kind, run }: KeyedRequest,
): Promise<EndpointAnswer> {
  // Checked first, so that a repeat does not count or search again before its transaction.
  const known = kind === 'TRANSACTION' && (await findKeptAnswer(db, call));
  if (known && known.status > 0) return replayOf(known);
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
    }
    const kept = (await findKeptAnswer(db, call)) ?? (await keptInTurn({ db, writeInTurn }, call));
    // The key was leased for this request by an earlier version of the product.
    if (kept?.status === 0) throw stillRunning();
    if (kept) return replayOf(kept);
  }
  throw busyKey();
}

/**
 * The answer under a key that is taken without one: its effect is under way, or was more than 24 hours ago, and then the key is
 * free from now on. The effect may take long, so it is waited for in a turn of the tenant.
 */
async function keptInTurn(
  { db, writeInTurn }: Pick<Deps, 'db' | 'writeInTurn'>,
  call: IdempotentCall,
): Promise<KeptAnswer | undefined> {
  await writeInTurn(call.tenantId, async () => {
    await inTransaction(db.pool, async (tx) => {
      await waitForKey(tx, call);
      await dropStaleKey(tx, call);
    });
  });
  return await findKeptAnswer(db, call);
}

/**
 * Runs a request while it holds the key's lease, and prolongs it. Without a stored answer, the next repeat runs the request
 * again and is told what this one has begun.
 */
async function underLease(
  db: Database,
  { call, requestId, run }: KeyedRequest,
  renewalMs: number,
): Promise<EndpointAnswer> {
  if (call.tenantId === OPERATORS) await ensureOperatorKeys(db);
  const taken = await takeLease(db, call);
  if ('kept' in taken) return replayOf(taken.kept);
  const held = holdLease(db, taken.lease, renewalMs);
  try {
    const answer = await run(leasedEffect(db, held, taken.begunId));
    const { status, body, shows } = answer;
    const lease = await held.end();
    // Changes nothing if the effect has kept it. Tried again: without it the effect, which is stored, would be refused
    // to its own repeat.
    await retryWrite(async () => await keepLeasedAnswer(db, lease, { status, headers: {}, body, shows }));
    return answer;
  } catch (error) {
    await settleRefusal(db, await held.end(), error, requestId);
    throw error;
  }
}

function leasedEffect(db: Database, held: HeldLease, begunId: string | null): LeasedEffect {
  return {
    begunId,
    async begin(tx, id) {
      if (!(await held.use(async (lease) => await noteBegun(tx, lease, id)))) throw stillRunning();
    },
    async keep(tx, { status, body, shows }) {
      const kept = { status, headers: {}, body, ...(shows && { shows }) };
      if (!(await held.use(async (lease) => await keepLeasedAnswer(db, lease, kept, tx))))
        throw stillRunning();
    },
  };
}

async function settleRefusal(
  db: Database,
  lease: IdempotencyLease,
  error: unknown,
  requestId: string,
): Promise<void> {
  const problem = problemToKeep(error, requestId);
  if (problem) {
    await keepLeasedAnswer(db, lease, toKept(problem));
    return;
  }
  // The lease expires by itself if this fails too; the caller must see the first error.
  await lapseLease(db.pool, lease).catch(() => undefined);
}

function problemToKeep(error: unknown, requestId: string): EndpointAnswer | undefined {
  if (!(error instanceof DomainError) || error.code === 'idempotency_key_reused') return undefined;
  const problem = problemAnswer(error, requestId);
  return KEPT_STATUSES.has(problem.status) ? problem : undefined;
}

function toKept({ status, headers = {}, body }: EndpointAnswer): KeptAnswer {
  return { status, headers: { ...headers }, body: Buffer.isBuffer(body) ? body.toString() : null };
}

/** The stored answer with `Idempotency-Replayed`. A problem is stored as the text that was sent, a 2xx as its value. */
function replayOf({ status, headers, body }: KeptAnswer): EndpointAnswer {
  const isProblem = headers['Content-Type'] === 'application/problem+json';
  return {
    status,
    body: isProblem && typeof body === 'string' ? Buffer.from(body) : body,
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
  };
}
