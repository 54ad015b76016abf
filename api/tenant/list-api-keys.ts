import { z } from 'zod';
import { listApiKeys } from '../../db/api-keys/list-api-keys.ts';
import { ApiKey } from '../../domain/api-keys/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { apiKeyView } from './show-api-key.ts';

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
    'Newest first. The answer is a secret, because it contains the keys themselves; with `maskApiKeys` in the settings only ' +
    'their first letters. Every listing is logged.',
  responses: {
    200: { description: 'All keys, including revoked and expired ones.', schema: z.array(ApiKey) },
  },
  errors: [],
  async handle({ caller, log }, deps) {
    const view = await apiKeyView(deps, caller.tenantId);
    const keys = await listApiKeys(deps.db, caller.tenantId);
    log.info(
      { audit: 'API_KEYS_LISTED', ...loggedCaller(caller), count: keys.length },
      'API keys were listed',
    );
    return { status: 200, body: keys.map(view) };
  },
});
