import { z } from 'zod';
import { changeTenant } from '../../db/tenants/change-tenant.ts';
import { patchTenantAsOperator } from '../../domain/tenants/patch-tenant.ts';
import { OperatorPatchTenantBody, OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchTenantAsOperatorEndpoint = defineEndpoint({
  operationId: 'patchTenantAsOperator',
  method: 'PATCH',
  path: '/operator/tenants/{id}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Rename a tenant or set its rate limits',
  description:
    'Messages of other tenants that wait for a VASP with the new name are now sent. `rateLimits` are requests per minute ' +
    'and API key: 0 switches a limit off, null returns it to the setting of the deployment.',
  params: z.strictObject({ id: UuidParam }),
  body: OperatorPatchTenantBody,
  example: { body: { rateLimits: { writes: 600 } } },
  responses: { 200: { description: 'The tenant.', schema: OperatorTenant } },
  errors: ['conflict'],
  async handle({ params, body, caller, log }, { db, settings, notifyWorkflows }) {
    const now = new Date();
    const changed = await changeTenant(db, params.id, now, (tenant) =>
      patchTenantAsOperator(tenant, body, now),
    );
    notifyWorkflows(changed.outbox);
    log.info(
      { audit: 'TENANT_CHANGED', ...loggedCaller(caller), tenantId: params.id, fields: Object.keys(body) },
      'an operator changed a tenant',
    );
    const showing = { environment: settings.ENVIRONMENT, webhookSecret: null };
    return { status: 200, body: viewTenantForOperator(changed.tenant, showing) };
  },
});
