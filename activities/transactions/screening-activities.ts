import {
  delayTransferScreening,
  settleScreening,
  type Settlement,
} from '../../db/lifecycle/settle-screening.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import { queueLifecycle } from '../../db/transactions/lifecycle-entry.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { keepMatches } from '../../transaction-screening/compare-with-lists.ts';
import {
  queryProviders,
  type ProviderChecks,
  type ScreeningDeps,
} from '../../transaction-screening/gather-findings.ts';
import { judgeTransaction, type MissingSource } from '../../transaction-screening/judge-transaction.ts';
import { GONE, readTransaction, type TransactionDeps, type TransactionRef } from './transaction-access.ts';

/** What screens transfers, and what changes them. */
export interface ScreeningActivityDeps extends ScreeningDeps, TransactionDeps {}

/** The activities that screen a transfer and decide on it. A repeat decides nothing again. */
export function screeningActivities(deps: ScreeningActivityDeps) {
  return {
    /**
     * Screens a transfer and decides on it. `asked` refers to the stored results of outside providers, which
     * askProviders requests before.
     */
    async screenTransaction({
      id,
      asked,
    }: TransactionRef & { asked?: ProviderChecks }): Promise<LifecyclePlan> {
      const open = await findTransactionOfWorkflow(deps.db, id);
      return open ? await screen(deps, open, asked) : GONE;
    },

    /** Like screenTransaction, for a message that has just arrived; longer work continues in its own workflow. */
    async screenArrived({ id }: TransactionRef): Promise<void> {
      const open = await findTransactionOfWorkflow(deps.db, id);
      if (!open) return;
      const plan = await screen(deps, open, undefined);
      if (plan.step !== 'DONE')
        deps.notifyWorkflows(await queueLifecycle(deps.db.pool, open.record, deps.now()));
    },

    /** Queries the tenant's AML provider and the blockchain nodes about the counterparty wallet. */
    async askProviders({ id }: TransactionRef): Promise<ProviderChecks | null> {
      const record = await readTransaction(deps, { id });
      return record ? await queryProviders(deps, record) : null;
    },

    /** Records that a transfer cannot be screened now, and schedules the next attempt or holds it. */
    async delayScreening({ id, what }: TransactionRef & { what: MissingSource }): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, { id });
      return record ? await delay(deps, record, what) : GONE;
    },
  };
}

async function screen(
  deps: ScreeningActivityDeps,
  open: OpenTransaction,
  providerChecks: ProviderChecks | undefined,
): Promise<LifecyclePlan> {
  const { record } = open;
  const plan = planOf(record, deps.now());
  if (plan.step !== 'SCREEN') return plan;
  const judged = await judgeTransaction(deps, open, providerChecks);
  switch (judged.kind) {
    case 'NEEDS_PROVIDERS':
      return { step: 'ASK_PROVIDERS', status: record.status };
    case 'LISTS_MISSING':
      return await delay(deps, record, 'SANCTIONS_LISTS');
    case 'LISTS_LOADING':
      return await retryWhileListsLoad(deps, record, deps.now());
    case 'JUDGED':
      await keepMatches(deps.sanctions, judged.compared, record);
      return await settle(deps, judged.settlement);
  }
}

async function settle(deps: ScreeningActivityDeps, settlement: Settlement): Promise<LifecyclePlan> {
  const settled = await settleScreening(deps.db, settlement);
  if (settled === 'STALE') return screenSoon(settlement.open.record, deps.now());
  deps.notifyWorkflows(settled.outbox);
  return planOf(settled.record, deps.now());
}

async function delay(
  deps: ScreeningActivityDeps,
  record: TransactionRecord,
  what: MissingSource,
): Promise<LifecyclePlan> {
  const { screening } = await getTenantSettings(deps.db.pool, record.tenantId);
  const limits = { what, maxWaitMinutes: screening.maxWaitMinutes };
  const { record: delayed, outbox } = await delayTransferScreening(deps.db, record, limits, deps.now());
  deps.notifyWorkflows(outbox);
  return planOf(delayed, deps.now());
}

const LOADING_MS = 1_000;
/** A list that is not loaded by then has a problem. */
const LOADED_BY_MS = 30_000;

async function retryWhileListsLoad(
  deps: ScreeningActivityDeps,
  record: TransactionRecord,
  now: Date,
): Promise<LifecyclePlan> {
  const { screeningDueSince, createdAt } = record;
  const sinceMs = (screeningDueSince ?? createdAt).getTime();
  if (now.getTime() - sinceMs > LOADED_BY_MS) return await delay(deps, record, 'SANCTIONS_LISTS');
  return screenSoon(record, now);
}

function screenSoon({ status, hold, deadlineAt }: TransactionRecord, now: Date): LifecyclePlan {
  const times = { untilMs: now.getTime() + LOADING_MS, deadlineMs: deadlineAt?.getTime() ?? null };
  return { step: 'WAIT', status, waitingFor: 'SCREENING', hold, ...times };
}
