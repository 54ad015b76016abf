import { z } from 'zod';
import { changeVerificationIn } from '../../db/verifications/change-verification.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { WalletVerification } from '../../domain/verifications/schema.ts';
import { fireTimer } from '../../domain/verifications/time.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const fireVerificationTimerEndpoint = defineEndpoint({
  operationId: 'fireVerificationTimer',
  method: 'POST',
  path: '/sandbox/wallet-verification/{id}/fire-timer',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sandbox',
  summary: 'Expire a verification',
  description:
    'Only in a sandbox. Sets `expiresAt` to now: proofs are refused, and shortly after this answer the verification is ' +
    'FAILED with `failureCode` EXPIRED. 409 unless the verification is PENDING.',
  params: z.strictObject({ id: UuidParam }),
  idempotency: 'TRANSACTION',
  responses: { 202: { description: 'The time for a proof is over.', schema: WalletVerification } },
  errors: ['conflict'],
  async handle({ params, caller, commit }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const change = {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (record: VerificationRecord) => fireTimer(record, { actor, now }),
    };
    return await commit(async (tx) => {
      const { open, outbox } = await changeVerificationIn(deps.db, tx, change);
      const sealer = { verificationId: params.id, key: open.key };
      return { status: 202, body: showVerification(deps.db, open), sealer, outbox };
    });
  },
});
