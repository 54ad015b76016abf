import { changeTenant } from '../../db/tenants/change-tenant.ts';
import { patchTenant } from '../../domain/tenants/patch-tenant.ts';
import { PatchTenantBody, Tenant } from '../../domain/tenants/schema.ts';
import { viewTenant } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireWebhookUrl } from './require-webhook-url.ts';

export const patchTenantEndpoint = defineEndpoint({
  operationId: 'patchTenant',
  method: 'PATCH',
  path: '/tenant/me',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Change your tenant',
  description:
    'A new `webhookUrl` gets a new `webhookSecret`, which the answer contains. The same URL keeps its secret and enables ' +
    'a disabled endpoint again. Only the operator can change the name.',
  body: PatchTenantBody,
  example: {
    body: { legalName: 'Alpine Exchange AG', country: 'CH', webhookUrl: 'http://127.0.0.1:4000/alpine' },
  },
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
