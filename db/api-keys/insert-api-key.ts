import { randomBytes } from 'node:crypto';
import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import { apiKeyText, type KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { Queryable } from '../postgres.ts';

interface NewApiKey extends Pick<ApiKeyRecord, 'name' | 'role' | 'expiresAt'> {
  tenantId: string;
  environment: KeyEnvironment;
  /** Those of the tenant. */
  keys: TenantKeys;
  now: Date;
}

/** Makes a key. Stored are a keyed hash to find it by and, since lists show usable keys, its text sealed for the tenant. */
export async function insertApiKey(
  db: Database,
  tx: Queryable,
  { tenantId, environment, name, role, expiresAt, keys, now }: NewApiKey,
): Promise<ApiKeyRecord> {
  const id = newId(now);
  const apiKey = apiKeyText(environment, randomBytes(64));
  const sealed = keys.seal(sealingContext.apiKey.text(tenantId, id), apiKey);
  await tx.query(
    `insert into api_keys (id, tenant_id, hash, sealed_key, name, role, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, tenantId, db.vault.apiKeyHash(apiKey), sealed, name, role, expiresAt, now],
  );
  return { id, apiKey, name, role, expiresAt, createdAt: now, revokedAt: null, lastUsedAt: null };
}
