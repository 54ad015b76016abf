import { z } from 'zod';
import { changeClaim } from '../../db/claims/change-claim.ts';
import { patchClaim } from '../../domain/claims/end-claim.ts';
import { PatchClaimBody, TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchClaimEndpoint = defineEndpoint({
  operationId: 'patchClaim',
  method: 'PATCH',
  path: '/claims/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Claims',
  summary: 'Take a claim back, or refuse it',
  description:
    'The asking side sets CANCELLED, the asked side DECLINED; any other move is 409 with `allowed`. The asking side learns ' +
    'the `statusReasoning` of a refusal; that of a cancellation stays with you.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchClaimBody,
  example: { body: { status: 'CANCELLED', statusReasoning: 'The customer has sent the data.' } },
  responses: { 200: { description: 'The claim as it is now.', schema: TransferClaim } },
  errors: ['invalid_transition', 'conflict'],
  async handle({ params, body, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { record, outbox } = await deps.writeInTurn(
      caller.tenantId,
      async () =>
        await changeClaim(deps.db, {
          tenantId: caller.tenantId,
          id: params.id,
          now,
          decide: (own, counterpart) => patchClaim(own, counterpart, body, { actor, now }),
        }),
    );
    deps.notifyWorkflows(outbox);
    return { status: 200, body: viewClaim(record) };
  },
});
