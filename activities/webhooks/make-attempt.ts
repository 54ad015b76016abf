import { randomBytes } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import { retryWrite } from '../../db/retry-write.ts';
import { endLease } from '../../db/webhooks/lease-delivery.ts';
import {
  endpointOwner,
  findOutgoingDelivery,
  openDelivery,
  type OpenDelivery,
  type OutgoingDelivery,
} from '../../db/webhooks/outgoing-delivery.ts';
import { recordAttempt, recordGone, type AttemptResult } from '../../db/webhooks/record-attempt.ts';
import { nextDelayMs } from '../../domain/webhooks/retry-schedule.ts';
import { signWebhook } from '../../domain/webhooks/signature.ts';
import { stepAfterAttempt, type DeliveryStep } from './delivery-step.ts';
import type { EndpointOrigin } from './endpoint-lease.ts';
import type { EndpointTurn, EndpointTurns } from './endpoint-turns.ts';
import type { OutgoingHttp, OutgoingResult } from '../../outside/outgoing-http.ts';
import type { TroubledEndpoints } from './troubled-endpoints.ts';

export interface WebhookDeps {
  db: Database;
  http: OutgoingHttp;
  turns: EndpointTurns;
  troubled: TroubledEndpoints;
  now: () => Date;
  /** Milliseconds to wait after a failed attempt, null when it was the last; the schedule of the product by default. */
  nextDelayMs?: typeof nextDelayMs;
}

/** A place at the endpoint of a delivery. */
export type GrantedTurn = Extract<EndpointTurn, { granted: true }>;

export const WORKER_STOPPED = 'WORKER_STOPPED';

/** Per owner and origin: tenants and partners whose endpoints share a host do not wait for each other's requests. */
export function endpointOrigin(
  delivery: Pick<OutgoingDelivery, 'tenantId' | 'partnerId'>,
  url: string,
): EndpointOrigin {
  return { tenantId: endpointOwner(delivery), origin: URL.canParse(url) ? new URL(url).origin : '' };
}

interface AttemptTarget {
  url: string;
  turn: GrantedTurn;
  /** The outbox entry that would start the delivery's own workflow; it is removed after a success. */
  outboxId?: number | undefined;
}

/**
 * Sends a webhook whose delivery the caller has leased, and records the result, which ends the lease. The place at the
 * endpoint is freed when the request has ended, also after this has thrown. Throws WORKER_STOPPED when the worker stops, or
 * the activity is cancelled, before the receiver has answered.
 */
export async function makeAttempt(
  deps: WebhookDeps,
  delivery: OutgoingDelivery,
  { url, turn, outboxId }: AttemptTarget,
): Promise<DeliveryStep> {
  const startedAt = deps.now();
  const request = send(deps, delivery, { url, startedAt }).finally(turn.release);
  const answer = await Promise.race([request, workerStop()]);
  if (answer === 'STOPPED' || answer.error === 'SHUTTING_DOWN') {
    await endLease(deps.db.pool, delivery);
    throw stopped();
  }
  deps.troubled.note(endpointOwner(delivery), answer);
  const result = { ...resultOf(deps, delivery, startedAt, answer), outboxId };
  const progress = await retryWrite(async () =>
    answer.outcome === 'GONE' && !delivery.isForged
      ? await recordGone(deps.db, delivery, result)
      : await recordAttempt(deps.db.pool, delivery, result),
  );
  if (progress) return stepAfterAttempt(progress, result.endedAt);
  // The attempt was made twice, which happens when a worker was taken for dead; the other result counts.
  const current = await findOutgoingDelivery(deps.db.pool, delivery.id);
  return current ? stepAfterAttempt(current, result.endedAt) : { outcome: 'MISSING' };
}

async function send(
  { db, http }: WebhookDeps,
  delivery: OutgoingDelivery,
  { url, startedAt }: { url: string; startedAt: Date },
): Promise<OutgoingResult> {
  const opened = await openDelivery(db, delivery, startedAt);
  const headers = {
    ...headersOf(delivery),
    ...signaturesOf(delivery.isForged ? forged(opened) : opened, startedAt),
  };
  return await http.post(url, headers, opened.body);
}

/** The delivery as somebody would sign it who does not know the secret. */
function forged(opened: OpenDelivery): OpenDelivery {
  return { ...opened, secret: randomBytes(32).toString('hex'), previousSecret: null };
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
  const delayMs = delivery.isForged ? null : delayOf(failures, Math.random(), answer.retryAfterMs);
  return {
    startedAt,
    endedAt,
    durationMs: answer.durationMs,
    statusCode: answer.statusCode,
    error: answer.outcome === 'GONE' ? 'ENDPOINT_GONE' : answer.error,
    retryAt: delayMs === null ? null : new Date(endedAt.getTime() + delayMs),
  };
}

/** Resolves when the worker stops and will not wait any longer: the next worker makes the attempt again. */
async function workerStop(): Promise<'STOPPED'> {
  return await Context.current().cancelled.catch(() => 'STOPPED' as const);
}

function stopped(): ApplicationFailure {
  return ApplicationFailure.retryable(
    'The worker stopped during the attempt; it is made again.',
    WORKER_STOPPED,
  );
}
