import { setTimeout as sleep } from 'node:timers/promises';
import { checkBrake } from '../../db/lifecycle/pause-message.ts';
import { applyTrpAnswer } from '../../db/lifecycle/apply-trp-answer.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { announceWithoutVerdict, isToBeAnnounced } from '../../domain/transactions/announcement.ts';
import { expire } from '../../domain/transactions/lifecycle/expire.ts';
import { fillFiatValues } from '../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { endRepair } from '../../domain/transactions/repairing/end-repair.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { queryProviders, type ProviderChecks } from '../../transaction-screening/gather-findings.ts';
import { splitOutbox, type CausedWebhook } from '../webhooks/attempt-first.ts';
import { askHolders } from '../../address-questions/ask-holders.ts';
import { answerAsTestVasp, type TestVaspTurn } from './answer-as-test-vasp.ts';
import { confirmSelfHosted } from './confirm-self-hosted.ts';
import { route } from './route.ts';
import { screen } from './screen.ts';
import { changeBy, changed, type StepDeps, type StepResult } from './transaction-step.ts';

interface AdvanceInput {
  id: string;
  /** The results of outside providers, null when these are not available. */
  checks?: ProviderChecks | null;
  /** Set if the beneficiary VASP has just been called in vain. */
  isSendFailed?: boolean;
}

/** What a call has done, without personal data, since it is part of the workflow's history. */
export interface TransactionAdvance {
  /** What the workflow does next; a step that is not WAIT, DONE, SEND or ASK_PROVIDERS asks for another call. */
  plan: LifecyclePlan;
  /** The steps that were taken, for operators. */
  steps: LifecyclePlan['step'][];
  /** The webhooks of these steps, to be attempted at once. */
  webhooks: CausedWebhook[];
}

/** The plan for a record that was deleted or never existed. */
const GONE: LifecyclePlan = { step: 'DONE', status: 'DELETED' };

/** Both tenants of a message, for two changes; the rest is left to the workflows of the deliveries. */
const MAX_WEBHOOKS = 4;
/** A chain of steps without a wait is shorter; more would be a circle. */
const MAX_STEPS = 10;

/** The activities of `transactionLifecycle`. A repeat does nothing again. */
export function transactionActivities(deps: StepDeps) {
  return {
    /** Takes every step of a transaction that needs nothing from outside, until it has to wait or has ended. */
    async advanceTransaction({
      id,
      checks,
      isSendFailed = false,
    }: AdvanceInput): Promise<TransactionAdvance> {
      const outbox: OutboxEntry[] = [];
      const collecting = {
        ...deps,
        isSendFailed,
        notifyWorkflows: (more: readonly OutboxEntry[]) => void outbox.push(...more),
      };
      try {
        const { plan, steps } = await advance(collecting, id, checks);
        const { webhooks, others } = splitOutbox(outbox.splice(0), MAX_WEBHOOKS);
        outbox.push(...others);
        return { plan, steps, webhooks };
      } finally {
        deps.notifyWorkflows(outbox);
      }
    },

    /**
     * Queries the tenant's AML provider and the blockchain nodes about the counterparty wallet. A record that has to be
     * announced before they answer is announced meanwhile.
     */
    async askProviders({ id }: { id: string }): Promise<ProviderChecks | null> {
      const open = await findTransactionOfWorkflow(deps.db, id);
      if (!open) return null;
      const answered = new AbortController();
      const asking = queryProviders(deps, open.record).finally(() => answered.abort());
      const [checks] = await Promise.all([asking, announceInTime(deps, open, answered.signal)]);
      return checks;
    },
  };
}

