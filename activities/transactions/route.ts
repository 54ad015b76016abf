import { isBehindLists } from '../../db/transactions/compared-lists.ts';
import { hasNewName } from '../../db/transactions/compared-names.ts';
import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import { isToDecideAnew, wakeAnew } from '../../db/lifecycle/new-counterparty.ts';
import { counterpartyOf } from '../../db/lifecycle/resolve-counterparty.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { wakeForRescreening } from '../../db/transactions/wake-for-rescreening.ts';
import { isPassedUnscreened } from '../../domain/transactions/screening-due.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import { deliver } from './deliver.ts';
import type { StepDeps, StepResult } from './transaction-step.ts';

/**
 * Finds the beneficiary VASP of a message that was screened before, and delivers it; without a VASP it waits. A message
 * that the rules have cleared is screened again first, since rules, settings and the VASP may be others by now; so is one
 * that a reviewer has released, if the VASP or a list is another than the screened one. A message that is not screened
 * at all is delivered.
 */
export async function route(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  const { entityId, receiver: counterparty } = await counterpartyOf(deps.db.pool, open.record, deps.db);
  if (!counterparty) return await waitForCounterparty(deps, open);
  const outbox = await screenFirst(deps, open, entityId);
  if (outbox === null) return await deliver(deps, open, { counterparty });
  deps.notifyWorkflows(outbox);
  return 'READ_AGAIN';
}

/** Makes a message due for screening where it has to be screened before its delivery; null where it has not. */
async function screenFirst(
  { db, now }: StepDeps,
  open: OpenTransaction,
  entityId: string | null,
): Promise<OutboxEntry[] | null> {
  const { record } = open;
  if (record.screeningState === 'CLEARED') return await wakeForRescreening(db.pool, [record.id], now());
  if (record.screeningState !== 'REVIEWED') return null;
  if (await isToDecideAnew(db, open, entityId)) return await wakeAnew(db.pool, record, now());
  if (isPassedUnscreened(record)) return null;
  return (await isBehindLists(db.pool, record)) || (await hasNewName(db, open, entityId))
    ? await wakeForRescreening(db.pool, [record.id], now())
    : null;
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
