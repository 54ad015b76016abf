import type { Database } from '../../db/database.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import type { PairChange } from '../../domain/transactions/change.ts';
import type { FiatPrice } from '../../domain/transactions/fiat.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { MessageNetworks } from '../network/network.ts';

export interface TransactionDeps {
  db: Database;
  networks: MessageNetworks;
  priceOf: (asset: string) => FiatPrice | undefined;
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

export interface TransactionRef {
  id: string;
}

/** The plan for a record that was deleted or never existed. */
export const GONE: LifecyclePlan = { step: 'DONE', status: 'DELETED' };

/** Reads the record of a workflow; undefined when it was deleted. */
export async function readTransaction(
  { db }: TransactionDeps,
  { id }: TransactionRef,
): Promise<TransactionRecord | undefined> {
  return (await findTransactionOfWorkflow(db, id))?.record;
}

/** Changes a record as `decide` says, notifies the workflows, and plans the next step. */
export async function changeAndPlan(
  deps: TransactionDeps,
  { tenantId, id }: TransactionRecord,
  decide: (own: TransactionRecord, now: Date) => PairChange,
): Promise<LifecyclePlan> {
  const now = deps.now();
  const change = { tenantId, id, now, decide: (own: TransactionRecord) => decide(own, now) };
  const { record, outbox } = await changeTransaction(deps.db, change);
  deps.notifyWorkflows(outbox);
  return planOf(record, deps.now());
}
