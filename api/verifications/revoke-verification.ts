import { z } from 'zod';
import { changeVerificationIn } from '../../db/verifications/change-verification.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { revokeVerification } from '../../domain/verifications/end-verification.ts';
import { RevokeVerificationBody, WalletVerification } from '../../domain/verifications/schema.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const revokeVerificationEndpoint = defineEndpoint({
  operationId: 'revokeVerification',
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
  // Without a key a repeat is refused, because the verification is no longer VERIFIED.
  idempotency: 'TRANSACTION',
  example: { body: { reason: 'The customer no longer holds the keys.' } },
  responses: { 200: { description: 'DECLINED.', schema: WalletVerification } },
  errors: ['invalid_transition'],
  async handle({ params, body, caller, commit }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const change = {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (record: VerificationRecord) => revokeVerification(record, body.reason, { actor, now }),
    };
    return await commit(async (tx) => {
      const { open, outbox } = await changeVerificationIn(deps.db, tx, change);
      const sealer = { verificationId: params.id, key: open.key };
      return { status: 200, body: showVerification(deps.db, open), sealer, outbox };
    });
  },
});
