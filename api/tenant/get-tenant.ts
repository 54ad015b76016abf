import { getTenant } from '../../db/tenants/get-tenant.ts';
import { Tenant } from '../../domain/tenants/schema.ts';
import { viewTenant } from '../../domain/tenants/view-tenant.ts';
import { isPermitted } from '../../domain/tenants/role.ts';
import { defineEndpoint } from '../endpoint.ts';

export const getTenantEndpoint = defineEndpoint({
  operationId: 'getTenant',
  method: 'GET',
  path: '/tenant/me',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'Read your tenant',
  description: '`webhookSecret` is shown to keys of role ADMIN.',
  responses: { 200: { description: 'The tenant of the key.', schema: Tenant } },
  errors: ['not_found'],
  async handle({ caller }, { db, settings }) {
    const { tenant, webhookSecret } = await getTenant(db, caller.tenantId);
    const showing = {
      environment: settings.ENVIRONMENT,
      webhookSecret: isPermitted(caller.role, 'ADMINISTER') ? webhookSecret : null,
    };
    return { status: 200, body: viewTenant(tenant, showing) };
  },
});
