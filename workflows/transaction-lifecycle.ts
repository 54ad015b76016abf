import {
  ActivityFailure,
  condition,
  defineSignal,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { LifecyclePlan } from '../domain/transactions/lifecycle/next-step.ts';
import { arrivals, database, providers } from './activity-proxies.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

/**
 * The clocks of worker and server differ a little: without a minimum, a wait that is over for one could spin for the
 * other.
 */
const SHORTEST_WAIT_MS = 1_000;

/**
 * One transaction from its acceptance to its end: screen and decide, find the counterparty, deliver, wait for the
 * response; for a self-hosted wallet, wait for its owner. The row is authoritative; a signal only says that it
 * changed.
 */
export async function transactionLifecycle({ id }: RecordSubject): Promise<string> {
  let queued = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });

  for (;;) {
    // Changes signalled so far are covered by the read below.
    queued = false;
    const plan = await advance(id);
    if (plan.step === 'DONE') {
      if (queued) continue;
      upsertSearchAttributes([
        { key: attributes.status, value: plan.status },
        { key: attributes.waitingFor, value: 'NOTHING' },
      ]);
      return plan.status;
    }
    if (plan.step !== 'WAIT') continue;
    show(plan);
    await untilTime(() => queued, plan);
  }
}

async function untilTime(queued: () => boolean, { untilMs, waitingFor }: WaitState): Promise<void> {
  if (untilMs === null) await condition(queued);
  else {
    const waitMs = Math.max(SHORTEST_WAIT_MS, untilMs - Date.now());
    await condition(queued, waitMs, { summary: `wait: ${WAITS[waitingFor]}` });
  }
}

/** Takes steps until the transaction has to wait. */
async function advance(id: string): Promise<LifecyclePlan> {
  let plan = await database.lookAtTransaction({ id });
  for (let steps = 0; steps < 10; steps += 1) {
    if (plan.step === 'SCREEN') plan = await database.screenTransaction({ id });
    else if (plan.step === 'ASK_PROVIDERS') plan = await askProviders(id);
    else if (plan.step === 'ROUTE') plan = await route(id);
    else if (plan.step === 'CONFIRM_SELF_HOSTED') plan = await database.confirmSelfHosted({ id });
    else if (plan.step === 'EXPIRE') plan = await database.expireTransaction({ id });
    else return plan;
  }
  return plan;
}

/**
 * Outside providers may be slow or unavailable: then the transaction waits, and a missing result never counts as a
 * clear one.
 */
async function askProviders(id: string): Promise<LifecyclePlan> {
  const asked = await providers.askProviders({ id }).catch(nullUnlessCancelled);
  return asked === null
    ? await database.delayScreening({ id, what: 'AML' })
    : await database.screenTransaction({ id, asked });
}

function nullUnlessCancelled(error: unknown): null {
  if (error instanceof ActivityFailure && !isCancellation(error)) return null;
  throw error;
}

/**
 * Routes and delivers a message. A delivery within this deployment is a database activity, which decides for the
 * receiver too; outside networks have their own activities. A record that arrived without a verdict is screened next.
 * In a sandbox a test VASP responds at once.
 */
async function route(id: string): Promise<LifecyclePlan> {
  const { counterparty, plan } = await database.resolveCounterparty({ id });
  if (!counterparty) return plan;
  const { plan: delivered, arrivedId } = await database.deliverMessage({ id, counterparty });
  if (arrivedId !== null) await screenArrived(arrivedId);
  const isToAnswer = counterparty.testBehaviour !== undefined && delivered.status === 'DELIVERED';
  return isToAnswer ? await database.answerAsTestVasp({ id }) : delivered;
}

/** Screens the receiver's record. A failure does not stop the sender's workflow: the sweep retries it. */
async function screenArrived(id: string): Promise<void> {
  try {
    await arrivals.screenArrived({ id });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  }
}

type WaitState = Extract<LifecyclePlan, { step: 'WAIT' }>;

const WAITS: Record<WaitState['waitingFor'], string> = {
  COUNTERPARTY_ANSWER: 'answer of the beneficiary VASP',
  ROUTE: 'a beneficiary VASP to appear',
  DELIVERY_RETRY: 'next delivery attempt',
  OWNERSHIP_PROOF: 'proof of wallet ownership',
  SCREENING: 'next attempt to screen it',
  RULE_TIMER: 'the end of the wait that a rule sets',
  REVIEW: 'a reviewer',
};

/** Shows operators what the transaction waits for. */
function show(plan: WaitState): void {
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
    ].join('\n\n'),
  );
}

function timesOf({ untilMs, deadlineMs }: WaitState): string {
  const next = untilMs === null ? 'when it is changed' : new Date(untilMs).toISOString();
  const deadline = deadlineMs === null ? 'none' : new Date(deadlineMs).toISOString();
  return `Next check: ${next}. Deadline: ${deadline}.`;
}
