import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { isBehindScreening, requireSameVasp } from '../../db/lifecycle/new-counterparty.ts';
import type { Queryable } from '../../db/postgres.ts';
import {
  isBehindKeptLists,
  isOlderThanLists,
  requireComparedLists,
} from '../../db/transactions/compared-lists.ts';
import { lockTransaction } from '../../db/transactions/find-transaction.ts';
import { proceedUnanswered, retryFirst } from '../../domain/transactions/proceed-unanswered.ts';
import { ProceedBody, Transaction } from '../../domain/transactions/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { requireSeen, screeningPending } from '../../domain/transactions/screening-due.ts';
import { actorOf } from '../caller.ts';
import { commitChange } from './commit-change.ts';

export const proceedTransactionEndpoint = defineEndpoint({
  operationId: 'proceedTransaction',
  method: 'POST',
  path: '/transactions/{id}/proceed',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Record that the coins go without an answer',
  description:
    'The sunrise override: your decision to pay out although the beneficiary VASP was not found, not reached, or does not answer. It ' +
    'changes neither status nor `clearance.outcome`, which stays WAIT with the reason SUNRISE_OVERRIDE; the message is still ' +
    'delivered and answered where that is possible. Once for a transaction: a repeat is 409, and so is one that is decided, ' +
    'held, blocked or not screened yet, or that goes to a self-hosted wallet.',
  params: z.strictObject({ id: UuidParam }),
  body: ProceedBody,
  idempotency: 'TRANSACTION',
  example: {
    body: { reason: 'The beneficiary VASP is not yet under a Travel Rule. Approved by compliance.' },
  },
  responses: { 200: { description: 'Recorded.', schema: Transaction } },
  errors: ['invalid_transition', 'review_required', 'screening_pending', 'conflict'],
  async handle({ params: { id }, body: { reason }, caller, commit }, deps) {
    const { tenantId } = caller;
    // One that found no VASP is screened again for its next routing only: the coins must not go before that.
    const looked = await deps.screenInRequest({ tenantId, id });
    const now = new Date();
    let isChanged = false;
    return await commitChange(
      deps,
      { caller, commit, status: 200 },
      {
        tenantId,
        id,
        now,
        decide: (own) => {
          const proceeded = proceedUnanswered(own, { reason, actor: actorOf(caller), now });
          requireSeen(looked, own);
          isChanged = own.version !== looked.versionBefore;
          return proceeded;
        },
        also: async (tx, written) => {
          if (written.status === 'FAILED' && (await isOutOfDate(deps.db, tx, written))) throw retryFirst();
          await requireComparedLists(tx, written);
          await requireSameVasp(deps.db, tx, { written, described: looked.vasp });
          // A hold that has ended since the request has looked hid that nobody has seen its VASP. Where nothing has changed the look
          // counts: its screening may have found that the one before still stands.
          if (
            isChanged &&
            written.status === 'PENDING' &&
            (await whatIsBehind(deps.db, tx, written)) === 'ANEW'
          )
            throw screeningPending();
        },
      },
    );
  },
});

/**
 * Whether one that has failed, which nothing screens any more, was screened with other lists, false positives or names of its VASP
 * than those of now.
 */
async function isOutOfDate(db: Database, tx: Queryable, failed: TransactionRecord): Promise<boolean> {
  if ((await isOlderThanLists(tx, failed)) || (await isBehindKeptLists(tx, failed))) return true;
  return (await whatIsBehind(db, tx, failed)) !== null;
}

/** What the latest screening, or the review that let it pass, has not seen; null where nothing is. */
async function whatIsBehind(db: Database, tx: Queryable, { tenantId, id }: TransactionRecord) {
  const open = await lockTransaction(db, tx, tenantId, id);
  return open ? await isBehindScreening(db, tx, open) : null;
}
