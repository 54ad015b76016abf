import type pg from 'pg';
import { rewrapVaultKey, type MasterKeys } from './master-key.ts';
import { BATCH_SIZE, inBatches } from './in-batches.ts';
import { vaultKeyColumns, type VaultKeyRow } from './vault-keys.ts';

/**
 * Wraps by the current master key every stored key that another master key wraps. The keys themselves stay the same,
 * so running processes with both master keys are not affected. Returns the number of changed rows.
 */
export function rewrapKeys(
  pool: pg.Pool,
  masters: MasterKeys,
  onBatch: (total: number) => void,
): Promise<number> {
  return inBatches(pool, (tx) => rewrapBatch(tx, masters), onBatch);
}

async function rewrapBatch(tx: pg.PoolClient, masters: MasterKeys): Promise<number> {
  const { rows } = await tx.query<VaultKeyRow>(
    `select owner, purpose, version, master_key_id, wrapped from vault_keys
      where master_key_id <> $1 order by owner, purpose, version limit $2 for update`,
    [masters.current.id, BATCH_SIZE],
  );
  await tx.query(
    `update vault_keys as stored set master_key_id = rewrapped.master_key_id, wrapped = rewrapped.wrapped
       from unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::bytea[])
            as rewrapped (owner, purpose, version, master_key_id, wrapped)
      where (stored.owner, stored.purpose, stored.version) = (rewrapped.owner, rewrapped.purpose, rewrapped.version)`,
    vaultKeyColumns(rows.map((row) => rewrapVaultKey(masters, row))),
  );
  return rows.length;
}
