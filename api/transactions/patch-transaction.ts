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
    'The changes are applied together or not at all; null clears a field. An INCOMING transaction can become CONFIRMED ' +
    'or DECLINED, an OUTGOING one CANCELLED; setting the present status again changes nothing. Party data that changes ' +
    'after delivery is sent to the counterparty as a new version. After a final status only the hash, `metadata` and ' +
    '`internalNote` can change. Only a review can decide on a transaction that screening holds.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchTransactionBody,
  responses: { 200: { description: 'Done; the body is empty.', schema: null } },
  errors: ['invalid_transition', 'review_required', 'conflict'],
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
