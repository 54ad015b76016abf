import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { API_KEY_COLUMNS, toApiKey, type ApiKeyRow } from './api-key-row.ts';

/** Sets the networks from which an API key may be used; null for all. Throws not_found. */
export async function limitApiKey(
  db: Database,
  tenantId: string,
  id: string,
  allowedIps: readonly string[] | null,
): Promise<ApiKeyRecord> {
  const { rows } = await db.pool.query<ApiKeyRow>(
    `update api_keys set allowed_ips = $3 where tenant_id = $1 and id = $2 returning ${API_KEY_COLUMNS}`,
    [tenantId, id, allowedIps],
  );
  if (!rows[0]) throw notFound('API key');
  return await toApiKey(db, rows[0]);
}
