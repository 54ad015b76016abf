import { z } from 'zod';
import { listApiKeys } from '../../db/api-keys/list-api-keys.ts';
import { ApiKey, viewApiKey } from '../../domain/api-keys/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listApiKeysEndpoint = defineEndpoint({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/tenant/me/api-keys',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'List API keys',
  description:
    'Newest first. The answer is a secret, because it contains the keys themselves. Every listing is logged.',
  responses: {
    200: { description: 'All keys, including revoked and expired ones.', schema: z.array(ApiKey) },
  },
  errors: [],
  async handle({ caller, log }, { db }) {
    const keys = await listApiKeys(db, caller.tenantId);
    log.info(
      { audit: 'API_KEYS_LISTED', ...loggedCaller(caller), count: keys.length },
      'API keys were listed',
    );
    return { status: 200, body: keys.map(viewApiKey) };
  },
});
