import { z } from 'zod';
import { inTransaction } from '../../db/postgres.ts';
import { callOffErasure } from '../../db/tenant-erasures/call-off-erasure.ts';
import { TenantErasure, viewErasure } from '../../domain/tenant-erasures/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const callOffErasureEndpoint = defineEndpoint({
  operationId: 'callOffErasure',
  method: 'DELETE',
  path: '/operator/tenants/{id}/erasure',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Call off the erasure of a tenant',
  description:
    'By any operator, before or after the approval; the tenant stays as it is, and another erasure can be planned. Once it has begun it ' +
    'cannot be called off: 409.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The erasure is called off.', schema: TenantErasure } },
  errors: ['invalid_transition'],
  async handle({ params: { id: tenantId }, caller, log }, { db, notifyWorkflows }) {
    const { operatorName: operator } = caller.actor;
    const { erasure, outbox } = await inTransaction(
      db.pool,
      async (tx) => await callOffErasure(db, tx, { tenantId, operator, now: new Date() }),
    );
    notifyWorkflows(outbox);
    log.info(
      { audit: 'ERASURE_CALLED_OFF', ...loggedCaller(caller), tenantId },
      'an operator called off an erasure',
    );
    return { status: 200, body: viewErasure(erasure) };
  },
});
