import { z } from 'zod';
import { getClaim } from '../../db/claims/find-claim.ts';
import { deliverAnswer, prepareAnswer, unlessRepeated } from '../../db/lifecycle/answer-from-outside.ts';
import { ClaimedDataBody, TransferClaim } from '../../domain/claims/schema.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { viewClaimWithoutPerson } from '../../domain/claims/view-claim.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const answerPartnerClaimEndpoint = defineEndpoint({
  operationId: 'answerPartnerClaim',
  method: 'POST',
  path: '/partners/me/claims/{id}/answer',
  auth: 'PARTNER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Partner',
  summary: 'Answer a claim to your network',
  description:
    'Gives the data of the transfer: a message of yours has them, whose id `transactionId` is from then on. The asking VASP ' +
    'screens it, and its record of the transfer is completed. The first answer counts: the same again ' +
    'changes nothing, another one, and one after `deadlineAt`, is 409. While that VASP takes nothing it is 503: send it again later.',
  params: z.strictObject({ id: UuidParam }),
  body: ClaimedDataBody,
  example: {
    body: {
      amount: '0.5',
      originator: { type: 'NATURAL', name: 'Mei Tan', dateOfBirth: '1990-11-02', country: 'SG' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    },
  },
  responses: { 200: { description: 'The claim as it is now, without the name.', schema: TransferClaim } },
  errors: ['invalid_transition', 'conflict'],
  async handle({ params: { id }, body, caller: { partnerId }, commit }, { db, judgeArrival, priceOf }) {
    const claim = await getClaim(db, partnerId, id);
    const price = priceOf(claim.asset);
    const answering = { claim, answer: body, mailbox: null, price, now: new Date() };
    const shown = (record: ClaimRecord) =>
      ({ status: 200, body: viewClaimWithoutPerson(record), shows: { kind: 'CLAIM', id } }) as const;
    return await unlessRepeated(db, answering, {
      answer: async () => {
        const prepared = await prepareAnswer(db, judgeArrival, answering);
        return await commit(async (tx) => {
          const { record, outbox } = await deliverAnswer(db, tx, prepared);
          return { ...shown(record), outbox };
        });
      },
      repeated: async (record) => await commit(async () => await Promise.resolve(shown(record))),
    });
  },
});
