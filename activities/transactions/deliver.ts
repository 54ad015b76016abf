import type { RoutedCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import { settleScreening, type Settlement } from '../../db/lifecycle/settle-screening.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { markUnreachable } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import { CounterpartyUnreachable } from '../network/network.ts';
import { answerAsTestVasp } from './answer-as-test-vasp.ts';
import { changeBy, changed, screenSoon, type StepDeps, type StepResult } from './transaction-step.ts';

interface DeliveryInput {
  counterparty: RoutedCounterparty;
  /** The sender's own screening, stored with the delivery. Left out for a record that was screened before. */
  screened?: Settlement;
}

/** Delivers a message over the network of its receiver. In a sandbox a test VASP responds at once. */
export async function deliver(
  deps: StepDeps,
  open: OpenTransaction,
  { counterparty, screened }: DeliveryInput,
): Promise<StepResult> {
  const now = screened?.now ?? deps.now();
  const message = { record: open.record, counterparty, ...(screened && { screened }), now };
  try {
    const delivered = await deps.networks[counterparty.network].deliver(message);
    if (delivered === 'SCREEN_AGAIN') return { plan: screenSoon(open.record, deps.now()) };
    if (delivered === null) return 'READ_AGAIN';
    const result = changed(deps, open, delivered);
    if (counterparty.testBehaviour === undefined) return result;
  } catch (error) {
    if (!(error instanceof CounterpartyUnreachable)) throw error;
    return await waitForNetwork(deps, open, screened);
  }
  await answerAsTestVasp(deps, open.record.id);
  return 'READ_AGAIN';
}

async function waitForNetwork(
  deps: StepDeps,
  open: OpenTransaction,
  screened: Settlement | undefined,
): Promise<StepResult> {
  const settled = screened && (await settleScreening(deps.db, screened));
  if (settled === 'STALE') return { plan: screenSoon(open.record, deps.now()) };
  if (settled) deps.notifyWorkflows(settled.outbox);
  return await changeBy(deps, open, markUnreachable);
}
