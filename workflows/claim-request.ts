import {
  condition,
  defineSignal,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ClaimPlan } from '../domain/claims/time.ts';
import { database } from './activity-proxies.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';
import { attemptFirst } from './first-attempts.ts';
import { createStory, type Story } from './story.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

/** The clocks of worker and server differ a little: without a minimum, a wait that is over for one could spin for the other. */
const SHORTEST_WAIT_MS = 1_000;

/**
 * One side of a claim from its creation to its end: its delivery, the search for a transaction that answers it, its reminder
 * and its expiry. The row is authoritative; a signal only says that it changed.
 */
export async function claimRequest({ id }: RecordSubject): Promise<string> {
  let queued = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });

  const story = createStory();
  for (;;) {
    // Changes signalled so far are covered by the read below.
    queued = false;
    const { plan, webhooks } = await database.advanceClaim({ id });
    story.tell(await attemptFirst(webhooks));
    if (plan.step === 'DONE') {
      if (queued) continue;
      return end(plan.status, story);
    }
    if (plan.step === 'WAIT') show(plan, story);
    await condition(() => queued, waitMs(plan), { summary: summaryOf(plan) });
  }
}

type WaitState = Extract<ClaimPlan, { step: 'WAIT' }>;

/** A plan other than WAIT means that another process takes the step: a second later it is taken. */
function waitMs(plan: ClaimPlan): number {
  return plan.step === 'WAIT' ? Math.max(SHORTEST_WAIT_MS, plan.untilMs - Date.now()) : SHORTEST_WAIT_MS;
}

const WAITS: Record<WaitState['waitingFor'], string> = {
  DELIVERY: 'the next attempt to reach the originator VASP',
  COUNTERPARTY_ANSWER: 'an answer of the originator VASP',
  DECISION: 'an answer or a refusal by the tenant',
};

function summaryOf(plan: ClaimPlan): string {
  return `wait: ${plan.step === 'WAIT' ? WAITS[plan.waitingFor] : plan.step}`;
}

/** Shows operators what the claim waits for. */
function show(plan: WaitState, story: Story): void {
  const deadline = new Date(plan.deadlineMs);
  upsertSearchAttributes([
    { key: attributes.status, value: plan.status },
    { key: attributes.waitingFor, value: plan.waitingFor },
    { key: attributes.deadline, value: deadline },
  ]);
  setCurrentDetails(
    [
      `**${plan.status}**: waits for ${WAITS[plan.waitingFor]}.`,
      `Expires: ${deadline.toISOString()}.`,
      'A `rowChanged` signal makes it read its record again now.',
      story.text(),
    ].join('\n\n'),
  );
}

function end(status: string, story: Story): string {
  upsertSearchAttributes([
    { key: attributes.status, value: status },
    { key: attributes.waitingFor, value: 'NOTHING' },
  ]);
  setCurrentDetails([`**${status}**: nothing is left to do.`, story.text()].join('\n\n'));
  return status;
}
