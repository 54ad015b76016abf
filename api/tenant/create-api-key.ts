import { insertApiKey } from '../../db/api-keys/insert-api-key.ts';
import { withIdempotency } from '../../db/idempotency/idempotency.ts';
import { ApiKey, CreateApiKeyBody, viewApiKey } from '../../domain/api-keys/schema.ts';
import { invalidField } from '../../domain/errors.ts';
import { defineEndpoint } from '../endpoint.ts';
import { replayOf } from '../replay.ts';

export const createApiKeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/api-keys',
  auth: 'TENANT',
  role: 'ADMIN',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Create an API key',
  description: 'An empty object gives a key of role ADMIN without expiry.',
  body: CreateApiKeyBody,
  bodyOptional: true,
  responses: { 200: { description: 'The new key.', schema: ApiKey } },
  errors: [],
  async handle({ body, caller: { tenantId }, idempotency = null }, { db, settings }) {
    const now = new Date();
    const { name = null, role, expiresAt = null } = body;
    if (expiresAt && expiresAt <= now) {
      throw invalidField('/expiresAt', 'not_in_future', 'A moment in the future is expected.');
    }
    // Before the transaction, which must not wait for a second connection.
    const keys = await db.vault.tenantKeys(tenantId);
    const answer = await withIdempotency(db, { tenantId, idempotency, now }, async (tx) => {
      const key = { tenantId, keys, environment: settings.ENVIRONMENT, name, role, expiresAt, now };
      const made = await insertApiKey(db, tx, key);
      return { status: 200, body: viewApiKey(made), sealer: { tenantId, keys } };
    });
    return answer.replayed ? replayOf(answer) : { status: answer.status, body: answer.body };
  },
});
