import type { Database } from '../../db/database.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { findTenantOfTransaction, findTransaction } from '../../db/transactions/find-transaction.ts';
import type { Decision } from '../../domain/transactions/change.ts';
import type { Price } from '../../domain/transactions/fiat.ts';
import { planOf, type Plan } from '../../domain/transactions/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Networks } from '../network/network.ts';

export interface TransactionDeps {
  db: Database;
  networks: Networks;
  priceOf: (asset: string) => Price | undefined;
  /** Tells the workflows of what was changed; what is not told now, the relay tells. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

export interface Subject {
  id: string;
}

/** The plan for a record that was deleted or never existed. */
export const GONE: Plan = { step: 'DONE', status: 'DELETED' };

/** Reads the row that a workflow was started for; undefined when it is gone. */
export async function readTransaction(
  { db }: TransactionDeps,
  { id }: Subject,
): Promise<TransactionRecord | undefined> {
  const tenantId = await findTenantOfTransaction(db.pool, id);
  return tenantId === undefined ? undefined : await findTransaction(db, tenantId, id);
}

/** Changes a record as `decide` says, tells the workflows, and plans the next step. */
export async function changeAndPlan(
  deps: TransactionDeps,
  { tenantId, id }: TransactionRecord,
  decide: (own: TransactionRecord, now: Date) => Decision,
): Promise<Plan> {
  const now = deps.now();
  const change = { tenantId, id, now, decide: (own: TransactionRecord) => decide(own, now) };
  const { record, outbox } = await changeTransaction(deps.db, change);
  deps.notifyWorkflows(outbox);
  return planOf(record, deps.now());
}
