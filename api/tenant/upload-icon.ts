import { BrandingFile } from '../../domain/tenants/branding.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BRANDING_PARTS, receiveBranding } from './receive-branding.ts';

export const uploadIconEndpoint = defineEndpoint({
  operationId: 'uploadIcon',
  method: 'POST',
  path: '/tenant/me/settings/icon',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Tenant',
  summary: 'Store the icon',
  description:
    'The picture that browsers show beside the title of the hosted page. It takes the place of the one before; ' +
    '`PATCH /tenant/me/settings` with `branding.icon` null removes it. Files are treated as those of the logo; a PDF is ' +
    'stored and not shown.',
  multipart: BRANDING_PARTS,
  example: { form: { file: 'icon.png' } },
  responses: { 200: { description: 'The stored file.', schema: BrandingFile } },
  errors: ['file_type_not_allowed'],
  async handle({ caller, log, readForm, commit }, deps) {
    return await receiveBranding(deps, 'icon', { caller, log, readForm, commit });
  },
});
