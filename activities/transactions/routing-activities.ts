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
  type TransactionRef,
  type TransactionDeps,
} from './transaction-access.ts';

/** The sender's next step, and the id of the receiver's record if that has to be screened. */
interface DeliveryResult {
  plan: LifecyclePlan;
  arrivedId: string | null;
}

/** The activities that route and deliver a message. A repeat does nothing. */
export function routingActivities(deps: TransactionDeps) {
  const { db } = deps;
  return {
    /** Finds the beneficiary VASP; without one the message waits. */
    async resolveCounterparty(
      ref: TransactionRef,
    ): Promise<{ counterparty: RoutedCounterparty | null; plan: LifecyclePlan }> {
      const record = await readTransaction(deps, ref);
      if (!record) return { counterparty: null, plan: GONE };
      const found = await resolveCounterparty(db.pool, record);
      if (found) return { counterparty: found, plan: planOf(record, deps.now()) };
      const { counterparty, outbox } = await markUnroutedOrFind(db, record, deps.now());
      deps.notifyWorkflows(outbox);
      // The counterparty has just appeared: the transfer is screened with it first.
      if (counterparty) deps.notifyWorkflows(await wakeForRescreening(db.pool, [record.id], deps.now()));
      const marked = await readTransaction(deps, ref);
      return { counterparty: null, plan: marked ? planOf(marked, deps.now()) : GONE };
    },

    /** Delivers the message over the receiver's network. */
    async deliverMessage({
      id,
      counterparty,
    }: TransactionRef & { counterparty: RoutedCounterparty }): Promise<DeliveryResult> {
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
      const current = await readTransaction(deps, { id });
      return { plan: current ? planOf(current, deps.now()) : GONE, arrivedId: null };
    },
  };
}

function toScreen(incoming: TransactionRecord | null): string | null {
  return incoming && needsScreening(incoming) ? incoming.id : null;
}
