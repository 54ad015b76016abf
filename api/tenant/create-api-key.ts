import { insertApiKey } from '../../db/api-keys/insert-api-key.ts';
import { ApiKey, CreateApiKeyBody, viewApiKey } from '../../domain/api-keys/schema.ts';
import { actorOf, loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireFuture } from './require-future.ts';

export const createApiKeyEndpoint = defineEndpoint({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/tenant/me/api-keys',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Tenant',
  summary: 'Create an API key',
  description:
    'An empty object creates a key of role ADMIN without expiry that may be used from everywhere. Each creation is logged ' +
    'with the key that made it. With `maskApiKeys` in the settings no later answer shows the key in full.',
  body: CreateApiKeyBody,
  bodyOptional: true,
  example: { body: { name: 'reporting', role: 'OBSERVER', expiresAt: '2030-01-01T00:00:00Z' } },
  responses: { 200: { description: 'The new key.', schema: ApiKey } },
  errors: [],
  async handle({ body, caller, commit, log }, { db, settings }) {
    const now = new Date();
    const { name = null, role, expiresAt = null, allowedIps = null } = body;
    requireFuture(expiresAt, now);
    const keys = await db.vault.tenantKeys(caller.tenantId);
    return await commit(async (tx) => {
      const key = {
        tenantId: caller.tenantId,
        environment: settings.ENVIRONMENT,
        name,
        role,
        expiresAt,
        allowedIps,
        createdBy: actorOf(caller),
        keys,
        now,
      };
      const made = await insertApiKey(db, tx, key);
      log.info(
        { audit: 'API_KEY_CREATED', ...loggedCaller(caller), createdKeyId: made.id, role },
        'a tenant created an API key',
      );
      return { status: 200, body: viewApiKey(made) };
    });
  },
});
