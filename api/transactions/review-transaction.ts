import { requireComparedLists } from '../../db/transactions/compared-lists.ts';
import { z } from 'zod';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { unseenFindings } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { reviewTransaction } from '../../domain/transactions/deciding/review.ts';
import { ReviewBody, Transaction } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { commitChange } from './commit-change.ts';

export const reviewTransactionEndpoint = defineEndpoint({
  operationId: 'reviewTransaction',
  method: 'POST',
  path: '/transactions/{id}/review',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Decide on a transaction that waits for a review',
  description:
    'For a transaction that is held, an INCOMING one that is not decided yet, or a transfer that waits for a proof of ' +
    'its self-hosted wallet. PROCEED lets an OUTGOING transaction that is held go on and confirms any other. BLOCK ' +
    'cancels an OUTGOING and declines an INCOMING transaction; a CONFIRMED one keeps its status. A block is final: ' +
    '`subStatus` is BLOCKED_BY_REVIEW and `clearance.outcome` is STOP from then on. A hold by a sanctions match ends in ' +
    'no other way. With `settings.fourEyes.review` PROCEED takes two where a hold or a missing proof is let pass: the ' +
    'first answer is 200 with the transaction held as before, under a new `version`, and the same key again is 409. ' +
    'PROCEED screens first what is due, and is 409 `screening_pending` while a list or a provider does not answer. The counterparty learns the new ' +
    'status and a neutral reason, never `reason`.',
  params: z.strictObject({ id: UuidParam }),
  body: ReviewBody,
  // Without a key a repeat is refused: the transaction is no longer held, or this API key has already proposed PROCEED.
  idempotency: 'TRANSACTION',
  example: { body: { decision: 'BLOCK', reason: 'The originator is the listed person.' } },
  responses: { 200: { description: 'Decided, or proposed.', schema: Transaction } },
  errors: ['invalid_transition', 'screening_pending', 'conflict'],
  async handle({ params, body, caller, commit }, deps) {
    const { tenantId } = caller;
    const isUnseen = body.decision === 'PROCEED' && (await deps.screenInRequest({ tenantId, id: params.id }));
    const now = new Date();
    const actor = actorOf(caller);
    const { fourEyes } = await getTenantSettings(deps.db.pool, tenantId);
    const act = { actor, now, fourEyes: fourEyes.review };
    const change = {
      tenantId,
      id: params.id,
      now,
      decide: (own: TransactionRecord, counterpart: TransactionRecord | null) => {
        const reviewed = reviewTransaction(own, counterpart, body, act);
        if (isUnseen) throw unseenFindings();
        return reviewed;
      },
      also: async (tx: Queryable, written: TransactionRecord) => {
        if (body.decision === 'PROCEED') await requireComparedLists(tx, written);
      },
    };
    return await commitChange(deps, { caller, commit, status: 200 }, change);
  },
});
