import { LRUCache } from 'lru-cache';
import type { KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import { requireKeyText, requireUsableKey } from '../../domain/tenants/require-api-key.ts';
import type { TenantCaller } from '../../domain/tenants/caller.ts';
import type { Role } from '../../domain/tenants/role.ts';
import type { Database } from '../database.ts';
import { naturalBatch } from '../natural-batch.ts';
import { callingTenant, type CallingTenantRow } from './calling-tenant.ts';
import { CALLER_COLUMNS, KEY_STATE, type CachedKey } from './cached-key.ts';
import type { Queryable } from '../postgres.ts';

/** The caller that a valid API key identifies. */
interface ApiKeyCaller extends TenantCaller {
  /** Set on a caller that comes from `cachedCaller`: the statement that writes the result verifies it. */
  cachedKey?: CachedKey;
}

interface KeyRow extends CallingTenantRow {
  hash: Buffer;
  id: string;
  role: Role;
  allowed_ips: string[] | null;
  revoked: boolean;
  expired: boolean;
  use_noted: boolean;
  state: string | null;
}

type FoundKey = { row: KeyRow | undefined } | { error: unknown };

export interface ApiKeyAuthenticator {
  /**
   * Identifies the caller by the key, as stored now: a revocation takes effect with the next request. Requests that
   * arrive together share one statement. Throws wrong_environment, unauthenticated, key_revoked, key_expired,
   * tenant_suspended.
   */
  authenticate: (text: string) => Promise<ApiKeyCaller>;
  /**
   * The caller that a key identified within the last minute. The request must verify `cachedKey` in the statement
   * that writes its result, before anything is answered.
   */
  cachedCaller: (text: string) => ApiKeyCaller | undefined;
}

const REMEMBERED_MS = 60_000;
const REMEMBERED_KEYS = 50_000;

/** Makes the API key authenticator of a process. */
export function apiKeyAuthenticator(
  db: Pick<Database, 'pool' | 'vault'>,
  environment: KeyEnvironment,
): ApiKeyAuthenticator {
  const find = naturalBatch<Buffer, FoundKey>({
    maxSize: 256,
    concurrency: 2,
    gather: true,
    run: async (hashes) => await findAll(db.pool, hashes),
  });
  const noteUse = useNoter(db.pool);
  const known = new LRUCache<string, ApiKeyCaller>({ max: REMEMBERED_KEYS, ttl: REMEMBERED_MS });
  return {
    authenticate: async (text) => {
      requireKeyText(environment, text, 'TENANT');
      const keyHash = db.vault.apiKeyHash(text);
      const found = await find(keyHash);
      if ('error' in found) throw found.error;
      // A key that does not hold any more is forgotten with the first request that finds it out.
      if (!isValid(found.row)) known.delete(keyHash.toString('hex'));
      const row = requireUsableKey(found.row, 'TENANT');
      if (!row.use_noted) noteUse(row.id);
      const caller = toCaller(row);
      if (row.state !== null) {
        known.set(keyHash.toString('hex'), { ...caller, cachedKey: { keyHash, state: row.state } });
      }
      return caller;
    },
    cachedCaller: (text) => known.get(db.vault.apiKeyHash(text).toString('hex')),
  };
}

/**
 * A failing look-up fails for all keys of the batch, so the error is given to each caller instead of retrying key by
 * key.
 */
async function findAll(db: Queryable, hashes: Buffer[]): Promise<FoundKey[]> {
  try {
    const rows = new Map((await selectKeys(db, hashes)).map((row) => [row.hash.toString('hex'), row]));
    return hashes.map((hash) => ({ row: rows.get(hash.toString('hex')) }));
  } catch (error) {
    return hashes.map(() => ({ error }));
  }
}

async function selectKeys(db: Queryable, hashes: Buffer[]): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>({
    name: 'find-api-keys',
    // The select keeps the number of keys from the planner: see unnestRows.
    text: `select k.hash, ${CALLER_COLUMNS}, ${KEY_STATE} as state,
             coalesce(k.expires_at <= now(), false) as expired,
             coalesce(k.last_used_at > now() - interval '1 minute', false) as use_noted
           from api_keys k join tenants t on t.id = k.tenant_id where k.hash = any((select $1::bytea[])::bytea[])`,
    values: [hashes],
  });
  return rows;
}

function isValid(row: KeyRow | undefined): boolean {
  return row !== undefined && !row.revoked && !row.expired && !row.suspended;
}

function toCaller(row: KeyRow): ApiKeyCaller {
  return {
    kind: 'TENANT',
    tenantId: row.tenant_id,
    actor: { kind: 'API_KEY', id: row.id },
    role: row.role,
    allowedIps: row.allowed_ips,
    tenant: callingTenant(row),
  };
}

/**
 * Writes `last_used_at` in the background, at most once a minute per key. After a failure a later request writes it.
 */
function useNoter(db: Queryable): (id: string) => void {
  const underWay = new Set<string>();
  return (id) => {
    if (underWay.has(id)) return;
    underWay.add(id);
    void db
      .query(
        `update api_keys set last_used_at = now()
         where id = $1 and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
        [id],
      )
      .catch(() => undefined)
      .finally(() => underWay.delete(id));
  };
}
