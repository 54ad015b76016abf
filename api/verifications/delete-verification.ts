import { z } from 'zod';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { deleteVerification } from '../../domain/verifications/end-verification.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteVerificationEndpoint = defineEndpoint({
  operationId: 'deleteVerification',
  method: 'DELETE',
  path: '/wallet-verification/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallet verification',
  summary: 'Delete a verification',
  description:
    'The tenant can no longer read the verification, and its hosted page is closed. A last webhook has the status DELETED.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 204: { description: 'Deleted.', schema: null } },
  errors: [],
  async handle({ params, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { outbox } = await deps.writeInTurn(
      caller.tenantId,
      async () =>
        await changeVerification(deps.db, {
          tenantId: caller.tenantId,
          id: params.id,
          now,
          decide: (record) => deleteVerification(record, { actor, now }),
        }),
    );
    deps.notifyWorkflows(outbox);
    return { status: 204 };
  },
});
