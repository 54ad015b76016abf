import { foldName } from '../../domain/fold.ts';
import type { Queryable } from '../postgres.ts';

/** What signs people and programs in, and leads messages to the tenant; rows that others refer to come later. */
const WAYS_IN = [
  'api_keys',
  'user_sessions',
  'user_links',
  'user_addresses',
  'users',
  'service_keys',
  'address_answers',
  'attested_addresses',
  'trp_addresses',
];

/**
 * Makes a tenant gone for everybody, from the commit on: its keys and users are unknown, no message finds it, and nothing that
 * its row had of it in clear is left.
 */
export async function hideTenant(tx: Queryable, tenantId: string, now: Date): Promise<void> {
  const name = `Erased tenant ${tenantId}`;
  await tx.query(
    `update tenants set erased_at = $2, suspended_at = coalesce(suspended_at, $2), name = $3, name_folded = $4, legal_name = null,
       email = null, country = null, registration_number = null, lei = null, webpage = null, webhook_url = null,
       webhook_status = null, webhook_secret_previous = null, webhook_secret_previous_until = null,
       webhook_secret_previous_host = null, settings = '{}', rate_limits = '{}', answers_route = false, statistics_due = false, updated_at = $2
     where id = $1 and erased_at is null`,
    [tenantId, now, name, foldName(name)],
  );
  for (const table of WAYS_IN) await tx.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
}
