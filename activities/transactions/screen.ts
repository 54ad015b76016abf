import {
  delayTransferScreening,
  settleScreening,
  type TransactionJudgement,
} from '../../db/lifecycle/settle-screening.ts';
import { isRecheckToDecideAnew, wakeAnew } from '../../db/lifecycle/new-counterparty.ts';
import type { RoutedCounterparty } from '../../domain/transactions/lifecycle/route.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { applyVerdict } from '../../domain/transactions/deciding/apply-verdict.ts';
import { isWaitOver, type ScreeningDelay } from '../../domain/transactions/deciding/delay-screening.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { planOf } from '../../domain/transactions/lifecycle/next-step.ts';
import { doListsNotLoad } from '../../transaction-screening/compare-completely.ts';
import { unansweredChecks, type ProviderChecks } from '../../transaction-screening/gather-findings.ts';
import { judgeTransaction, type MissingSource } from '../../transaction-screening/judge-transaction.ts';
import { withoutProviders } from '../../transaction-screening/without-providers.ts';
import { deliver } from './deliver.ts';
import { changed, screenSoon, type StepDeps, type StepResult } from './transaction-step.ts';

/**
 * Screens a transaction and decides on it. `providerChecks` refer to the stored results of outside providers; null when
 * these are not available: then the transaction waits, since a missing result never counts as a clear one.
 */
export async function screen(
  deps: StepDeps,
  open: OpenTransaction,
  providerChecks: ProviderChecks | null | undefined,
): Promise<StepResult> {
  if (await isRecheckToDecideAnew(deps.db, deps.db.pool, open)) {
    deps.notifyWorkflows(await wakeAnew(deps.db.pool, open.record, deps.now()));
    return 'READ_AGAIN';
  }
  if (providerChecks === null) return await screenWithoutProviders(deps, open);
  const judged = await judgeTransaction(deps, open, providerChecks);
  switch (judged.kind) {
    case 'NEEDS_PROVIDERS':
      return { plan: { step: 'ASK_PROVIDERS', status: open.record.status } };
    case 'LISTS_MISSING':
      return await putOff(deps, open, 'SANCTIONS_LISTS');
    case 'LISTS_LOADING':
      return await retryWhileListsLoad(deps, open);
    case 'JUDGED':
      return await settleOrDeliver(deps, judged.settlement, judged.receiver);
  }
}

/**
 * A message that may be sent now is delivered by the transaction that stores its screening, to the VASP that it was
 * screened with.
 */
async function settleOrDeliver(
  deps: StepDeps,
  settlement: TransactionJudgement,
  receiver: RoutedCounterparty | null,
): Promise<StepResult> {
  const { open, verdict, now } = settlement;
  const { own } = applyVerdict(open.record, null, verdict, now);
  const isToRoute = own !== null && planOf(own.after, now).step === 'ROUTE';
  return isToRoute && receiver
    ? await deliver(deps, open, { counterparty: receiver, screened: settlement })
    : await settle(deps, settlement);
}

async function settle(deps: StepDeps, settlement: TransactionJudgement): Promise<StepResult> {
  const settled = await settleScreening(deps.db, settlement);
  if (settled === 'STALE') return { plan: screenSoon(settlement.open.record, deps.now()) };
  return changed(deps, settlement.open, settled);
}

/** The lists are compared at the end of the wait for a provider, whatever the transfer is held for. */
async function screenWithoutProviders(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  const { record } = open;
  if (isWaitOver(record, await delayOf(deps, record, 'AML'), deps.now())) {
    const judged = await judgeTransaction(deps, open, unansweredChecks(record));
    if (judged.kind === 'JUDGED') return await settle(deps, withoutProviders(judged.settlement));
    if (judged.kind === 'LISTS_LOADING') return await retryWhileListsLoad(deps, open);
    if (judged.kind === 'LISTS_MISSING') return await putOff(deps, open, 'SANCTIONS_LISTS');
  }
  return await putOff(deps, open, 'AML');
}

/** Schedules the next attempt, or holds a transaction that has waited too long. */
async function putOff(deps: StepDeps, open: OpenTransaction, what: MissingSource): Promise<StepResult> {
  const { record } = open;
  const limits = await delayOf(deps, record, what);
  return changed(deps, open, await delayTransferScreening(deps.db, record, limits, deps.now()));
}

async function delayOf(
  deps: StepDeps,
  { tenantId }: TransactionRecord,
  what: MissingSource,
): Promise<ScreeningDelay> {
  const { screening } = await getTenantSettings(deps.db.pool, tenantId);
  return { what, maxWaitMinutes: screening.maxWaitMinutes, triedSince: deps.startedAt };
}

/**
 * Tries again in a second while the lists are being loaded. The time of the load decides, not that of the transaction: after
 * a night without worker or Temporal all that waited is screened as soon as the lists are there.
 */
async function retryWhileListsLoad(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  if (doListsNotLoad(deps.sanctions)) return await putOff(deps, open, 'SANCTIONS_LISTS');
  return { plan: screenSoon(open.record, deps.now()) };
}
