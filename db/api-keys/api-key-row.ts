import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import type { KeyRole } from '../../domain/tenants/role.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { Database } from '../database.ts';

export interface ApiKeyRow {
  id: string;
  tenant_id: string;
  sealed_key: Buffer;
  name: string | null;
  role: KeyRole;
  expires_at: Date | null;
  allowed_ips: string[] | null;
  created_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export const API_KEY_COLUMNS =
  'id, tenant_id, sealed_key, name, role, expires_at, allowed_ips, created_at, revoked_at, last_used_at';

export async function toApiKey(db: Database, row: ApiKeyRow): Promise<ApiKeyRecord> {
  const keys = await db.vault.tenantKeys(row.tenant_id, [row.sealed_key]);
  return {
    id: row.id,
    apiKey: keys.open<string>(sealingContext.apiKey.text(row.tenant_id, row.id), row.sealed_key),
    name: row.name,
    role: row.role,
    expiresAt: row.expires_at,
    allowedIps: row.allowed_ips,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
