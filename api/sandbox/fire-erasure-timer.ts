import { z } from 'zod';
import { endNotice } from '../../db/tenant-erasures/end-notice.ts';
import { TenantErasure, viewErasure } from '../../domain/tenant-erasures/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const fireErasureTimerEndpoint = defineEndpoint({
  operationId: 'fireErasureTimer',
  method: 'POST',
  path: '/sandbox/tenants/{id}/erasure/fire-timer',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Sandbox',
  summary: 'End the days until an erasure',
  description:
    'Only in a sandbox, for operators. Brings the day of a planned erasure: an approved one begins shortly after this answer, another ' +
    'one with its approval. 409 once it has begun or ended.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 202: { description: 'The day has come.', schema: TenantErasure } },
  errors: ['conflict'],
  async handle({ params: { id: tenantId }, commit }, { db }) {
    return await commit(async (tx) => {
      const { erasure, outbox } = await endNotice(db, tx, { tenantId, now: new Date() });
      return { status: 202, body: viewErasure(erasure), outbox };
    });
  },
});
