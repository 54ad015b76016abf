import { z } from 'zod';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { revokeVerification } from '../../domain/verifications/end-verification.ts';
import { RevokeVerificationBody, WalletVerification } from '../../domain/verifications/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const revokeVerificationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/wallet-verification/{id}/revoke',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallet verification',
  summary: 'Revoke an accepted proof',
  description:
    'A VERIFIED verification becomes DECLINED with `failureCode` REVOKED. It no longer counts for transfers or reuse.',
  params: z.strictObject({ id: UuidParam }),
  body: RevokeVerificationBody,
  // A repeat is refused, because the verification is no longer VERIFIED.
  idempotency: 'LEASE',
  responses: { 200: { description: 'DECLINED.', schema: WalletVerification } },
  errors: ['invalid_transition'],
  async handle({ params, body, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { open, outbox } = await changeVerification(deps.db, {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (record) => revokeVerification(record, body.reason, { actor, now }),
    });
    deps.notifyWorkflows(outbox);
    return {
      status: 200,
      body: showVerification(deps.db, open),
      shows: { kind: 'VERIFICATION', id: params.id },
    };
  },
});
