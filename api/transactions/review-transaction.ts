import { z } from 'zod';
import { ReviewBody, ReviewedTransaction } from '../../domain/transactions/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { review } from './review.ts';

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
    'no other way. With `settings.fourEyes.review` PROCEED takes two people where a hold, a wait or a missing proof is let ' +
    'pass: the first answer is 200 with `proposal`, and nothing is changed; a user who did not propose it sends the same, or ' +
    'approves the proposal. BLOCK takes one. PROCEED screens first what is due, and is 409 `screening_pending` while a list ' +
    'or a provider does not answer. The counterparty learns the new status and a neutral reason, never `reason`.',
  params: z.strictObject({ id: UuidParam }),
  body: ReviewBody,
  // Without a key a repeat is refused: the transaction is no longer held, or PROCEED is proposed already.
  idempotency: 'TRANSACTION',
  example: { body: { decision: 'BLOCK', reason: 'The originator is the listed person.' } },
  auditedBody: ({ decision }) => ({ decision, reason: null }),
  responses: { 200: { description: 'Decided, or proposed.', schema: ReviewedTransaction } },
  errors: ['invalid_transition', 'review_required', 'screening_pending', 'conflict'],
  async handle({ params, body, caller, commit }, deps) {
    return await review(deps, params.id, { caller, commit, body, approves: null });
  },
});
