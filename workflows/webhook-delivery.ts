import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { DeliveryStepOf } from '../activities/webhooks/delivery-step.ts';
import { MAX_ATTEMPTS } from '../domain/webhooks/retry-schedule.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

/** Sent by an operator: makes the next attempt at once, even if it is not due. */
const wakeSignal = defineSignal('wake');

// An attempt takes at most 10 s and never fails because of its receiver: the retries here are for database failures,
// and for attempts that were lost with their worker.
const firstAttempts = proxyLocalActivities<Pick<Activities, 'attemptDelivery'>>({
  startToCloseTimeout: '15 seconds',
  // A workflow task must not be blocked by a longer failure.
  localRetryThreshold: '2 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
const retriedAttempts = proxyActivities<Pick<Activities, 'attemptDelivery'>>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** From this number of failures on, waits take hours. */
const STUCK_FROM_FAILURES = 6;

/**
 * One webhook from its change to its delivery, or to the end of its schedule after three days. The row is
 * authoritative: a signal only says that it changed, and a late one has no effect.
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
    { description: 'Makes the next attempt now, even if it is not due.' },
  );

  // Cheap in the normal case: the first attempt is part of the workflow's first task.
  let attempts = firstAttempts;
  let shown = '';
  for (;;) {
    const atOnce: boolean = woken;
    // Changes signalled so far are covered by the read below.
    queued = woken = false;
    const step: DeliveryStepOf = await attempts.attemptDelivery({ id, atOnce });
    if (step.outcome === 'HAND_OVER') {
      attempts = retriedAttempts;
      woken ||= atOnce;
    } else if (isWait(step)) {
      if (step.failures > 0) attempts = retriedAttempts;
      if (step.nextLookAt !== shown) show(step);
      shown = step.nextLookAt;
      await condition(() => queued || woken, step.waitMs, { summary: nameOf(step) });
    } else if (!queued && !woken) {
      return end(step);
    }
  }
}

type DeliveryWait = Extract<DeliveryStepOf, { waitMs: number }>;
type DeliveryEnd = Exclude<DeliveryStepOf, DeliveryWait | { outcome: 'HAND_OVER' }>;

function isWait(step: DeliveryWait | DeliveryEnd): step is DeliveryWait {
  return step.outcome === 'RETRY' || step.outcome === 'WAIT';
}

function nameOf({ waitingFor, failures }: DeliveryWait): string {
  if (waitingFor === 'RUNNING_ATTEMPT') return 'attempt that another step makes';
  const next = `attempt ${failures + 1} of ${MAX_ATTEMPTS}`;
  return waitingFor === 'NEXT_ATTEMPT' ? `next ${next}` : `turn at the endpoint for ${next}`;
}

/** Shows operators the state; writes search attributes only after a failed attempt, since each write costs. */
function show(step: DeliveryWait): void {
  const isStuck = step.failures >= STUCK_FROM_FAILURES;
  const last = step.error === null ? 'No attempt has failed.' : `The latest attempt failed: ${step.error}.`;
  setCurrentDetails(
    [
      `**${step.status}**${isStuck ? ', stuck' : ''}: attempts made: ${step.attempts}. ${last}`,
      `Waits for its ${nameOf(step)} at ${step.nextLookAt}.`,
      'Signal `wake` makes the next attempt now; `rowChanged` only reads the row again.',
    ].join('\n\n'),
  );
  if (step.waitingFor !== 'NEXT_ATTEMPT') return;
  upsertSearchAttributes([
    { key: attributes.status, value: step.status },
    { key: attributes.waitingFor, value: step.waitingFor },
    { key: attributes.deadline, value: new Date(step.nextLookAt) },
    { key: attributes.stuck, value: isStuck },
    ...subjectOf(step),
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
    ...subjectOf(step),
  ]);
  return status;
}

/** The record that the webhook is about: operators find its webhooks by its id. */
function subjectOf({ resourceId }: DeliveryStepOf) {
  return resourceId === undefined ? [] : [{ key: attributes.subject, value: resourceId }];
}
