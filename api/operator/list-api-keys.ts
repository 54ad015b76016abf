import { z } from 'zod';
import { listApiKeys } from '../../db/api-keys/list-api-keys.ts';
import { requireTenant } from '../../db/tenants/require-tenant.ts';
import { ApiKey, viewApiKey } from '../../domain/api-keys/schema.ts';
import { maskedKey } from '../../domain/tenants/api-key-text.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const listApiKeysAsOperatorEndpoint = defineEndpoint({
  operationId: 'listApiKeysAsOperator',
  method: 'GET',
  path: '/operator/tenants/{id}/api-keys',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the API keys of a tenant',
  description:
    'Newest first. `apiKey` has the prefix and the last four characters only. Every listing is logged.',
  params: z.strictObject({ id: UuidParam }),
  responses: {
    200: { description: 'All keys, including revoked and expired ones.', schema: z.array(ApiKey) },
  },
  errors: [],
  async handle({ params: { id: tenantId }, caller, log }, { db }) {
    await requireTenant(db.pool, tenantId);
    const keys = await listApiKeys(db, tenantId);
    log.info(
      { audit: 'API_KEYS_LISTED', ...loggedCaller(caller), tenantId, count: keys.length },
      'an operator listed the API keys of a tenant',
    );
    return {
      status: 200,
      body: keys.map((key) => viewApiKey({ ...key, apiKey: maskedKey(key.apiKey) })),
    };
  },
});
