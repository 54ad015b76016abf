import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import type { Database } from '../database.ts';
import { API_KEY_COLUMNS, toApiKey, type ApiKeyRow } from './api-key-row.ts';

/** All keys of a tenant with their usable texts, newest first, those that were revoked or have expired included. */
export async function listApiKeys(db: Database, tenantId: string): Promise<ApiKeyRecord[]> {
  const { rows } = await db.pool.query<ApiKeyRow>(
    `select ${API_KEY_COLUMNS} from api_keys where tenant_id = $1 order by created_at desc, id desc`,
    [tenantId],
  );
  return await Promise.all(rows.map(async (row) => await toApiKey(db, row)));
}
