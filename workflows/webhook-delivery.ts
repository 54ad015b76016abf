import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/attempt-delivery.ts';
import type { DeliveryStep } from '../activities/webhooks/delivery-step.ts';
import { MAX_ATTEMPTS } from '../domain/webhooks/retry-schedule.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

/** An operator's "attempt now": makes the next attempt at once, whenever it is due. */
const wakeSignal = defineSignal('wake');

// An attempt takes 10 s at most and never fails because of its receiver: what is tried again here is trouble with the
// database, or an attempt that was lost with its worker.
const firstTry = proxyLocalActivities<WebhookActivities>({
  startToCloseTimeout: '15 seconds',
  // A workflow task must not be held through a long trouble.
  localRetryThreshold: '2 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
const laterTry = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** The waits of hours begin here. */
const STUCK_FROM_FAILURES = 6;

/**
 * One webhook from its change to its delivery, or to the end of its schedule after three days. The row is the truth: a
 * signal only says that it changed, and a late one finds nothing to do.
 */
export async function webhookDelivery({ id }: RecordSubject): Promise<string> {
  let queued = false;
  let woken = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });
  setHandler(
    wakeSignal,
    () => {
      woken = true;
    },
    { description: 'Makes the next attempt now, whenever it is due.' },
  );

  // Cheap as long as all goes well: the first try is part of the workflow's first task.
  let attempts = firstTry;
  let shown = '';
  for (;;) {
    const atOnce: boolean = woken;
    // What was told up to here is seen by the look that follows.
    queued = woken = false;
    const step: DeliveryStep = await attempts.attemptDelivery({ id, atOnce });
    if (step.outcome === 'HAND_OVER') {
      attempts = laterTry;
      woken ||= atOnce;
    } else if (isWait(step)) {
      if (step.failures > 0) attempts = laterTry;
      if (step.nextLookAt !== shown) show(step);
      shown = step.nextLookAt;
      await condition(() => queued || woken, step.waitMs, { summary: nameOf(step) });
    } else if (!queued && !woken) {
      return end(step);
    }
  }
}

type DeliveryWait = Extract<DeliveryStep, { waitMs: number }>;
type DeliveryEnd = Exclude<DeliveryStep, DeliveryWait | { outcome: 'HAND_OVER' }>;

function isWait(step: DeliveryWait | DeliveryEnd): step is DeliveryWait {
  return step.outcome === 'RETRY' || step.outcome === 'WAIT';
}

function nameOf({ waitingFor, failures }: DeliveryWait): string {
  const next = `attempt ${failures + 1} of ${MAX_ATTEMPTS}`;
  return waitingFor === 'NEXT_ATTEMPT' ? `next ${next}` : `turn at the endpoint for ${next}`;
}

/** Tells operators how it stands; the searchable part only when an attempt has failed, since each change costs a write. */
function show(step: DeliveryWait): void {
  const isStuck = step.failures >= STUCK_FROM_FAILURES;
  const last = step.error === null ? 'No attempt has failed.' : `The latest attempt failed: ${step.error}.`;
  setCurrentDetails(
    [
      `**${step.status}**${isStuck ? ', stuck' : ''}: attempts made: ${step.attempts}. ${last}`,
      `Waits for its ${nameOf(step)} at ${step.nextLookAt}.`,
      'Signal `wake` makes the next attempt now; `rowChanged` only looks at the row again.',
    ].join('\n\n'),
  );
  if (step.waitingFor === 'ENDPOINT_TURN') return;
  upsertSearchAttributes([
    { key: attributes.status, value: step.status },
    { key: attributes.waitingFor, value: step.waitingFor },
    { key: attributes.deadline, value: new Date(step.nextLookAt) },
    { key: attributes.stuck, value: isStuck },
  ]);
}

function end(step: DeliveryEnd): string {
  const status = step.outcome === 'MISSING' ? 'MISSING' : step.status;
  const reason = step.outcome === 'MISSING' || step.error === null ? '' : `: ${step.error}`;
  setCurrentDetails(`**${status}**${reason}.`);
  upsertSearchAttributes([
    { key: attributes.status, value: status },
    { key: attributes.waitingFor, value: 'NOTHING' },
    { key: attributes.stuck, value: false },
  ]);
  return status;
}
