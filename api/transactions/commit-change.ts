import { changeInTransaction, type TransactionCommand } from '../../db/transactions/change-transaction.ts';
import { showTransaction } from '../../db/transactions/show-transaction.ts';
import type { TenantCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { CommitEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/** The record was paired after its pair was looked up: nothing was written, and the change starts again. */
class PairedMeanwhile extends Error {}

interface ChangeRequest {
  caller: TenantCaller;
  commit: CommitEffect;
  status: number;
}

/**
 * Changes a stored transaction and keeps the answer that shows it under the Idempotency-Key, in one database transaction:
 * a repeat never changes it again, whatever it waits for by then.
 */
export async function commitChange(
  { db }: Pick<Deps, 'db'>,
  { caller, commit, status }: ChangeRequest,
  command: TransactionCommand,
): Promise<EndpointAnswer> {
  for (;;) {
    try {
      return await commit(async (tx) => {
        const changed = await changeInTransaction(db, tx, command);
        if (!changed) throw new PairedMeanwhile();
        return {
          status,
          body: await showTransaction(tx, changed.record, caller.tenant.entityId),
          shows: { kind: 'TRANSACTION', id: command.id },
          outbox: changed.outbox,
        };
      });
    } catch (error) {
      // It happens at most once in the life of a record.
      if (!(error instanceof PairedMeanwhile)) throw error;
    }
  }
}
