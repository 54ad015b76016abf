import { z } from 'zod';
import { revokeApiKey } from '../../db/api-keys/revoke-api-key.ts';
import { requireTenant } from '../../db/tenants/require-tenant.ts';
import { ApiKey, viewApiKey } from '../../domain/api-keys/schema.ts';
import { maskedKey } from '../../domain/tenants/api-key-text.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const revokeApiKeyAsOperatorEndpoint = defineEndpoint({
  operationId: 'revokeApiKeyAsOperator',
  method: 'DELETE',
  path: '/operator/tenants/{id}/api-keys/{keyId}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Revoke an API key of a tenant',
  description:
    'Takes effect with the next request and cannot be undone. A key that is already revoked does not change. The last ' +
    'valid key of role ADMIN cannot be revoked: create another one first, or suspend the tenant.',
  params: z.strictObject({ id: UuidParam, keyId: UuidParam }),
  responses: { 200: { description: 'The key with `revokedAt` set, masked.', schema: ApiKey } },
  errors: ['last_api_key'],
  async handle({ params: { id: tenantId, keyId }, caller, log }, { db }) {
    await requireTenant(db.pool, tenantId);
    const key = await revokeApiKey(db, tenantId, keyId, new Date());
    log.info(
      { audit: 'API_KEY_REVOKED', ...loggedCaller(caller), tenantId, apiKeyId: keyId },
      'an operator revoked an API key of a tenant',
    );
    return { status: 200, body: viewApiKey({ ...key, apiKey: maskedKey(key.apiKey) }) };
  },
});
