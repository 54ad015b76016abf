import { LRUCache } from 'lru-cache';
import type { PartnerCaller } from '../../domain/partners/caller.ts';
import type { KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import { requireKeyText, requireUsableKey } from '../../domain/tenants/require-api-key.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';

export interface PartnerAuthenticator {
  /**
   * Identifies a partner by its key, as stored now: a revocation takes effect with the next request. Throws
   * wrong_environment, unauthenticated, key_revoked, key_expired.
   */
  authenticate: (text: string) => Promise<PartnerCaller>;
  /** Whether the key was valid within the last minute, in this process. */
  isRecent: (text: string) => boolean;
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

const REMEMBERED_MS = 60_000;
const REMEMBERED_KEYS = 50_000;

/** Makes the authenticator of the partners of a process. */
export function partnerAuthenticator(
  db: Pick<Database, 'pool' | 'vault'>,
  environment: KeyEnvironment,
): PartnerAuthenticator {
  const recent = new LRUCache<string, true>({ max: REMEMBERED_KEYS, ttl: REMEMBERED_MS });
  const idOf = (hash: Buffer) => hash.toString('hex');
  return {
    async authenticate(text) {
      requireKeyText(environment, text, 'PARTNER');
      const hash = db.vault.apiKeyHash(text);
      const found = await findKey(db.pool, hash);
      recent.delete(idOf(hash));
      const row = requireUsableKey(found, 'PARTNER');
      recent.set(idOf(hash), true);
      return { kind: 'PARTNER', partnerId: row.partner_id, actor: { kind: 'PARTNER_KEY', id: row.id } };
    },
    isRecent: (text) => recent.has(idOf(db.vault.apiKeyHash(text))),
  };
}

async function findKey(db: Queryable, hash: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await db.query<KeyRow>({ name: 'find-partner-key', text: FIND, values: [hash] });
  return rows[0];
}
