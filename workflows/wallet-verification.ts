import {
  condition,
  defineSignal,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { VerificationPlan } from '../domain/verifications/time.ts';
import { database } from './activity-proxies.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';
import { attemptFirst } from './first-attempts.ts';
import { createStory, type Story } from './story.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

/**
 * The clocks of worker and server differ a little: without a minimum, a wait that is over for one could spin for the
 * other.
 */
const SHORTEST_WAIT_MS = 1_000;

/**
 * One verification of a self-hosted wallet from its creation to its end: its reminders, its expiry and its wait for a
 * reviewer. The row is authoritative; a signal only says that it changed.
 */
export async function walletVerification({ id }: RecordSubject): Promise<string> {
  let queued = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });

  const story = createStory();
  for (;;) {
    // Changes signalled so far are covered by the read below.
    queued = false;
    const { plan, webhooks } = await database.advanceVerification({ id });
    story.tell(await attemptFirst(webhooks));
    if (plan.step === 'DONE') {
      if (queued) continue;
      return end(plan.status, story);
    }
    if (plan.step === 'WAIT') show(plan, story);
    await untilTime(() => queued, plan);
  }
}

/** A plan other than WAIT means that another process is expiring the verification: a second later it is expired. */
async function untilTime(queued: () => boolean, plan: VerificationPlan): Promise<void> {
  if (plan.step !== 'WAIT') {
    await condition(queued, SHORTEST_WAIT_MS);
  } else if (plan.untilMs === null) {
    await condition(queued);
  } else {
    const waitMs = Math.max(SHORTEST_WAIT_MS, plan.untilMs - Date.now());
    await condition(queued, waitMs, { summary: `wait: ${WAITS[plan.waitingFor]}` });
  }
}

type WaitState = Extract<VerificationPlan, { step: 'WAIT' }>;

const WAITS: Record<WaitState['waitingFor'], string> = {
  PROOF: 'a proof by the owner of the wallet',
  REVIEW: 'a decision of a reviewer',
  CHAIN: 'the scan of the chain to pass the deadline of the transfer',
};

/** Shows operators what the verification waits for. */
function show(plan: WaitState, story: Story): void {
  const deadline = plan.deadlineMs === null ? [] : [new Date(plan.deadlineMs)];
  upsertSearchAttributes([
    { key: attributes.status, value: plan.status },
    { key: attributes.waitingFor, value: plan.waitingFor },
    ...deadline.map((value) => ({ key: attributes.deadline, value })),
  ]);
  setCurrentDetails(
    [
      `**${plan.status}**: waits for ${WAITS[plan.waitingFor]}.`,
      ...deadline.map((time) => `Expires: ${time.toISOString()}.`),
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
