import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import { resolveCounterparty, type RoutedCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { wakeForRescreening } from '../../db/transactions/wake-for-rescreening.ts';
import { markUnreachable } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import { CounterpartyUnreachable } from '../network/network.ts';
import { answerAsTestVasp } from './answer-as-test-vasp.ts';
import { changeBy, changed, type StepDeps, type StepResult } from './transaction-step.ts';

/**
 * Finds the beneficiary VASP and delivers the message over its network; without a VASP the message waits. In a sandbox a
 * test VASP responds at once.
 */
export async function route(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  const counterparty = await resolveCounterparty(deps.db.pool, open.record);
  if (!counterparty) return await waitForCounterparty(deps, open);
  const delivered = await deliver(deps, open, counterparty);
  if (counterparty.testBehaviour === undefined) return delivered;
  await answerAsTestVasp(deps, open.record.id);
  return 'READ_AGAIN';
}

async function waitForCounterparty(deps: StepDeps, { record }: OpenTransaction): Promise<StepResult> {
  const { counterparty, outbox } = await markUnroutedOrFind(deps.db, record, deps.now());
  deps.notifyWorkflows(outbox);
  // The counterparty has just appeared: the transaction is screened with it first.
  if (counterparty) deps.notifyWorkflows(await wakeForRescreening(deps.db.pool, [record.id], deps.now()));
  return 'READ_AGAIN';
}

async function deliver(
  deps: StepDeps,
  open: OpenTransaction,
  counterparty: RoutedCounterparty,
): Promise<StepResult> {
  try {
    const network = deps.networks[counterparty.network];
    const delivered = await network.deliver(open.record, counterparty, deps.now());
    return delivered ? changed(deps, open, delivered) : 'READ_AGAIN';
  } catch (error) {
    if (!(error instanceof CounterpartyUnreachable)) throw error;
    return await changeBy(deps, open, markUnreachable);
  }
}
