import { z } from 'zod';
import { changeClaimIn } from '../../db/claims/change-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { TransferClaim } from '../../domain/claims/schema.ts';
import { fireClaimTimer } from '../../domain/claims/time.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const fireClaimTimerEndpoint = defineEndpoint({
  operationId: 'fireClaimTimer',
  method: 'POST',
  path: '/sandbox/claims/{id}/fire-timer',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sandbox',
  summary: 'Expire a claim',
  description:
    'Only in a sandbox, for either side. Sets `deadlineAt` to now: shortly after this answer the claim is EXPIRED on both ' +
    'sides. 409 unless the claim is PENDING or DELIVERED.',
  params: z.strictObject({ id: UuidParam }),
  idempotency: 'TRANSACTION',
  responses: { 202: { description: 'The time for an answer is over.', schema: TransferClaim } },
  errors: ['conflict'],
  async handle({ params, caller, commit }, { db }) {
    const now = new Date();
    const actor = actorOf(caller);
    const command = {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (own: ClaimRecord) => fireClaimTimer(own, { actor, now }),
    };
    return await commit(async (tx) => {
      const { record, outbox } = await changeClaimIn(db, tx, command);
      return { status: 202, body: viewClaim(record), outbox, shows: { kind: 'CLAIM', id: record.id } };
    });
  },
});
