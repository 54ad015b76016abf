import { ChangedTenant, PatchTenantBody } from '../../domain/tenants/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { changeOwnTenant } from './change-own-tenant.ts';

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
    'a disabled endpoint again. With `settings.fourEyes.webhookUrl` another URL takes two people: the first answer has ' +
    '`proposal`, and nothing of the request is changed. Only the operator can change the name.',
  body: PatchTenantBody,
  example: {
    body: { legalName: 'Alpine Exchange AG', country: 'CH', webhookUrl: 'http://127.0.0.1:4000/alpine' },
  },
  responses: { 200: { description: 'The tenant.', schema: ChangedTenant } },
  errors: ['not_found', 'conflict'],
  async handle({ body, caller, commit }, deps) {
    return await changeOwnTenant(deps, { caller, commit, body, approves: null });
  },
});
