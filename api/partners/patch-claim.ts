import { z } from 'zod';
import { changeClaim } from '../../db/claims/change-claim.ts';
import { patchFromOutside } from '../../domain/claims/end-claim.ts';
import { PatchClaimBody, TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaimWithoutPerson } from '../../domain/claims/view-claim.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchPartnerClaimEndpoint = defineEndpoint({
  operationId: 'patchPartnerClaim',
  method: 'PATCH',
  path: '/partners/me/claims/{id}',
  auth: 'PARTNER',
  limit: 'WRITES',
  tag: 'Partner',
  summary: 'Refuse a claim to your network',
  description:
    'DECLINED is the only status that it takes, until `deadlineAt`; the asking VASP learns the `statusReasoning`. The same ' +
    'again changes nothing; anything else is 409 `invalid_transition` with `allowed`.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchClaimBody,
  example: { body: { status: 'DECLINED', statusReasoning: 'The coins are not from our network.' } },
  responses: { 200: { description: 'The claim as it is now, without the name.', schema: TransferClaim } },
  errors: ['invalid_transition', 'conflict'],
  async handle({ params: { id }, body, caller: { partnerId } }, { db, writeInTurn, notifyWorkflows }) {
    const now = new Date();
    const { record, outbox } = await writeInTurn(
      partnerId,
      async () =>
        await changeClaim(db, {
          tenantId: partnerId,
          id,
          now,
          decide: (own, counterpart) => patchFromOutside(own, counterpart, body, now),
        }),
    );
    notifyWorkflows(outbox);
    return { status: 200, body: viewClaimWithoutPerson(record) };
  },
});
