import { DomainError } from '../../domain/errors.ts';
import { apiKeyKind, type KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import type { Database } from '../database.ts';

/** The partner that a valid key identifies. */
interface AuthenticatedPartner {
  partnerId: string;
  keyId: string;
}

interface KeyRow {
  id: string;
  partner_id: string;
  revoked: boolean;
  expired: boolean;
}

// The time of use is noted once a minute, in the statement that reads the key.
const FIND = `
  with used as (
    update partner_keys set last_used_at = now()
    where hash = $1 and revoked_at is null and coalesce(expires_at > now(), true)
      and coalesce(last_used_at <= now() - interval '1 minute', true)
  )
  select id, partner_id, revoked_at is not null as revoked, coalesce(expires_at <= now(), false) as expired
  from partner_keys where hash = $1`;

/**
 * Identifies a partner by its key, as stored now: a revocation takes effect with the next request. Throws
 * wrong_environment, unauthenticated, key_revoked, key_expired.
 */
export async function authenticatePartner(
  db: Pick<Database, 'pool' | 'vault'>,
  environment: KeyEnvironment,
  text: string,
): Promise<AuthenticatedPartner> {
  requireShape(environment, text);
  const { rows } = await db.pool.query<KeyRow>({
    name: 'find-partner-key',
    text: FIND,
    values: [db.vault.apiKeyHash(text)],
  });
  const [row] = rows;
  if (!row) throw unauthenticated();
  if (row.revoked) throw new DomainError('key_revoked', 'This partner key has been revoked.');
  if (row.expired) throw new DomainError('key_expired', 'This partner key has expired.');
  return { partnerId: row.partner_id, keyId: row.id };
}

/** Refuses a mistyped key or a key of the other environment without a database read. */
function requireShape(environment: KeyEnvironment, text: string): void {
  const kind = apiKeyKind(environment, text, 'PARTNER');
  if (kind === 'MALFORMED') throw unauthenticated();
  if (kind === 'WRONG_ENVIRONMENT') {
    throw new DomainError(
      'wrong_environment',
      `This is the ${environment} environment; the key belongs to the other one.`,
    );
  }
}

function unauthenticated(): DomainError {
  return new DomainError('unauthenticated', 'A valid X-Partner-Api-Key is required.');
}
