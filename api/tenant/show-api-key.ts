import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import { viewApiKey, viewMaskedApiKey, type ApiKey } from '../../domain/api-keys/schema.ts';
import type { Deps } from '../deps.ts';

/** How answers show the tenant's API keys after their creation: in full, or masked where the tenant has chosen that. */
export async function apiKeyView({ db }: Deps, tenantId: string): Promise<(key: ApiKeyRecord) => ApiKey> {
  const { maskApiKeys } = await getTenantSettings(db.pool, tenantId);
  return maskApiKeys ? viewMaskedApiKey : viewApiKey;
}
