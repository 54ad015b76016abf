import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import { retryWrite } from '../../db/retry-write.ts';
import { giveUpDelivery } from '../../db/webhooks/give-up-delivery.ts';
import {
  findOutgoingDelivery,
  openDelivery,
  type OpenDelivery,
  type OutgoingDelivery,
} from '../../db/webhooks/outgoing-delivery.ts';
import { postponeDelivery } from '../../db/webhooks/postpone-delivery.ts';
import { recordAttempt, recordGone, type AttemptResult } from '../../db/webhooks/record-attempt.ts';
import { nextDelayMs } from '../../domain/webhooks/retry-schedule.ts';
import { signWebhook } from '../../domain/webhooks/signature.ts';
import {
  gaveUp,
  stepAfterAttempt,
  stepWithoutAttempt,
  waitUntil,
  type DeliveryStep,
} from './delivery-step.ts';
import type { EndpointTurns } from './endpoint-turns.ts';
import type { OutgoingHttp, OutgoingResult } from './outgoing-http.ts';

export interface WebhookDeps {
  db: Database;
  http: OutgoingHttp;
  turns: EndpointTurns;
  now: () => Date;
  /** Milliseconds to wait after a failed attempt, null when it was the last; the schedule of the product by default. */
  nextDelayMs?: typeof nextDelayMs;
}

interface AttemptInput {
  id: string;
  /** Requested by an operator: attempt now, although the next attempt is not due yet. */
  atOnce?: boolean;
}

/**
 * Maximum requests within workflow tasks. Each holds one of the worker's workflow task slots (40 by default), so
 * endpoints that hang must not take all of them.
 */
const MAX_LOCAL_REQUESTS = 20;
const WORKER_STOPPED = 'WORKER_STOPPED';

/** The activity of `webhookDelivery`: one attempt, or the reason why there was none. */
export function webhookActivities(deps: WebhookDeps) {
  const { db } = deps;
  let localRequests = 0;

  async function attemptInTurn(delivery: OutgoingDelivery, url: string): Promise<DeliveryStep> {
    const turn = deps.turns.take(endpointKey(delivery.tenantId, url));
    if (!turn.granted) {
      const now = deps.now();
      const until = new Date(now.getTime() + turn.waitMs);
      await postponeDelivery(db.pool, delivery, until);
      return waitUntil(delivery, until, now, 'WAIT');
    }
    try {
      return await attempt(deps, delivery, url);
    } finally {
      turn.release();
    }
  }

  async function attemptWithinTask(delivery: OutgoingDelivery, url: string): Promise<DeliveryStep> {
    if (localRequests >= MAX_LOCAL_REQUESTS) return { outcome: 'HAND_OVER' };
    localRequests += 1;
    try {
      return await attemptInTurn(delivery, url);
    } catch (error) {
      // The workflow task can still complete, and the next worker continues from there.
      if (error instanceof ApplicationFailure && error.type === WORKER_STOPPED)
        return { outcome: 'HAND_OVER' };
      throw error;
    } finally {
      localRequests -= 1;
    }
  }

  return {
    /** Sends a webhook once. A failure of the receiver is a result; a failure of the database fails the activity. */
    async attemptDelivery({ id, atOnce = false }: AttemptInput): Promise<DeliveryStep> {
      const delivery = await findOutgoingDelivery(db.pool, id);
      if (!delivery) return { outcome: 'MISSING' };
      const step = stepWithoutAttempt(delivery, { now: deps.now(), atOnce });
      if (typeof step === 'string') {
        await giveUpDelivery(db.pool, delivery, step, deps.now());
        return gaveUp(delivery, step);
      }
      if (step) return step;
      const url = delivery.webhookUrl ?? '';
      return Context.current().info.isLocal
        ? await attemptWithinTask(delivery, url)
        : await attemptInTurn(delivery, url);
    },
  };
}

/** The activities as the workflow sees them: types only. */
export type WebhookActivities = ReturnType<typeof webhookActivities>;

/** Per tenant and origin: tenants whose endpoints share a host do not wait for each other's requests. */
function endpointKey(tenantId: string, url: string): string {
  return `${tenantId} ${URL.canParse(url) ? new URL(url).origin : ''}`;
}

async function attempt(deps: WebhookDeps, delivery: OutgoingDelivery, url: string): Promise<DeliveryStep> {
  const startedAt = deps.now();
  const opened = await openDelivery(deps.db, delivery, startedAt);
  const { body } = opened;
  const headers = { ...headersOf(delivery), ...signaturesOf(opened, startedAt) };
  const answer = await Promise.race([deps.http.post(url, headers, body), workerStop()]);
  if (answer.error === 'SHUTTING_DOWN') throw stopped();
  const result = resultOf(deps, delivery, startedAt, answer);
  const progress = await retryWrite(async () =>
    answer.outcome === 'GONE'
      ? await recordGone(deps.db, delivery, result)
      : await recordAttempt(deps.db.pool, delivery, result),
  );
  if (progress) return stepAfterAttempt(progress, result.endedAt);
  // The attempt was made twice, which happens when a worker was taken for dead; the other result counts.
  const current = await findOutgoingDelivery(deps.db.pool, delivery.id);
  return current ? stepAfterAttempt(current, result.endedAt) : { outcome: 'MISSING' };
}

function headersOf(delivery: OutgoingDelivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Waybill',
    'X-Event-Type': delivery.kind,
    'X-Event-Id': delivery.id,
    'X-Delivery-Attempt': String(delivery.attempts + 1),
    'X-Resource-Version': String(delivery.resourceVersion),
  };
}

function signaturesOf({ body, secret, previousSecret }: OpenDelivery, at: Date): Record<string, string> {
  const sign = (by: string) => signWebhook(by, at.getTime(), body);
  return {
    'Service-Signature': sign(secret),
    ...(previousSecret !== null && { 'Service-Signature-Previous': sign(previousSecret) }),
  };
}

function resultOf(
  deps: WebhookDeps,
  delivery: OutgoingDelivery,
  startedAt: Date,
  answer: OutgoingResult,
): AttemptResult {
  const endedAt = deps.now();
  const delayOf = deps.nextDelayMs ?? nextDelayMs;
  const failures = delivery.attempts - delivery.scheduleFrom + 1;
  const delayMs = delayOf(failures, Math.random(), answer.retryAfterMs);
  return {
    startedAt,
    endedAt,
    durationMs: answer.durationMs,
    statusCode: answer.statusCode,
    error: answer.outcome === 'GONE' ? 'ENDPOINT_GONE' : answer.error,
    retryAt: delayMs === null ? null : new Date(endedAt.getTime() + delayMs),
  };
}

/** Rejects when the worker stops and will not wait any longer: the next worker makes the attempt again. */
async function workerStop(): Promise<never> {
  try {
    return await Context.current().cancelled;
  } catch {
    throw stopped();
  }
}

function stopped(): ApplicationFailure {
  return ApplicationFailure.retryable(
    'The worker stopped during the attempt; it is made again.',
    'WORKER_STOPPED',
  );
}
