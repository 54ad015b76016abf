import { IS_SUSPENDED, OUTGOING_BRAKE, SUPPRESSES, TENANT_COLUMNS } from './calling-tenant.ts';

/** The API key of a cached caller, as it was read; verified in the statement that writes the result. */
export interface CachedKey {
  keyHash: Buffer;
  /** See KEY_STATE. */
  state: string;
}

/** The key or tenant of a cached caller has changed: the key has to be read again. */
export class StaleCaller extends Error {
  override name = 'StaleCaller';
}

/** SQL: what every request reads of its key and tenant, from `api_keys k join tenants t`. */
export const CALLER_COLUMNS = `k.id, k.role, k.allowed_ips, k.revoked_at is not null as revoked, ${TENANT_COLUMNS}`;

/** SQL: a hash of these columns; null once the key has expired. */
export const KEY_STATE = `case when coalesce(k.expires_at > now(), true) then md5(row(k.id, k.tenant_id, k.role,
  k.allowed_ips, k.revoked_at is not null, k.expires_at, t.name, t.email, t.entity_id, t.rate_limits, t.settings -> 'screening',
  ${SUPPRESSES}, ${IS_SUSPENDED}, ${OUTGOING_BRAKE})::text) end`;
