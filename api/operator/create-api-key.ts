import { z } from 'zod';
import { insertApiKey } from '../../db/api-keys/insert-api-key.ts';
import { requireTenant } from '../../db/tenants/require-tenant.ts';
import { ApiKey, CreateApiKeyBody, viewApiKey } from '../../domain/api-keys/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { requireFuture } from '../tenant/require-future.ts';

export const createApiKeyAsOperatorEndpoint = defineEndpoint({
  operationId: 'createApiKeyAsOperator',
  method: 'POST',
  path: '/operator/tenants/{id}/api-keys',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Create an API key of a tenant',
  description:
    'For a tenant that has lost its keys. An empty object creates a key of role ADMIN without expiry. The tenant sees the ' +
    'key in its list; the log has an audit line `API_KEY_ISSUED`.',
  params: z.strictObject({ id: UuidParam }),
  body: CreateApiKeyBody,
  bodyOptional: true,
  example: { body: { name: 'emergency' } },
  responses: { 201: { description: 'The new key.', schema: ApiKey } },
  errors: [],
  async handle({ params: { id: tenantId }, body, caller, log, commit }, { db, settings }) {
    const now = new Date();
    const { name = null, role, expiresAt = null, allowedIps = null } = body;
    requireFuture(expiresAt, now);
    await requireTenant(db.pool, tenantId);
    const keys = await db.vault.tenantKeys(tenantId);
    const key = {
      tenantId,
      environment: settings.ENVIRONMENT,
      name,
      role,
      expiresAt,
      allowedIps,
      createdBy: null,
      keys,
      now,
    };
    return await commit(async (tx) => {
      const made = await insertApiKey(db, tx, key);
      // Before it is stored, so that no key is without its line.
      log.info(
        { audit: 'API_KEY_ISSUED', ...loggedCaller(caller), tenantId, apiKeyId: made.id, role },
        'an operator issues an API key of a tenant',
      );
      return { status: 201, body: viewApiKey(made) };
    });
  },
});
