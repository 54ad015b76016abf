import { wakeForRescreening } from '../../db/transactions/wake-for-rescreening.ts';
import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import { resolveCounterparty, type RoutedCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import { needsScreening } from '../../domain/transactions/screening-due.ts';
import { markUnreachable } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { CounterpartyUnreachable } from '../network/network.ts';
import {
  changeAndPlan,
  GONE,
  readTransaction,
  type TransactionSubject,
  type TransactionDeps,
} from './transaction-access.ts';

/** What comes next for the sender, and the receiver's record where that is to be screened. */
interface CarriedMessage {
  plan: LifecyclePlan;
  arrivedId: string | null;
}

/** The steps that bring a message to its receiver. Doing one twice does nothing the second time. */
export function routingActivities(deps: TransactionDeps) {
  const { db } = deps;
  return {
    /** Finds the beneficiary VASP; without one the message waits for it to appear. */
    async resolveCounterparty(
      subject: TransactionSubject,
    ): Promise<{ counterparty: RoutedCounterparty | null; plan: LifecyclePlan }> {
      const record = await readTransaction(deps, subject);
      if (!record) return { counterparty: null, plan: GONE };
      const found = await resolveCounterparty(db.pool, record);
      if (found) return { counterparty: found, plan: planOf(record, deps.now()) };
      const { counterparty, outbox } = await markUnroutedOrFind(db, record, deps.now());
      deps.notifyWorkflows(outbox);
      // It appeared in this very moment: nobody has decided about it yet.
      if (counterparty) deps.notifyWorkflows(await wakeForRescreening(db.pool, [record.id], deps.now()));
      const marked = await readTransaction(deps, subject);
      return { counterparty: null, plan: marked ? planOf(marked, deps.now()) : GONE };
    },

    /** Carries the message to its receiver over the receiver's network. */
    async deliverMessage({
      id,
      counterparty,
    }: TransactionSubject & { counterparty: RoutedCounterparty }): Promise<CarriedMessage> {
      const record = await readTransaction(deps, { id });
      if (!record) return { plan: GONE, arrivedId: null };
      try {
        const delivered = await deps.networks[counterparty.network].deliver(record, counterparty, deps.now());
        if (delivered) {
          deps.notifyWorkflows(delivered.outbox);
          const plan = planOf(delivered.record, deps.now());
          return { plan, arrivedId: toScreen(delivered.incoming) };
        }
      } catch (error) {
        if (!(error instanceof CounterpartyUnreachable)) throw error;
        return { plan: await changeAndPlan(deps, record, markUnreachable), arrivedId: null };
      }
      const after = await readTransaction(deps, { id });
      return { plan: after ? planOf(after, deps.now()) : GONE, arrivedId: null };
    },
  };
}

function toScreen(incoming: TransactionRecord | null): string | null {
  return incoming && needsScreening(incoming) ? incoming.id : null;
}
