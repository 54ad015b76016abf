import { z } from 'zod';
import { suspendTenant } from '../../db/tenants/suspend-tenant.ts';
import { OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const suspendTenantEndpoint = defineEndpoint({
  operationId: 'suspendTenant',
  method: 'POST',
  path: '/operator/tenants/{id}/suspend',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Suspend a tenant',
  description:
    'From the next request on, its keys, users and sessions are 403 `tenant_suspended`, and so are its hosted pages and ' +
    'links. Messages to it stay with their senders as PENDING/VASP_NOT_REACHABLE, its webhooks are kept, and what it had ' +
    'sent before goes on. Nothing is deleted. A tenant that is suspended already does not change.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The suspended tenant.', schema: OperatorTenant } },
  errors: [],
  async handle({ params: { id: tenantId }, caller, commit, log }, { settings }) {
    return await commit(async (tx) => {
      const tenant = await suspendTenant(tx, tenantId, new Date());
      log.info(
        { audit: 'TENANT_SUSPENDED', ...loggedCaller(caller), tenantId },
        'an operator suspended a tenant',
      );
      const showing = { environment: settings.ENVIRONMENT, webhookSecret: null };
      return { status: 200, body: viewTenantForOperator(tenant, showing) };
    });
  },
});
