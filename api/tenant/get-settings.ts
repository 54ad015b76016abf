import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { Settings } from '../../domain/tenants/settings.ts';
import { defineEndpoint } from '../endpoint.ts';

export const getSettingsEndpoint = defineEndpoint({
  operationId: 'getTenantSettings',
  method: 'GET',
  path: '/tenant/me/settings',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'Read the settings',
  responses: { 200: { description: 'All settings, defaults included.', schema: Settings } },
  errors: ['not_found'],
  handle: async ({ caller }, { db }) => ({
    status: 200,
    body: await getTenantSettings(db.pool, caller.tenantId),
  }),
});
