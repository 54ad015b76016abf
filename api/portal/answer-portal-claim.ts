import { deliverAnswer, prepareAnswer, unlessRepeated } from '../../db/lifecycle/answer-from-outside.ts';
import { mailedClaimOf } from '../../db/lifecycle/open-claim-by-mail.ts';
import { requireCurrentLink } from '../../db/lifecycle/require-current-link.ts';
import { inTransaction } from '../../db/postgres.ts';
import { ClaimedDataBody } from '../../domain/claims/schema.ts';
import { PortalClaim } from '../../domain/portal/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openClaimSession } from './open-portal-link.ts';
import { showPortalClaim } from './show-portal-claim.ts';

export const answerPortalClaimEndpoint = defineEndpoint({
  operationId: 'answerPortalClaim',
  method: 'POST',
  path: '/portal/claim/answer',
  auth: 'NONE',
  portal: 'SESSION',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Answer the claim',
  description:
    'Gives the data of the transfer, which reach the asking VASP at once: it screens them, and its record of the transfer is ' +
    'completed. The first answer counts: the same again changes nothing, another one, and one after `deadlineAt`, is 409.',
  body: ClaimedDataBody,
  example: {
    body: {
      amount: '0.5',
      originator: { type: 'NATURAL', name: 'Anna Keller', dateOfBirth: '1984-03-12', country: 'CH' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    },
  },
  responses: { 200: { description: 'The claim as it is now.', schema: PortalClaim } },
  errors: [
    'not_found',
    'unauthenticated',
    'conflict',
    'invalid_transition',
    'tenant_suspended',
    'rate_limited',
  ],
  async handle(request, deps) {
    const { db, notifyWorkflows, judgeArrival, priceOf } = deps;
    const { record, link } = await openClaimSession(deps, request);
    const claim = await mailedClaimOf(db, record);
    const answering = {
      claim,
      answer: request.body,
      mailbox: link.address,
      price: priceOf(claim.asset),
      now: new Date(),
    };
    const { outbox } = await unlessRepeated(db, answering, {
      answer: async () => {
        const prepared = await prepareAnswer(db, judgeArrival, answering);
        return await deps.writeInTurn(
          request.address,
          async () =>
            await inTransaction(db.pool, async (tx) => {
              const answered = await deliverAnswer(db, tx, prepared);
              await requireCurrentLink(db, tx, link);
              return answered;
            }),
        );
      },
      repeated: async (record) => await Promise.resolve({ record, outbox: [] }),
    });
    notifyWorkflows(outbox);
    return { status: 200, body: await showPortalClaim(db, record) };
  },
});
