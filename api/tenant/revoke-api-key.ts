import { z } from 'zod';
import { revokeApiKey } from '../../db/api-keys/revoke-api-key.ts';
import { ApiKey } from '../../domain/api-keys/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { apiKeyView } from './show-api-key.ts';

export const revokeApiKeyEndpoint = defineEndpoint({
  operationId: 'revokeApiKey',
  method: 'DELETE',
  path: '/tenant/me/api-keys/{id}',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Revoke an API key',
  description:
    'Takes effect with the next request and cannot be undone. A key that is already revoked does not change. The last ' +
    'valid key of role ADMIN cannot be revoked: create, deploy and verify another one first.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The key with `revokedAt` set.', schema: ApiKey } },
  errors: ['last_api_key'],
  async handle({ params, caller }, deps) {
    const view = await apiKeyView(deps, caller.tenantId);
    return {
      status: 200,
      body: view(
        await deps.writeInTurn(
          caller.tenantId,
          async () => await revokeApiKey(deps.db, caller.tenantId, params.id, new Date()),
        ),
      ),
    };
  },
});
