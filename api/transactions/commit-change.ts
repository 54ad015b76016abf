import { changeInTransaction, type TransactionCommand } from '../../db/transactions/change-transaction.ts';
import type { ProposalRecord } from '../../domain/proposals/proposal.ts';
import { viewProposal } from '../../domain/proposals/schema.ts';
import { showTransaction } from '../../db/transactions/show-transaction.ts';
import type { Actor } from '../../domain/events/actor.ts';
import { actorOf, type TenantCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { CommitEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/** The record was paired after its pair was looked up: nothing was written, and the change starts again. */
class PairedMeanwhile extends Error {}

interface ChangeRequest {
  caller: TenantCaller;
  commit: CommitEffect;
  status: number;
  /** The proposal that the change was made of, or that was made instead of it; known once the command has run. */
  proposal?: () => ProposalRecord | undefined;
}

/**
 * Changes a stored transaction and keeps the answer that shows it under the Idempotency-Key, in one database transaction:
 * a repeat never changes it again, whatever it waits for by then.
 */
export async function commitChange(
  { db }: Pick<Deps, 'db'>,
  { caller, commit, status, proposal }: ChangeRequest,
  command: TransactionCommand,
): Promise<EndpointAnswer> {
  for (;;) {
    try {
      return await commit(async (tx) => {
        const changed = await changeInTransaction(db, tx, command);
        if (!changed) throw new PairedMeanwhile();
        const shown = await showTransaction(db, tx, changed.record, caller.tenant.entityId);
        const made = proposal?.();
        return {
          status,
          body: made ? { ...shown, proposal: viewProposal(made) } : shown,
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

/** Changes the transaction of a request as `decide` says for its caller. Answers 200 with the changed transaction. */
export async function commitDecision(
  deps: Pick<Deps, 'db'>,
  { params: { id }, caller, commit }: { params: { id: string }; caller: TenantCaller; commit: CommitEffect },
  decide: (
    own: Parameters<TransactionCommand['decide']>[0],
    by: { actor: Actor; now: Date },
  ) => ReturnType<TransactionCommand['decide']>,
): Promise<EndpointAnswer> {
  const now = new Date();
  const by = { actor: actorOf(caller), now };
  return await commitChange(
    deps,
    { caller, commit, status: 200 },
    { tenantId: caller.tenantId, id, now, decide: (own) => decide(own, by) },
  );
}
