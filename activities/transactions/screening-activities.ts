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
  askOutside,
  gatherFindings,
  leavesHouse,
  type AskedProviders,
  type ScreeningDeps,
} from './gather-findings.ts';
import {
  compareWithLists,
  isComplete,
  keepMatches,
  sanctionsOf,
  searchedVersions,
} from './screen-sanctions.ts';
import { GONE, readTransaction, type TransactionSubject } from './transaction-access.ts';

/** What could not be had; the log and operators are told this word. */
type MissingAnswer = 'SANCTIONS_LISTS' | 'AML';

/** The steps that find out about a transfer and decide on it. Doing one twice decides once. */
export function screeningActivities(deps: ScreeningDeps) {
  return {
    /**
     * Finds out about a transfer and decides on it. What is to be asked outside comes first and is told by the ids of its
     * stored answers.
     */
    async screenTransaction({
      id,
      asked,
    }: TransactionSubject & { asked?: AskedProviders }): Promise<LifecyclePlan> {
      const open = await readOpen(deps, id);
      return open ? await screen(deps, open, asked) : GONE;
    },

    /** The same for what has just arrived; what takes longer goes on in a workflow of its own. */
    async screenArrived({ id }: TransactionSubject): Promise<void> {
      const open = await readOpen(deps, id);
      if (!open) return;
      const plan = await screen(deps, open, undefined);
      if (plan.step !== 'DONE')
        deps.notifyWorkflows(await queueLifecycle(deps.db.pool, open.record, deps.now()));
    },

    /** Asks the tenant's AML provider and the nodes of the chain about the wallet on the other side. */
    async askProviders({ id }: TransactionSubject): Promise<AskedProviders | null> {
      const record = await readTransaction(deps, { id });
      return record ? await askOutside(deps, record) : null;
    },

    /** Says that a transfer cannot be screened now, and when it is tried again or held. */
    async delayScreening({ id, what }: TransactionSubject & { what: MissingAnswer }): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, { id });
      return record ? await delay(deps, record, what) : GONE;
    },
  };
}

async function screen(
  deps: ScreeningDeps,
  open: OpenTransaction,
  told: AskedProviders | undefined,
): Promise<LifecyclePlan> {
  const { record } = open;
  const now = deps.now();
  const plan = planOf(record, now);
  if (plan.step !== 'SCREEN') return plan;
  const context = await surroundingsOf(deps, record);
  const previous = record.version === 1 ? null : await findLatestScreening(deps.db, open);
  const known = servesAgain(previous, record, context.amlProvider, now) ? previous : null;
  // What was asked about an earlier state of the record is no answer about this one.
  const asked = told?.version === record.version ? told : undefined;
  if (!asked && !known && leavesHouse(deps, record, context))
    return { step: 'ASK_PROVIDERS', status: record.status };
  const compared = await compareOrNull(deps, record, context);
  if (!compared || !isComplete(compared)) return await delay(deps, record, 'SANCTIONS_LISTS');
  if (isBehind(searchedVersions(compared), context)) return await lookAgain(deps, record, now);
  await keepMatches(deps.sanctions, compared, record);
  const screening: TransactionScreening = {
    id: newId(now),
    recordVersion: record.version,
    screenedAt: now.toISOString(),
    sanctions: sanctionsOf(compared),
    otherWallet: otherWallet(record),
    ...(await gatherFindings(deps, record, { context, asked, known })),
    counterparty: context.counterparty,
  };
  return await settle(deps, open, screening, context, now);
}

async function settle(
  deps: ScreeningDeps,
  open: OpenTransaction,
  screening: TransactionScreening,
  context: ScreeningContext,
  now: Date,
): Promise<LifecyclePlan> {
  const ruled = await applyRules(deps.db, open.record, screening, context, now);
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
  what: MissingAnswer,
): Promise<LifecyclePlan> {
  const { screening } = await getTenantSettings(deps.db.pool, record.tenantId);
  const limits = { what, maxWaitMinutes: screening.maxWaitMinutes };
  const { record: after, outbox } = await delayTransferScreening(deps.db, record, limits, deps.now());
  deps.notifyWorkflows(outbox);
  return planOf(after, deps.now());
}

async function readOpen({ db }: ScreeningDeps, id: string): Promise<OpenTransaction | undefined> {
  const tenantId = await findTenantOfTransaction(db.pool, id);
  return tenantId === undefined ? undefined : await findOpenTransaction(db, tenantId, id);
}

async function surroundingsOf(
  { db, now }: ScreeningDeps,
  record: TransactionRecord,
): Promise<ScreeningContext> {
  const entityId = await counterpartyEntityOf(db.pool, record);
  return await readScreeningContext(db.pool, record, entityId, now());
}

/** Null while the lists cannot be asked. */
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

/** A list that was switched a moment ago is being loaded: what was searched is older than what is due. */
function isBehind(searched: ReadonlyMap<string, number>, { activeLists }: ScreeningContext): boolean {
  return searched.size > 0 && activeLists.some(({ code, version }) => (searched.get(code) ?? 0) < version);
}

const LOADING_MS = 1_000;
/** A list that is not loaded after this time is in trouble. */
const LOADED_BY_MS = 30_000;

async function lookAgain(deps: ScreeningDeps, record: TransactionRecord, now: Date): Promise<LifecyclePlan> {
  const { status, hold, deadlineAt, screeningDueSince, createdAt } = record;
  const sinceMs = (screeningDueSince ?? createdAt).getTime();
  if (now.getTime() - sinceMs > LOADED_BY_MS) return await delay(deps, record, 'SANCTIONS_LISTS');
  const times = { untilMs: now.getTime() + LOADING_MS, deadlineMs: deadlineAt?.getTime() ?? null };
  return { step: 'WAIT', status, waitingFor: 'SCREENING', hold, ...times };
}
