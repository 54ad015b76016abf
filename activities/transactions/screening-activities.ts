import { counterpartyEntityOf } from '../../db/lifecycle/resolve-counterparty.ts';
import { delayTransferScreening, settleScreening } from '../../db/lifecycle/settle-screening.ts';
import { newId } from '../../db/new-id.ts';
import { findLatestScreening } from '../../db/transaction-screenings/get-screening.ts';
import { readScreeningContext, type ScreeningContext } from '../../db/lifecycle/read-screening-context.ts';
import { findOpenTransaction, findTenantOfTransaction } from '../../db/transactions/find-transaction.ts';
import { queueLifecycle } from '../../db/transactions/lifecycle-entry.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { DomainError } from '../../domain/errors.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  otherWallet,
  servesAgain,
  type TransactionScreening,
} from '../../domain/transactions/deciding/screening.ts';
import { combineFindings } from '../../domain/transactions/deciding/combine-findings.ts';
import { applyRules } from './apply-rules.ts';
import {
  queryProviders,
  gatherFindings,
  needsNetwork,
  type ProviderChecks,
  type ScreeningDeps,
} from './gather-findings.ts';
import {
  compareWithLists,
  isComplete,
  keepMatches,
  sanctionsOf,
  searchedVersions,
} from './screen-sanctions.ts';
import { GONE, readTransaction, type TransactionRef } from './transaction-access.ts';

/** What is missing for a screening; a code for the event log and operators. */
type MissingSource = 'SANCTIONS_LISTS' | 'AML';

/** The activities that screen a transfer and decide on it. A repeat decides nothing again. */
export function screeningActivities(deps: ScreeningDeps) {
  return {
    /**
     * Screens a transfer and decides on it. `asked` refers to the stored results of outside providers, which
     * askProviders requests before.
     */
    async screenTransaction({
      id,
      asked,
    }: TransactionRef & { asked?: ProviderChecks }): Promise<LifecyclePlan> {
      const open = await readOpen(deps, id);
      return open ? await screen(deps, open, asked) : GONE;
    },

    /** Like screenTransaction, for a message that has just arrived; longer work continues in its own workflow. */
    async screenArrived({ id }: TransactionRef): Promise<void> {
      const open = await readOpen(deps, id);
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
  deps: ScreeningDeps,
  open: OpenTransaction,
  providerChecks: ProviderChecks | undefined,
): Promise<LifecyclePlan> {
  const { record } = open;
  const now = deps.now();
  const plan = planOf(record, now);
  if (plan.step !== 'SCREEN') return plan;
  const context = await contextOf(deps, record);
  const previous = record.version === 1 ? null : await findLatestScreening(deps.db, open);
  const known = servesAgain(previous, record, context.amlProvider, now) ? previous : null;
  // Results for an earlier version of the record do not count for this one.
  const checks = providerChecks?.version === record.version ? providerChecks : undefined;
  if (!checks && !known && needsNetwork(deps, record, context))
    return { step: 'ASK_PROVIDERS', status: record.status };
  const compared = await compareOrNull(deps, record, context);
  if (!compared || !isComplete(compared)) return await delay(deps, record, 'SANCTIONS_LISTS');
  if (isBehind(searchedVersions(compared), context)) return await retryWhileListsLoad(deps, record, now);
  await keepMatches(deps.sanctions, compared, record);
  const screening: TransactionScreening = {
    id: newId(now),
    recordVersion: record.version,
    screenedAt: now.toISOString(),
    sanctions: sanctionsOf(compared),
    otherWallet: otherWallet(record),
    ...(await gatherFindings(deps, record, { context, checks, known })),
    counterparty: context.counterparty,
  };
  return await settle(deps, { open, screening, context, now });
}

interface SettlementInput {
  open: OpenTransaction;
  screening: TransactionScreening;
  context: ScreeningContext;
  now: Date;
}

async function settle(
  deps: ScreeningDeps,
  { open, screening, context, now }: SettlementInput,
): Promise<LifecyclePlan> {
  const ruled = await applyRules(deps.db, { record: open.record, screening, context, now });
  const verdict = combineFindings(open.record, screening, ruled);
  const { decision, guardCount } = ruled ?? { decision: null, guardCount: null };
  const settlement = { open, screening, verdict, decision, guardCount, now };
  const { record, outbox } = await settleScreening(deps.db, settlement);
  deps.notifyWorkflows(outbox);
  return planOf(record, deps.now());
}

async function delay(
  deps: ScreeningDeps,
  record: TransactionRecord,
  what: MissingSource,
): Promise<LifecyclePlan> {
  const { screening } = await getTenantSettings(deps.db.pool, record.tenantId);
  const limits = { what, maxWaitMinutes: screening.maxWaitMinutes };
  const { record: delayed, outbox } = await delayTransferScreening(deps.db, record, limits, deps.now());
  deps.notifyWorkflows(outbox);
  return planOf(delayed, deps.now());
}

async function readOpen({ db }: ScreeningDeps, id: string): Promise<OpenTransaction | undefined> {
  const tenantId = await findTenantOfTransaction(db.pool, id);
  return tenantId === undefined ? undefined : await findOpenTransaction(db, tenantId, id);
}

async function contextOf({ db, now }: ScreeningDeps, record: TransactionRecord): Promise<ScreeningContext> {
  const entityId = await counterpartyEntityOf(db.pool, record);
  return await readScreeningContext(db.pool, record, entityId, now());
}

/** Null while the lists are not available. */
async function compareOrNull(
  { sanctions }: ScreeningDeps,
  record: TransactionRecord,
  { counterparty, settings }: ScreeningContext,
) {
  try {
    return await compareWithLists(sanctions, record, {
      settings: settings.screening,
      vaspName: counterparty?.name ?? null,
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'temporarily_unavailable') return null;
    throw error;
  }
}

/** Whether an older list version was searched than is due: a new version is still being loaded. */
function isBehind(searched: ReadonlyMap<string, number>, { activeLists }: ScreeningContext): boolean {
  return searched.size > 0 && activeLists.some(({ code, version }) => (searched.get(code) ?? 0) < version);
}

const LOADING_MS = 1_000;
/** A list that is not loaded by then has a problem. */
const LOADED_BY_MS = 30_000;

async function retryWhileListsLoad(
  deps: ScreeningDeps,
  record: TransactionRecord,
  now: Date,
): Promise<LifecyclePlan> {
  const { status, hold, deadlineAt, screeningDueSince, createdAt } = record;
  const sinceMs = (screeningDueSince ?? createdAt).getTime();
  if (now.getTime() - sinceMs > LOADED_BY_MS) return await delay(deps, record, 'SANCTIONS_LISTS');
  const times = { untilMs: now.getTime() + LOADING_MS, deadlineMs: deadlineAt?.getTime() ?? null };
  return { step: 'WAIT', status, waitingFor: 'SCREENING', hold, ...times };
}
