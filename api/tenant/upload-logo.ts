import { BrandingFile } from '../../domain/tenants/branding.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BRANDING_PARTS, receiveBranding } from './receive-branding.ts';

export const uploadLogoEndpoint = defineEndpoint({
  operationId: 'uploadLogo',
  method: 'POST',
  path: '/tenant/me/settings/logo',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Tenant',
  summary: 'Store the logo',
  description:
    'The picture at the head of the hosted page. It takes the place of the one before; `PATCH /tenant/me/settings` with ' +
    '`branding.logo` null removes it. The type is found by content, not by name. Of a picture only the pixels are kept: ' +
    'metadata and colour profiles are left out. A PDF is stored, and pages show the name instead.',
  multipart: BRANDING_PARTS,
  example: { form: { file: 'logo.png' } },
  responses: { 200: { description: 'The stored file.', schema: BrandingFile } },
  errors: ['file_type_not_allowed'],
  async handle({ caller, log, readForm, commit }, deps) {
    return await receiveBranding(deps, 'logo', { caller, log, readForm, commit });
  },
});
