import { randomBytes } from 'node:crypto';
import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import type { TenantCaller } from '../../domain/tenants/caller.ts';
import { apiKeyText, type KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import { insertRow } from '../columns.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { Queryable } from '../postgres.ts';

interface NewApiKey extends Pick<ApiKeyRecord, 'name' | 'role' | 'expiresAt' | 'allowedIps'> {
  tenantId: string;
  /** The key or user of the tenant that makes it; null for the operator. */
  createdBy: TenantCaller['actor'] | null;
  keys: TenantKeys;
  environment: KeyEnvironment;
  now: Date;
}

/**
 * Creates an API key. Stores a keyed hash for look-up and the text encrypted for the tenant, since lists show usable
 * keys.
 */
export async function insertApiKey(
  db: Database,
  tx: Queryable,
  { tenantId, keys, environment, name, role, expiresAt, allowedIps, createdBy, now }: NewApiKey,
): Promise<ApiKeyRecord> {
  const id = newId(now);
  const apiKey = apiKeyText(environment, randomBytes(64));
  const sealed = keys.seal(sealingContext.apiKey.text(tenantId, id), apiKey);
  await tx.query(
    insertRow('api_keys', {
      id,
      tenant_id: tenantId,
      hash: db.vault.apiKeyHash(apiKey),
      sealed_key: sealed,
      name,
      role,
      expires_at: expiresAt,
      allowed_ips: allowedIps,
      created_at: now,
      created_by_kind: createdBy?.kind ?? null,
      created_by: createdBy?.id ?? null,
    }),
  );
  return { id, apiKey, name, role, expiresAt, allowedIps, createdAt: now, revokedAt: null, lastUsedAt: null };
}
