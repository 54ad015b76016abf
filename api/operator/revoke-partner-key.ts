import { z } from 'zod';
import { revokePartnerKey } from '../../db/partners/partner-keys.ts';
import { PartnerKey } from '../../domain/partners/schema.ts';
import { viewPartnerKey } from '../../domain/partners/view-partner.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const revokePartnerKeyEndpoint = defineEndpoint({
  operationId: 'revokePartnerKey',
  method: 'DELETE',
  path: '/operator/partners/{id}/api-keys/{keyId}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Revoke a key of a partner',
  description:
    'Takes effect with the next request and cannot be undone. A key that is already revoked does not change.',
  params: z.strictObject({ id: UuidParam, keyId: UuidParam }),
  responses: { 200: { description: 'The key with `revokedAt` set.', schema: PartnerKey } },
  errors: [],
  async handle({ params: { id: partnerId, keyId }, caller, log }, { db }) {
    const key = await revokePartnerKey(db.pool, partnerId, keyId, new Date());
    log.info(
      { audit: 'PARTNER_KEY_REVOKED', ...loggedCaller(caller), partnerId, partnerKeyId: keyId },
      'an operator revoked a key of a partner',
    );
    return { status: 200, body: viewPartnerKey(key) };
  },
});
