import { insertApiKey } from '../../db/api-keys/insert-api-key.ts';
import { ApiKey, CreateApiKeyBody, viewApiKey } from '../../domain/api-keys/schema.ts';
import { invalidField } from '../../domain/errors.ts';
import { defineEndpoint } from '../endpoint.ts';

export const createApiKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/api-keys',
  auth: 'TENANT',
  role: 'ADMIN',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Tenant',
  summary: 'Create an API key',
  description: 'An empty object creates a key of role ADMIN without expiry.',
  body: CreateApiKeyBody,
  bodyOptional: true,
  responses: { 200: { description: 'The new key.', schema: ApiKey } },
  errors: [],
  async handle({ body, caller: { tenantId }, commit }, { db, settings }) {
    const now = new Date();
    const { name = null, role, expiresAt = null } = body;
    if (expiresAt && expiresAt <= now) {
      throw invalidField('/expiresAt', 'not_in_future', 'A moment in the future is expected.');
    }
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const key = { tenantId, environment: settings.ENVIRONMENT, name, role, expiresAt, keys, now };
      const made = await insertApiKey(db, tx, key);
      return { status: 200, body: viewApiKey(made) };
    });
  },
});
