import {
  ActivityFailure,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { TransactionAdvance } from '../activities/transactions/transaction-activities.ts';
import type { LifecyclePlan } from '../domain/transactions/lifecycle/next-step.ts';
import type { ProviderChecks } from '../transaction-screening/gather-findings.ts';
import { database, inquiries, providers } from './activity-proxies.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';
import { attemptFirst } from './first-attempts.ts';
import { createStory, type Story } from './story.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

/** A run whose history was too long before there were new runs goes on as it began. */
const NEW_RUN = 'new-run';

/**
 * The clocks of worker and server differ a little: without a minimum, a wait that is over for one could spin for the
 * other.
 */
const SHORTEST_WAIT_MS = 1_000;

/**
 * One transaction from its acceptance to its end: screen and decide, find the counterparty, deliver, wait for the
 * response; for a self-hosted wallet, wait for its owner. One activity takes all steps up to the next wait; the first
 * attempts of the webhooks that they cause follow at once. The row is authoritative; a signal only says that it changed.
 */
export async function transactionLifecycle({ id }: RecordSubject): Promise<string> {
  let queued = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });

  const story = createStory();
  let checks: ProviderChecks | null | undefined;
  let isSendFailed = false;
  for (;;) {
    // Changes signalled so far are covered by the read below.
    queued = false;
    const { plan, steps, webhooks }: TransactionAdvance = await database.advanceTransaction({
      id,
      ...(checks === undefined ? {} : { checks }),
      ...(isSendFailed ? { isSendFailed } : {}),
    });
    story.tell(steps.map((step) => STEPS[step]));
    const asking = plan.step === 'ASK_PROVIDERS' ? askProviders(id) : undefined;
    story.tell(await attemptFirst(webhooks));
    isSendFailed = plan.step === 'SEND' && (await send(id, plan)) === 'FAILED';
    // What the providers said counts until the message is sent.
    if (plan.step !== 'SEND') checks = await asking;
    if (plan.step === 'DONE' && !queued) return end(plan.status, story);
    if (plan.step !== 'WAIT') continue;
    // The server ends a run whose history gets too long, and others can wake a message that waits, however often.
    if (workflowInfo().continueAsNewSuggested && patched(NEW_RUN))
      await continueAsNew<typeof transactionLifecycle>({ id });
    show(plan, story);
    await untilTime(() => queued, plan);
  }
}

/**
 * Outside providers may be slow or unavailable. Null then: the transaction waits, since a missing result never counts as
 * a clear one.
 */
async function askProviders(id: string): Promise<ProviderChecks | null> {
  return await providers.askProviders({ id }).catch(nullUnlessCancelled);
}

/** Another VASP may be slow or unavailable: the delivery is tried again later. */
async function send(
  id: string,
  { version, basis }: Extract<LifecyclePlan, { step: 'SEND' }>,
): Promise<'SENT' | 'FAILED' | 'CHANGED'> {
  const sent = await inquiries.sendInquiry({ id, version, basis }).catch(nullUnlessCancelled);
  return sent ?? 'FAILED';
}

function nullUnlessCancelled(error: unknown): null {
  if (error instanceof ActivityFailure && !isCancellation(error)) return null;
  throw error;
}

type WaitState = Extract<LifecyclePlan, { step: 'WAIT' }>;

async function untilTime(queued: () => boolean, { untilMs, waitingFor }: WaitState): Promise<void> {
  if (untilMs === null) await condition(queued);
  else {
    const waitMs = Math.max(SHORTEST_WAIT_MS, untilMs - Date.now());
    await condition(queued, waitMs, { summary: `wait: ${WAITS[waitingFor]}` });
  }
}

/** What operators read of each step. */
const STEPS: Record<LifecyclePlan['step'], string> = {
  SCREEN: 'screened',
  ASK_PROVIDERS: 'providers queried',
  SEND: 'sent by TRP',
  CHECK_BRAKE: 'brake looked at',
  ROUTE: 'routed',
  CONFIRM_SELF_HOSTED: 'proofs of the wallet looked at',
  EXPIRE: 'expired',
  END_REPAIR: 'ended the time for requested data',
  WAIT: 'waited',
  DONE: 'ended',
};

const WAITS: Record<WaitState['waitingFor'], string> = {
  COUNTERPARTY_ANSWER: 'answer of the beneficiary VASP',
  REQUESTED_DATA: 'data that the beneficiary VASP asked for',
  ROUTE: 'a beneficiary VASP to appear',
  DELIVERY_RETRY: 'next delivery attempt',
  BRAKE: 'the end of a brake',
  OWNERSHIP_PROOF: 'proof of wallet ownership',
  SCREENING: 'next attempt to screen it',
  RULE_TIMER: 'the end of the wait that a rule sets',
  REVIEW: 'a reviewer',
};

/** Shows operators what the transaction waits for. */
function show(plan: WaitState, story: Story): void {
  const deadline = plan.deadlineMs === null ? [] : [new Date(plan.deadlineMs)];
  upsertSearchAttributes([
    { key: attributes.status, value: plan.status },
    { key: attributes.waitingFor, value: plan.waitingFor },
    ...deadline.map((value) => ({ key: attributes.deadline, value })),
  ]);
  setCurrentDetails(
    [
      `**${plan.status}**: waits for ${WAITS[plan.waitingFor]}${plan.hold === null ? '' : ` (held: ${plan.hold})`}.`,
      timesOf(plan),
      'A `rowChanged` signal makes it read its record again now.',
      story.text(),
    ].join('\n\n'),
  );
}

function timesOf({ untilMs, deadlineMs }: WaitState): string {
  const next = untilMs === null ? 'when it is changed' : new Date(untilMs).toISOString();
  const deadline = deadlineMs === null ? 'none' : new Date(deadlineMs).toISOString();
  return `Next check: ${next}. Deadline: ${deadline}.`;
}

function end(status: string, story: Story): string {
  upsertSearchAttributes([
    { key: attributes.status, value: status },
    { key: attributes.waitingFor, value: 'NOTHING' },
  ]);
  setCurrentDetails([`**${status}**: nothing is left to do.`, story.text()].join('\n\n'));
  return status;
}
