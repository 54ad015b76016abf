import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { findPicture } from '../../db/tenants/branding-files.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { BRANDING_KINDS } from '../../domain/tenants/branding.ts';
import { defineEndpoint } from '../endpoint.ts';
import { fetchObject } from '../uploads/fetch-object.ts';
import { openHosted } from './hosted-verification.ts';

/** Descriptions of the headers, which prevent a browser from running any content of the file. */
const HEADERS = {
  'Content-Type': 'image/png or image/jpeg, as it was found when the picture was stored.',
  'Content-Security-Policy': 'Forbids scripts and all other active content.',
  'Content-Disposition': 'Always an attachment without a name.',
};

export const getHostedPictureEndpoint = defineEndpoint({
  operationId: 'getHostedPicture',
  method: 'GET',
  path: '/wallet/verification/branding/{kind}',
  auth: 'NONE',
  takesPageToken: true,
  limit: 'HOSTED',
  tag: 'Hosted page',
  summary: "Read the tenant's logo or icon",
  description:
    'Used by the hosted page, which sends the token as X-Verification-Token. A wrong token, a tenant without the picture and ' +
    'one with a PDF are 404.',
  params: z.strictObject({ kind: z.enum(BRANDING_KINDS) }),
  responses: {
    200: { description: 'The picture.', contentType: 'application/octet-stream', headers: HEADERS },
  },
  errors: ['tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { record } = await openHosted(deps, request);
    const { ref, file } = await findPicture(deps.db.pool, record.tenantId, request.params.kind);
    const sealed = await buffer(await fetchObject(deps.storage, ref.objectKey, request.log));
    const keys = await deps.db.vault.tenantKeys(ref.tenantId, [sealed]);
    return {
      status: 200,
      body: keys.openBytes(sealingContext.brandingFile.content(ref.tenantId, ref.id), sealed),
      headers: {
        'Content-Type': file.mimeType,
        'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'Content-Disposition': 'attachment',
      },
    };
  },
});
