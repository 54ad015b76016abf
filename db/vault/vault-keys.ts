import type { Queryable } from '../postgres.ts';

/**
 * RECORDS seals record keys and tenant values, TOKENS makes search tokens, API_KEYS makes look-up hashes, CHECK
 * proves that the master key belongs to the database.
 */
export type KeyPurpose = 'RECORDS' | 'TOKENS' | 'API_KEYS' | 'CHECK';

export interface VaultKeyName {
  /** A tenant's id, or DEPLOYMENT. */
  owner: string;
  purpose: KeyPurpose;
  version: number;
}

/** A row of `vault_keys` by its column names, so that it can be inserted as it is. */
export interface VaultKeyRow extends VaultKeyName {
  master_key_id: string;
  wrapped: Buffer;
}

/** A stored key; `settled` when it is old enough for every process to have loaded it. */
export interface StoredVaultKey extends VaultKeyRow {
  settled: boolean;
}

/** The owner of the keys that no tenant owns. */
export const DEPLOYMENT = '00000000-0000-0000-0000-000000000000';

/** Minutes for which a process caches keys before it loads them again. */
export const KEYS_KEPT_MINUTES = 5;

/**
 * Minutes until a new version starts to seal. Must exceed KEYS_KEPT_MINUTES and the longest time that loaded keys are
 * held: then no process meets a value sealed by a version that it has not loaded.
 */
export const SETTLED_MINUTES = 30;

/**
 * All keys of one owner, ordered by purpose and version. Ages are measured by the database clock alone. One that somebody has
 * removed from its row opens as little as one that was changed.
 */
export async function listVaultKeys(db: Queryable, owner: string): Promise<StoredVaultKey[]> {
  const { rows } = await db.query<StoredVaultKey>(
    `select owner, purpose, version, master_key_id, coalesce(wrapped, '') as wrapped,
            created_at <= now() - make_interval(mins => $2) as settled
       from vault_keys where owner = $1 order by purpose, version`,
    [owner, SETTLED_MINUTES],
  );
  return rows;
}

/** Stores new keys, preferably in the transaction that stores their owner. */
export async function insertVaultKeys(db: Queryable, rows: readonly VaultKeyRow[]): Promise<void> {
  await db.query(
    `insert into vault_keys (owner, purpose, version, master_key_id, wrapped)
     select * from unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::bytea[])`,
    vaultKeyColumns(rows),
  );
}

/** The rows as one array per column (uuid, text, int, text, bytea), for `unnest`. */
export function vaultKeyColumns(rows: readonly VaultKeyRow[]): unknown[][] {
  return [
    rows.map((row) => row.owner),
    rows.map((row) => row.purpose),
    rows.map((row) => row.version),
    rows.map((row) => row.master_key_id),
    rows.map((row) => row.wrapped),
  ];
}
