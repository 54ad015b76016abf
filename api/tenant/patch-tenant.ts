import { changeTenant } from '../../db/tenants/change-tenant.ts';
import { patchTenant } from '../../domain/tenants/patch-tenant.ts';
import { PatchTenantBody, Tenant } from '../../domain/tenants/schema.ts';
import { viewTenant } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireWebhookUrl } from './require-webhook-url.ts';

export const patchTenantEndpoint = defineEndpoint({
  method: 'PATCH',
  path: '/tenant/me',
  auth: 'TENANT',
  role: 'ADMIN',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Change the own tenant',
  description:
    'A changed `webhookUrl` gets a new `webhookSecret`, which is in the answer; the same URL keeps it and enables an ' +
    'endpoint that was disabled. The name is changed by the operator only.',
  body: PatchTenantBody,
  responses: { 200: { description: 'The tenant.', schema: Tenant } },
  errors: ['not_found'],
  async handle({ body, caller }, { db, settings }) {
    requireWebhookUrl(body.webhookUrl, settings);
    const now = new Date();
    const changed = await changeTenant(db, caller.tenantId, now, (tenant) => patchTenant(tenant, body, now));
    const showing = { environment: settings.ENVIRONMENT, webhookSecret: changed.webhookSecret };
    return { status: 200, body: viewTenant(changed.tenant, showing) };
  },
});
