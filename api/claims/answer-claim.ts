import type pg from 'pg';
import { z } from 'zod';
import type { ChangedClaim } from '../../db/claims/change-claim.ts';
import { getClaim } from '../../db/claims/find-claim.ts';
import { answerWithData, answerWithTransaction } from '../../db/lifecycle/send-to-asker.ts';
import { AnswerClaimBody, TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

/** The transaction was delivered after its pair was looked up: nothing was written, and the answer starts again. */
class DeliveredMeanwhile extends Error {}

export const answerClaimEndpoint = defineEndpoint({
  operationId: 'answerClaim',
  method: 'POST',
  path: '/claims/{id}/answer',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Claims',
  summary: 'Answer a claim',
  description:
    'For the asked side, while the claim is DELIVERED. `transactionId` is your OUTGOING transaction of the transfer: if it was ' +
    'not sent, it goes to the VASP that claims it, and it is given the hash if it has none. With party data a new OUTGOING ' +
    'transaction is made of them. Either is screened and decided on like any other; the claim is ANSWERED when the message ' +
    'arrives, and until then `transactionId` shows it. A transaction that went to another VASP, or was blocked or ended, is 409.',
  params: z.strictObject({ id: UuidParam }),
  body: AnswerClaimBody,
  example: {
    body: {
      amount: '0.5',
      originator: { type: 'NATURAL', name: 'Anna Keller', dateOfBirth: '1984-03-12', country: 'CH' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    },
  },
  responses: { 200: { description: 'The claim as it is now.', schema: TransferClaim } },
  errors: ['invalid_transition', 'conflict'],
  async handle({ params, body, caller, commit }, { db, priceOf }) {
    const { tenantId, tenant } = caller;
    const now = new Date();
    const actor = actorOf(caller);
    const claim = await getClaim(db, tenantId, params.id);
    const answering = { id: tenantId, name: tenant.name, email: tenant.email };
    const data = { claim, answer: body, tenant: answering, price: priceOf(claim.asset), actor, now };
    const { transactionId } = body;
    const answer = async (tx: pg.PoolClient): Promise<ChangedClaim | undefined> =>
      transactionId === undefined
        ? await answerWithData(db, tx, data)
        : await answerWithTransaction(db, tx, { claim, id: transactionId }, { actor, now });
    for (;;) {
      try {
        return await commit(async (tx) => {
          const changed = await answer(tx);
          if (!changed) throw new DeliveredMeanwhile();
          const { record, outbox } = changed;
          return { status: 200, body: viewClaim(record), outbox, shows: { kind: 'CLAIM', id: record.id } };
        });
      } catch (error) {
        // It happens at most once in the life of a transaction.
        if (!(error instanceof DeliveredMeanwhile)) throw error;
      }
    }
  },
});
