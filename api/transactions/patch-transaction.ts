import { z } from 'zod';
import type { Queryable } from '../../db/postgres.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { unseenFindings } from '../../domain/transactions/screening-due.ts';
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
    '`internalNote` can change. Only a review can decide on a transaction that a sanctions match holds, or confirm one ' +
    'that a rule lets wait (409 `review_required`). A received message is screened before it is confirmed, within the ' +
    'request where that is due; 409 `screening_pending` while a list or a provider does not answer: try again. ' +
    '`allowed` of a 409 `invalid_transition` lists the statuses that would be accepted now.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchTransactionBody,
  responses: { 200: { description: 'Done; the body is empty.', schema: null } },
  errors: ['invalid_transition', 'review_required', 'screening_pending', 'conflict'],
  async handle({ params, body, caller }, deps) {
    const { tenantId } = caller;
    const confirms = body.status === 'CONFIRMED';
    const isUnseen = confirms && (await deps.screenInRequest({ tenantId, id: params.id }));
    const now = new Date();
    const actor = actorOf(caller);
    const fourEyes = confirms && (await isReviewedByTwo(deps.db.pool, tenantId));
    const { outbox } = await changeTransaction(deps.db, {
      tenantId,
      id: params.id,
      now,
      decide: (own, counterpart) => {
        const change = patchTransaction(own, counterpart, body, { actor, now, fourEyes });
        if (isUnseen) throw unseenFindings();
        return change;
      },
    });
    deps.notifyWorkflows(outbox);
    return { status: 200 };
  },
});

async function isReviewedByTwo(db: Queryable, tenantId: string): Promise<boolean> {
  return (await getTenantSettings(db, tenantId)).fourEyes.review;
}
