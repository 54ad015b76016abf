import { z } from 'zod';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { patchVerification } from '../../domain/verifications/review-verification.ts';
import { PatchVerificationBody, WalletVerification } from '../../domain/verifications/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchVerificationEndpoint = defineEndpoint({
  operationId: 'patchVerification',
  method: 'PATCH',
  path: '/wallet-verification/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallet verification',
  summary: 'Review a verification or change its texts',
  description:
    'A verification that is ACTION_REQUIRED can become VERIFIED or DECLINED; if two reviewers decide, the first decision ' +
    'counts. `statusReasoning` and `metadata` can change at any time; null clears them.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchVerificationBody,
  example: { body: { metadata: 'Ticket 4711' } },
  responses: { 200: { description: 'The verification as it is now.', schema: WalletVerification } },
  errors: ['invalid_transition'],
  async handle({ params, body, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { open, outbox } = await deps.writeInTurn(
      caller.tenantId,
      async () =>
        await changeVerification(deps.db, {
          tenantId: caller.tenantId,
          id: params.id,
          now,
          decide: (record) => patchVerification(record, body, { actor, now }),
        }),
    );
    deps.notifyWorkflows(outbox);
    return { status: 200, body: showVerification(deps.db, open) };
  },
});
