import { z } from 'zod';
import { ensureOperatorKeys, OPERATORS } from '../../db/idempotency/operator-scope.ts';
import { planErasure } from '../../db/tenant-erasures/plan-erasure.ts';
import { PlanErasureBody, TenantErasure, viewErasure } from '../../domain/tenant-erasures/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { requireNamedOperator } from './require-named-operator.ts';

export const planErasureEndpoint = defineEndpoint({
  operationId: 'planErasure',
  method: 'POST',
  path: '/operator/tenants/{id}/erasure',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Plan the erasure of a tenant',
  description:
    'Plans it 30 days ahead; the tenant works on until then. It takes place only if another operator approves it, and until it ' +
    'has begun any operator can call it off. Both operators need keys with names. Where records still have to be kept on that day, by ' +
    'their retention or a legal hold, it is 409 with the numbers, unless `override` is true. A second plan is 409 with the `id` ' +
    'of the first. A tenant that was erased is 404.',
  params: z.strictObject({ id: UuidParam }),
  body: PlanErasureBody,
  example: { body: { reason: 'The contract ended on 31 October.', override: true } },
  auditedBody: ({ override }) => ({ override: String(override), reason: null }),
  responses: { 201: { description: 'The erasure is planned.', schema: TenantErasure } },
  errors: ['conflict'],
  async handle({ params: { id: tenantId }, body, caller, commit, log }, { db }) {
    const operator = requireNamedOperator(caller);
    await ensureOperatorKeys(db);
    await db.vault.tenantKeys(OPERATORS);
    const plan = { tenantId, reason: body.reason, overrides: body.override, operator, now: new Date() };
    return await commit(async (tx) => {
      const erasure = await planErasure(db, tx, plan);
      log.info(
        { audit: 'ERASURE_PLANNED', ...loggedCaller(caller), tenantId },
        'an operator planned an erasure',
      );
      return { status: 201, body: viewErasure(erasure) };
    });
  },
});
