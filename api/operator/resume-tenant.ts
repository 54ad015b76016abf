import { z } from 'zod';
import { resumeTenant } from '../../db/tenants/suspend-tenant.ts';
import { OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const resumeTenantEndpoint = defineEndpoint({
  operationId: 'resumeTenant',
  method: 'POST',
  path: '/operator/tenants/{id}/resume',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'End the suspension of a tenant',
  description:
    'The same keys, users and sessions count again, unless they have ended by themselves. Webhooks that were kept are sent, ' +
    'and messages that waited for the tenant are delivered. A tenant that is not suspended does not change.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The tenant.', schema: OperatorTenant } },
  errors: [],
  async handle({ params: { id: tenantId }, caller, commit, log }, { settings }) {
    return await commit(async (tx) => {
      const { tenant, outbox } = await resumeTenant(tx, tenantId, new Date());
      log.info(
        { audit: 'TENANT_RESUMED', ...loggedCaller(caller), tenantId },
        'an operator resumed a tenant',
      );
      const showing = { environment: settings.ENVIRONMENT, webhookSecret: null };
      return { status: 200, body: viewTenantForOperator(tenant, showing), outbox };
    });
  },
});
