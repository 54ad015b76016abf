import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { type Database } from '../database.ts';
import { API_KEY_COLUMNS, toApiKey, type ApiKeyRow } from './api-key-row.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/**
 * Revokes an API key for good; a key that was revoked before keeps its time. Throws not_found, and last_api_key when
 * the tenant would be left without a valid ADMIN key: nobody could create a new one.
 */
export async function revokeApiKey(
  db: Database,
  tenantId: string,
  id: string,
  now: Date,
): Promise<ApiKeyRecord> {
  const row = await inTransaction(db.pool, async (tx) => {
    await lockTenant(tx, tenantId);
    const key = await findKey(tx, tenantId, id);
    if (!key) throw notFound('API key');
    if (key.revoked_at) return key;
    if (!key.expired && !(await hasOtherValidAdmin(tx, tenantId, id))) throw lastApiKey();
    await tx.query('update api_keys set revoked_at = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      id,
      now,
    ]);
    return { ...key, revoked_at: now };
  });
  return await toApiKey(db, row);
}

/** Serialises revocations of one tenant. Rows that refer to the tenant can still be written. */
async function lockTenant(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('select 1 from tenants where id = $1 for no key update', [tenantId]);
}

async function findKey(tx: Queryable, tenantId: string, id: string) {
  const { rows } = await tx.query<ApiKeyRow & { expired: boolean }>(
    `select ${API_KEY_COLUMNS}, coalesce(expires_at <= now(), false) as expired
     from api_keys where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return rows[0];
}

async function hasOtherValidAdmin(tx: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from api_keys
     where tenant_id = $1 and id <> $2 and role = 'ADMIN'
       and revoked_at is null and (expires_at is null or expires_at > now()) limit 1`,
    [tenantId, id],
  );
  return rows.length > 0;
}

function lastApiKey(): DomainError {
  return new DomainError(
    'last_api_key',
    'This is the last valid key of role ADMIN: create another one first.',
  );
}
