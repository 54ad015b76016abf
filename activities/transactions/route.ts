import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import { hasNewCounterparty, wakeForNewCounterparty } from '../../db/lifecycle/new-counterparty.ts';
import { counterpartyOf } from '../../db/lifecycle/resolve-counterparty.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { wakeForRescreening } from '../../db/transactions/wake-for-rescreening.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import { deliver } from './deliver.ts';
import type { StepDeps, StepResult } from './transaction-step.ts';

/**
 * Finds the beneficiary VASP of a message that was screened before, and delivers it; without a VASP it waits. A message
 * that the rules have cleared is screened again first, since rules, settings and the VASP may be others by now; so is one
 * that a reviewer has released, if the VASP is another than the screened one. A message that is not screened at all is
 * delivered.
 */
export async function route(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  const { record } = open;
  const { entityId, receiver: counterparty } = await counterpartyOf(deps.db.pool, record);
  if (!counterparty) return await waitForCounterparty(deps, open);
  if (record.screeningState === 'REVIEWED') {
    if (!(await hasNewCounterparty(deps.db, open, entityId)))
      return await deliver(deps, open, { counterparty });
    deps.notifyWorkflows(await wakeForNewCounterparty(deps.db.pool, record, deps.now()));
    return 'READ_AGAIN';
  }
  if (record.screeningState !== 'CLEARED') return await deliver(deps, open, { counterparty });
  deps.notifyWorkflows(await wakeForRescreening(deps.db.pool, [record.id], deps.now()));
  return 'READ_AGAIN';
}

async function waitForCounterparty(deps: StepDeps, { record }: OpenTransaction): Promise<StepResult> {
  const now = deps.now();
  const marked = await markUnroutedOrFind(deps.db, record, now);
  if (marked === 'NAMES_CHANGE') return { plan: routeSoon(record, now) };
  const { counterparty, outbox } = marked;
  deps.notifyWorkflows(outbox);
  // The counterparty has just appeared: the transaction is screened with it first.
  if (counterparty) deps.notifyWorkflows(await wakeForRescreening(deps.db.pool, [record.id], deps.now()));
  return 'READ_AGAIN';
}

/** The last step of a large import takes a few of these pauses. */
const IMPORTING_MS = 2_000;

/** The plan of a message whose VASP may be in the file that is being imported into the directory. */
function routeSoon({ status, deadlineAt }: TransactionRecord, now: Date): LifecyclePlan {
  const times = { untilMs: now.getTime() + IMPORTING_MS, deadlineMs: deadlineAt?.getTime() ?? null };
  return { step: 'WAIT', status, waitingFor: 'ROUTE', hold: null, ...times };
}
