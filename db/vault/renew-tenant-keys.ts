import type pg from 'pg';
import { newVaultKey, type MasterKeys } from './master-key.ts';
import { BATCH_SIZE, inBatches } from './in-batches.ts';
import { insertVaultKeys } from './vault-keys.ts';

/**
 * Gives every tenant a new version of its RECORDS key; older versions still open what they sealed. A tenant whose
 * newest version is younger than an hour keeps it, so that an interrupted run can be repeated. Returns the number of
 * renewed tenants.
 */
export function renewTenantKeys(
  pool: pg.Pool,
  masters: MasterKeys,
  onBatch: (total: number) => void,
): Promise<number> {
  return inBatches(pool, (tx) => renewBatch(tx, masters), onBatch);
}

async function renewBatch(tx: pg.PoolClient, masters: MasterKeys): Promise<number> {
  // A tenant erased meanwhile must not get a key after its keys were deleted: deletions wait for this batch.
  await tx.query('lock table vault_keys in share row exclusive mode');
  const { rows } = await tx.query<{ owner: string; newest: number }>(
    `select owner, max(version) as newest from vault_keys where purpose = 'RECORDS'
      group by owner having max(created_at) < now() - interval '1 hour' order by owner limit $1`,
    [BATCH_SIZE],
  );
  const renewed = rows.map(({ owner, newest }) =>
    newVaultKey(masters, { owner, purpose: 'RECORDS', version: newest + 1 }),
  );
  await insertVaultKeys(tx, renewed);
  return rows.length;
}