async function advance(
  deps: StepDeps,
  id: string,
  checks: ProviderChecks | null | undefined,
): Promise<Pick<TransactionAdvance, 'plan' | 'steps'>> {
  const steps: TransactionAdvance['steps'] = [];
  const read = async () => await findTransactionOfWorkflow(deps.db, id);
  let open = await read();
  let mayBeUnanswered = true;
  if (open) open = await withFiatValues(deps, open);
  if (open && isToBeAnnounced(open.record, deps.now()))
    ({ open } = await changeBy(deps, open, announceWithoutVerdict));
  while (open) {
    const plan = planOf(open.record, deps.now());
    // The worker that delivered it may have ended before the answer of a test VASP, or one by TRP, was stored; or that
    // test VASP answers later. Whoever has opened a mail is reminded.
    if (plan.step === 'WAIT' && plan.waitingFor === 'COUNTERPARTY_ANSWER' && mayBeUnanswered) {
      const turn = await answerLate(deps, open.record);
      if (!turn.hasAnswered) return { plan: waitingUntil(plan, turn.answersAt), steps };
      open = await read();
      continue;
    }
    const step = STEPS[plan.step];
    if (!step || steps.length >= MAX_STEPS) return { plan, steps };
    steps.push(plan.step);
    const result = await step(deps, open, checks);
    if (result !== 'READ_AGAIN' && 'plan' in result) return { plan: result.plan, steps };
    // A message that has just been delivered to anybody else is not asked about.
    mayBeUnanswered = result === 'READ_AGAIN' || open.record.status === 'DELIVERED';
    const next: OpenTransaction | undefined = result === 'READ_AGAIN' ? await read() : result.open;
    if (plan.step === 'SCREEN' && plan.status !== 'DELIVERED' && next?.record.status === 'DELIVERED')
      steps.push('ROUTE');
    open = next;
  }
  return { plan: GONE, steps };
}

/** The plan that also reads the record again at the given time. */
function waitingUntil(plan: LifecyclePlan, at: Date | null): LifecyclePlan {
  if (plan.step !== 'WAIT' || at === null) return plan;
  return { ...plan, untilMs: Math.min(plan.untilMs ?? Infinity, at.getTime()) };
}

async function answerLate(deps: StepDeps, record: TransactionRecord): Promise<TestVaspTurn> {
  const { id, messageSource } = record;
  if (messageSource === 'EMAIL') return await remindByMail(deps, record);
  if (messageSource !== 'TRP') return await answerAsTestVasp(deps, id);
  const outbox = await applyTrpAnswer(deps.db, id, deps.now());
  deps.notifyWorkflows(outbox);
  return { hasAnswered: outbox.length > 0, answersAt: null };
}

/** A reminder is no answer: the message goes on waiting. */
async function remindByMail(deps: StepDeps, record: TransactionRecord): Promise<TestVaspTurn> {
  const reminder = await deps.networks.EMAIL.remind?.(record, deps.now());
  deps.notifyWorkflows(reminder?.outbox ?? []);
  return { hasAnswered: false, answersAt: reminder?.dueAt ?? null };
}

type Step = (
  deps: StepDeps,
  open: OpenTransaction,
  checks: ProviderChecks | null | undefined,
) => Promise<StepResult>;

/** The steps that a call takes itself. */
const STEPS: Partial<Record<LifecyclePlan['step'], Step>> = {
  SCREEN: async (deps, open, checks) => {
    await askHolders(deps, open.record);
    return await screen(deps, open, checks);
  },
  ROUTE: async (deps, open) => {
    await askHolders(deps, open.record);
    return await route(deps, open);
  },
  CHECK_BRAKE: async (deps, open) => changed(deps, open, await checkBrake(deps.db, open.record, deps.now())),
  CONFIRM_SELF_HOSTED: confirmSelfHosted,
  EXPIRE: async (deps, open) => await changeBy(deps, open, expire),
  END_REPAIR: async (deps, open) =>
    await changeBy(deps, open, (own, now, counterpart) => endRepair(own, counterpart, now)),
};

/** A timer may end a little early by the clock. */
const TIMER_SLACK_MS = 10;

/** Announces the record when that is due, unless the providers have answered by then. */
async function announceInTime(deps: StepDeps, open: OpenTransaction, answered: AbortSignal): Promise<void> {
  const { announceAt } = open.record;
  if (announceAt === null) return;
  const waitMs = Math.max(0, announceAt.getTime() - deps.now().getTime()) + TIMER_SLACK_MS;
  // The one error of a timer is that it was aborted.
  await sleep(waitMs, undefined, { signal: answered }).catch(() => undefined);
  if (!answered.aborted) await changeBy(deps, open, announceWithoutVerdict);
}

/** Fills in fiat values that were unknown when the transaction was created. */
async function withFiatValues(deps: StepDeps, open: OpenTransaction): Promise<OpenTransaction> {
  const { asset, amountUsd, amountEur } = open.record;
  const price = amountUsd === null && amountEur === null ? deps.priceOf(asset) : undefined;
  if (!price) return open;
  return (await changeBy(deps, open, (own, now) => fillFiatValues(own, price, now))).open;
}
