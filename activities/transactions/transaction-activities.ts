import type { OutboxEntry } from '../../db/outbox.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { expire } from '../../domain/transactions/lifecycle/expire.ts';
import { fillFiatValues } from '../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import { queryProviders, type ProviderChecks } from '../../transaction-screening/gather-findings.ts';
import { splitOutbox, type CausedWebhook } from '../webhooks/attempt-first.ts';
import { answerAsTestVasp } from './answer-as-test-vasp.ts';
import { confirmSelfHosted } from './confirm-self-hosted.ts';
import { route } from './route.ts';
import { screen } from './screen.ts';
import { changeBy, type StepDeps, type StepResult } from './transaction-step.ts';

interface AdvanceInput {
  id: string;
  /** The results of outside providers, null when these are not available. */
  checks?: ProviderChecks | null;
}

/** What a call has done, without personal data, since it is part of the workflow's history. */
export interface Advance {
  /** What the workflow does next; a step that is not WAIT, DONE or ASK_PROVIDERS asks for another call. */
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
    async advanceTransaction({ id, checks }: AdvanceInput): Promise<Advance> {
      const outbox: OutboxEntry[] = [];
      const collecting = {
        ...deps,
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

    /** Queries the tenant's AML provider and the blockchain nodes about the counterparty wallet. */
    async askProviders({ id }: { id: string }): Promise<ProviderChecks | null> {
      const open = await findTransactionOfWorkflow(deps.db, id);
      return open ? await queryProviders(deps, open.record) : null;
    },
  };
}

async function advance(
  deps: StepDeps,
  id: string,
  checks: ProviderChecks | null | undefined,
): Promise<Pick<Advance, 'plan' | 'steps'>> {
  const steps: Advance['steps'] = [];
  const read = async () => await findTransactionOfWorkflow(deps.db, id);
  let open = await read();
  if (open) open = await withFiatValues(deps, open);
  while (open) {
    const plan = planOf(open.record, deps.now());
    // The message was delivered by a worker that ended before the test VASP has answered.
    const isUnanswered =
      steps.length === 0 && plan.step === 'WAIT' && plan.waitingFor === 'COUNTERPARTY_ANSWER';
    if (isUnanswered && (await answerAsTestVasp(deps, id))) {
      open = await read();
      continue;
    }
    const step = STEPS[plan.step];
    if (!step || steps.length >= MAX_STEPS) return { plan, steps };
    steps.push(plan.step);
    const result = await step(deps, open, checks);
    if (result !== 'READ_AGAIN' && 'plan' in result) return { plan: result.plan, steps };
    open = result === 'READ_AGAIN' ? await read() : result.open;
  }
  return { plan: GONE, steps };
}

type Step = (
  deps: StepDeps,
  open: OpenTransaction,
  checks: ProviderChecks | null | undefined,
) => Promise<StepResult>;

/** The steps that a call takes itself. */
const STEPS: Partial<Record<LifecyclePlan['step'], Step>> = {
  SCREEN: screen,
  ROUTE: route,
  CONFIRM_SELF_HOSTED: confirmSelfHosted,
  EXPIRE: async (deps, open) => await changeBy(deps, open, expire),
};

/** Fills in fiat values that were unknown when the transaction was created. */
async function withFiatValues(deps: StepDeps, open: OpenTransaction): Promise<OpenTransaction> {
  const { asset, amountUsd, amountEur } = open.record;
  const price = amountUsd === null && amountEur === null ? deps.priceOf(asset) : undefined;
  if (!price) return open;
  return (await changeBy(deps, open, (own, now) => fillFiatValues(own, price, now))).open;
}
