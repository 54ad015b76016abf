import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { OutboxEntry } from '../../db/outbox.ts';
import { giveUpDelivery } from '../../db/webhooks/give-up-delivery.ts';
import { leaseDelivery } from '../../db/webhooks/lease-delivery.ts';
import { endpointOwner, type OutgoingDelivery } from '../../db/webhooks/outgoing-delivery.ts';
import { postponeDelivery } from '../../db/webhooks/postpone-delivery.ts';
import type { ReportFailure } from '../failures.ts';
import { stepWithoutAttempt, type DeliveryStep } from './delivery-step.ts';
import type { HandedOverRequests } from './handed-over.ts';
import {
  endpointOrigin,
  makeAttempt,
  WORKER_STOPPED,
  type GrantedTurn,
  type WebhookDeps,
} from './make-attempt.ts';

/** A webhook that the calling workflow has caused. */
export interface CausedWebhook {
  tenantId: string;
  /** The delivery. */
  id: string;
  /** Its outbox entry, which starts the delivery's own workflow unless the first attempt succeeds. */
  outboxId: number;
  /** The record that the webhook is about. */
  resourceId?: string;
  summary: string;
}

/** The first webhooks among the outbox entries of a change, at most `limit`, and the other entries. */
export function splitOutbox(
  outbox: readonly OutboxEntry[],
  limit: number,
): { webhooks: CausedWebhook[]; others: OutboxEntry[] } {
  const chosen = new Set(outbox.filter(({ workflow }) => workflow === 'webhookDelivery').slice(0, limit));
  const webhooks = [...chosen].map(({ id, subjectId, tenantId, summary, resourceId }) => ({
    tenantId,
    id: subjectId,
    outboxId: id,
    ...(resourceId !== undefined && { resourceId }),
    summary,
  }));
  return { webhooks, others: outbox.filter((entry) => !chosen.has(entry)) };
}

/** A code for the history. With any other than DELIVERED, the delivery's own workflow continues. */
export type FirstAttempt =
  | 'DELIVERED'
  /** The receiver did not answer with a 2xx status. */
  | 'FAILED'
  /** The request runs on under its lease. */
  | 'HANDED_OVER'
  /** No request was made: the endpoint is slow, failing or busy, or too many requests are under way. */
  | 'NOT_ATTEMPTED';

export interface FirstAttemptDeps extends WebhookDeps {
  handedOver: HandedOverRequests;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  report: ReportFailure;
  /** How long the workflow that caused a webhook waits for its first attempt; a second unless given. */
  handOverMs?: number;
}

/** The workflow that caused a webhook waits no longer for its first attempt. */
const HAND_OVER_MS = 1_000;
/** First attempts hold workflow task slots (40 by default) while they run. */
const MAX_UNDER_WAY = 20;

/** The activity that makes the first attempt of a webhook within the workflow that caused it. */
export function firstAttemptActivities(deps: FirstAttemptDeps) {
  let underWay = 0;
  return {
    /**
     * Sends a webhook for the first time, unless its endpoint is known to be slow or failing. The answer is waited for
     * one second at most; then the request runs on, and the delivery's own workflow takes over.
     */
    async attemptFirst(webhook: CausedWebhook): Promise<FirstAttempt> {
      if (deps.troubled.has(webhook.tenantId) || underWay >= MAX_UNDER_WAY) return startOwn(deps, webhook);
      underWay += 1;
      try {
        return await attempt(deps, webhook);
      } finally {
        underWay -= 1;
      }
    },
  };
}

async function attempt(deps: FirstAttemptDeps, webhook: CausedWebhook): Promise<FirstAttempt> {
  const now = deps.now();
  const found = await leaseDelivery(deps.db.pool, { id: webhook.id, now, atOnce: false });
  if (!found?.isLeased) return 'NOT_ATTEMPTED';
  const { delivery } = found;
  const step = stepWithoutAttempt(delivery, { now, atOnce: false });
  if (typeof step === 'string') await giveUpDelivery(deps.db.pool, delivery, step, now);
  if (step) return startOwn(deps, webhook);
  const turn = await deps.turns.take(endpointOrigin(delivery, delivery.webhookUrl ?? ''));
  if (turn.granted) return await attemptInTurn(deps, webhook, { delivery, turn });
  await postponeDelivery(deps.db.pool, delivery, new Date(now.getTime() + turn.waitMs));
  return startOwn(deps, webhook);
}

interface GrantedAttempt {
  delivery: OutgoingDelivery;
  turn: GrantedTurn;
}

async function attemptInTurn(
  deps: FirstAttemptDeps,
  webhook: CausedWebhook,
  { delivery, turn }: GrantedAttempt,
): Promise<FirstAttempt> {
  const target = { url: delivery.webhookUrl ?? '', turn, outboxId: webhook.outboxId };
  const request = makeAttempt(deps, delivery, target);
  const late = new AbortController();
  try {
    const step = await Promise.race([
      request,
      delay(deps.handOverMs ?? HAND_OVER_MS, null, { signal: late.signal }),
    ]);
    if (step) return hasArrived(step) ? 'DELIVERED' : startOwn(deps, webhook, 'FAILED');
  } catch (error) {
    // The outbox entry starts the delivery's own workflow on the next worker.
    if (isStop(error)) return 'NOT_ATTEMPTED';
    throw error;
  } finally {
    late.abort();
  }
  deps.troubled.noteSlow(endpointOwner(delivery));
  deps.handedOver.add(runOn(deps, webhook, request));
  return startOwn(deps, webhook, 'HANDED_OVER');
}

/** Wakes the delivery's own workflow, which waits for the lease, when the request has ended. */
async function runOn(
  deps: FirstAttemptDeps,
  webhook: CausedWebhook,
  request: Promise<DeliveryStep>,
): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isStop(error)) deps.report('attemptFirst', error);
  }
  startOwn(deps, webhook);
}

/** Starts the delivery's own workflow, or wakes it. */
function startOwn(
  deps: FirstAttemptDeps,
  { id: subjectId, outboxId, ...entry }: CausedWebhook,
  outcome: FirstAttempt = 'NOT_ATTEMPTED',
): FirstAttempt {
  deps.notifyWorkflows([{ ...entry, id: outboxId, workflow: 'webhookDelivery', subjectId }]);
  return outcome;
}

function isStop(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === WORKER_STOPPED;
}

function hasArrived({ outcome }: DeliveryStep): boolean {
  return outcome === 'DELIVERED' || outcome === 'DONE';
}
