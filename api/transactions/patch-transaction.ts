import { z } from 'zod';
import type { Queryable } from '../../db/postgres.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { patchTransaction } from '../../domain/transactions/patch-transaction.ts';
import { PatchTransactionBody } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchTransactionEndpoint = defineEndpoint({
  method: 'PATCH',
  path: '/transactions/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Decide on a transaction or change its data',
  description:
    'All or nothing; null clears a field. An INCOMING transaction may become CONFIRMED or DECLINED, an OUTGOING one ' +
    'CANCELLED; the same status again changes nothing. Changes of party data after delivery reach the counterparty as ' +
    'a new version. After a final status only the hash, `metadata` and `internalNote` may change. What a sanctions ' +
    'match holds is decided by a review only (409 `review_required`). A received message becomes CONFIRMED only after ' +
    'its screening (409 `screening_pending`: try again). `allowed` of a 409 `invalid_transition` lists the statuses ' +
    'that would be accepted now.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchTransactionBody,
  responses: { 200: { description: 'Done; the body is empty.', schema: null } },
  errors: ['invalid_transition', 'review_required', 'screening_pending', 'conflict'],
  async handle({ params, body, caller }, deps) {
    const now = new Date();
    const actor = actorOf(caller);
    const fourEyes = body.status === 'CONFIRMED' && (await isReviewedByTwo(deps.db.pool, caller.tenantId));
    const { outbox } = await changeTransaction(deps.db, {
      tenantId: caller.tenantId,
      id: params.id,
      now,
      decide: (own, counterpart) => patchTransaction(own, counterpart, body, { actor, now, fourEyes }),
    });
    deps.notifyWorkflows(outbox);
    return { status: 200 };
  },
});

async function isReviewedByTwo(db: Queryable, tenantId: string): Promise<boolean> {
  return (await getTenantSettings(db, tenantId)).fourEyes.review;
}
