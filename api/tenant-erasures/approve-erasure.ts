import { z } from 'zod';
import { approveErasure } from '../../db/tenant-erasures/approve-erasure.ts';
import { requireTenant } from '../../db/tenants/require-tenant.ts';
import { ApproveErasureBody, TenantErasure, viewErasure } from '../../domain/tenant-erasures/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { requireNamedOperator } from './require-named-operator.ts';

export const approveErasureEndpoint = defineEndpoint({
  operationId: 'approveErasure',
  method: 'POST',
  path: '/operator/tenants/{id}/erasure/approve',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Approve the erasure of a tenant',
  description:
    'By another operator than the one who planned it, whose key has a name too; otherwise 403. It takes place on the day of the plan, ' +
    'or at once if that is over. `override` has to be as in the plan: whoever approves one that erases records which have to be ' +
    'kept says so. Records are counted anew, and 409 has the numbers. An erasure that waits for no approval is 409.',
  params: z.strictObject({ id: UuidParam }),
  body: ApproveErasureBody,
  bodyOptional: true,
  example: { body: { override: true } },
  auditedBody: ({ override }) => ({ override: String(override) }),
  responses: { 200: { description: 'The erasure takes place on its day.', schema: TenantErasure } },
  errors: ['conflict', 'invalid_transition'],
  async handle({ params: { id: tenantId }, body, caller, commit, log }, { db }) {
    const operator = requireNamedOperator(caller);
    await requireTenant(db.pool, tenantId);
    const approval = { tenantId, operator, confirmsOverride: body.override, now: new Date() };
    return await commit(async (tx) => {
      const { erasure, outbox } = await approveErasure(db, tx, approval);
      log.info(
        { audit: 'ERASURE_APPROVED', ...loggedCaller(caller), tenantId },
        'an operator approved an erasure',
      );
      return { status: 200, body: viewErasure(erasure), outbox };
    });
  },
});
