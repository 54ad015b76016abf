import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import { resolveCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { wakeForRescreening } from '../../db/transactions/wake-for-rescreening.ts';
import { deliver } from './deliver.ts';
import type { StepDeps, StepResult } from './transaction-step.ts';

/** Finds the beneficiary VASP of a message that was screened before, and delivers it; without a VASP it waits. */
export async function route(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  const counterparty = await resolveCounterparty(deps.db.pool, open.record);
  return counterparty ? await deliver(deps, open, { counterparty }) : await waitForCounterparty(deps, open);
}

async function waitForCounterparty(deps: StepDeps, { record }: OpenTransaction): Promise<StepResult> {
  const { counterparty, outbox } = await markUnroutedOrFind(deps.db, record, deps.now());
  deps.notifyWorkflows(outbox);
  // The counterparty has just appeared: the transaction is screened with it first.
  if (counterparty) deps.notifyWorkflows(await wakeForRescreening(deps.db.pool, [record.id], deps.now()));
  return 'READ_AGAIN';
}
