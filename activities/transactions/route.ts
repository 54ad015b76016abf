import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import { resolveCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { wakeForRescreening } from '../../db/transactions/wake-for-rescreening.ts';
import { deliver } from './deliver.ts';
import type { StepDeps, StepResult } from './transaction-step.ts';

/**
 * Finds the beneficiary VASP of a message that was screened before, and delivers it; without a VASP it waits. A message
 * that the rules have cleared is screened again first, since rules, settings and the VASP may be others by now; one that
 * a reviewer has released, and one that is not screened at all, is delivered.
 */
export async function route(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  const { record } = open;
  const counterparty = await resolveCounterparty(deps.db.pool, record);
  if (!counterparty) return await waitForCounterparty(deps, open);
  if (record.screeningState !== 'CLEARED') return await deliver(deps, open, { counterparty });
  deps.notifyWorkflows(await wakeForRescreening(deps.db.pool, [record.id], deps.now()));
  return 'READ_AGAIN';
}

async function waitForCounterparty(deps: StepDeps, { record }: OpenTransaction): Promise<StepResult> {
  const { counterparty, outbox } = await markUnroutedOrFind(deps.db, record, deps.now());
  deps.notifyWorkflows(outbox);
  // The counterparty has just appeared: the transaction is screened with it first.
  if (counterparty) deps.notifyWorkflows(await wakeForRescreening(deps.db.pool, [record.id], deps.now()));
  return 'READ_AGAIN';
}
