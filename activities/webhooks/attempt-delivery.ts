import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { giveUpDelivery } from '../../db/webhooks/give-up-delivery.ts';
import { leaseDelivery } from '../../db/webhooks/lease-delivery.ts';
import type { OutgoingDelivery } from '../../db/webhooks/outgoing-delivery.ts';
import { postponeDelivery } from '../../db/webhooks/postpone-delivery.ts';
import {
  gaveUp,
  isLeasedByOther,
  stepWithoutAttempt,
  untilLeaseEnds,
  waitUntil,
  type DeliveryStep,
  type DeliveryStepOf,
} from './delivery-step.ts';
import { endpointOrigin, makeAttempt, WORKER_STOPPED, type WebhookDeps } from './make-attempt.ts';

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

/** The activity of `webhookDelivery`: one attempt, or the reason why there was none. */
export function deliveryActivities(deps: WebhookDeps) {
  const { db } = deps;
  let localRequests = 0;

  async function attemptInTurn(delivery: OutgoingDelivery, url: string): Promise<DeliveryStep> {
    const turn = await deps.turns.take(endpointOrigin(delivery, url));
    if (!turn.granted) {
      const now = deps.now();
      const until = new Date(now.getTime() + turn.waitMs);
      await postponeDelivery(db.pool, delivery, until);
      return waitUntil(delivery, until, now, 'WAIT');
    }
    return await makeAttempt(deps, delivery, { url, turn });
  }

  async function attemptWithinTask(delivery: OutgoingDelivery, url: string): Promise<DeliveryStep> {
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
    async attemptDelivery({ id, atOnce = false }: AttemptInput): Promise<DeliveryStepOf> {
      const { isLocal } = Context.current().info;
      if (isLocal && localRequests >= MAX_LOCAL_REQUESTS) return { outcome: 'HAND_OVER' };
      const now = deps.now();
      const found = await leaseDelivery(db.pool, { id, now, atOnce });
      if (!found) return { outcome: 'MISSING' };
      const { delivery, isLeased } = found;
      const { resourceId, webhookUrl: url } = delivery;
      // Another process makes the attempt and records its result, which may be a delivery.
      if (!isLeased && isLeasedByOther(delivery, now))
        return { ...untilLeaseEnds(delivery, now), resourceId };
      const step = stepWithoutAttempt(delivery, { now, atOnce });
      if (typeof step === 'string') {
        await giveUpDelivery(db.pool, delivery, step, now);
        return { ...gaveUp(delivery, step), resourceId };
      }
      if (step) return { ...step, resourceId };
      if (!isLeased) return { ...untilLeaseEnds(delivery, now), resourceId };
      const attempt = isLocal ? attemptWithinTask : attemptInTurn;
      return { ...(await attempt(delivery, url ?? '')), resourceId };
    },
  };
}
