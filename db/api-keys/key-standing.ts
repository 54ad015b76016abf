/** What a caller that was read before rests on; it is checked in the statement that writes what is answered. */
export interface KeyStanding {
  keyHash: Buffer;
  /** See KEY_STATE. */
  state: string;
}

/** What a remembered caller rests on has changed: the key has to be read again. */
export class StaleCaller extends Error {
  override name = 'StaleCaller';
}

const SUPPRESSES = 'exists (select from screening_suppressions s where s.tenant_id = t.id)';

/** What every request needs to know of its key and tenant, from `api_keys k join tenants t`. */
export const CALLER_COLUMNS = `k.id, k.tenant_id, k.role, k.revoked_at is not null as revoked, t.name, t.email,
  t.entity_id, t.rate_limits, t.settings -> 'screening' as screening, ${SUPPRESSES} as has_suppressions`;

/** A text that is the same as long as these columns are and the key has not expired; null once it has. */
export const KEY_STATE = `case when coalesce(k.expires_at > now(), true) then md5(row(k.id, k.tenant_id, k.role,
  k.revoked_at is not null, k.expires_at, t.name, t.email, t.entity_id, t.rate_limits, t.settings -> 'screening',
  ${SUPPRESSES})::text) end`;
