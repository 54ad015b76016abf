import { z } from 'zod';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { WalletVerification } from '../../domain/verifications/schema.ts';
import { fireTimer } from '../../domain/verifications/time.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const fireVerificationTimerEndpoint = defineEndpoint({
  method: 'POST',
  path: '/sandbox/wallet-verification/{id}/fire-timer',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sandbox',
  summary: 'End the time of a verification',
  description:
    'Only in a sandbox. `expiresAt` becomes now: no proof is taken any more, and the verification is FAILED with ' +
    '`failureCode` EXPIRED shortly after this answer. 409 unless PENDING.',
  params: z.strictObject({ id: UuidParam }),
  // Doing it twice ends the same time, or is refused by the state itself.
  idempotency: 'NONE',
  responses: { 202: { description: 'Its time is over.', schema: WalletVerification } },
  errors: ['conflict'],
  async handle({ params, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const { open, outbox } = await changeVerification(deps.db, {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (record) => fireTimer(record, { actor, now }),
    });
    deps.notifyWorkflows(outbox);
    return { status: 202, body: showVerification(deps.db, open) };
  },
});
