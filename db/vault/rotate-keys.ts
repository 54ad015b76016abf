import type pg from 'pg';
import { readMasterKeys } from './master-key.ts';
import { renewTenantKeys } from './renew-tenant-keys.ts';
import { rewrapKeys } from './rewrap-keys.ts';
import { SETTLED_MINUTES } from './vault-keys.ts';

interface KeyRotation {
  pool: pg.Pool;
  masterKey: string;
  previousMasterKey?: string | undefined;
  /** Also gives every tenant a new version of the key that wraps record keys. */
  newTenantKeys?: boolean;
  log: (line: string) => void;
}

/** The result of a rotation; `left` counts keys that the current MASTER_KEY does not open yet. */
export interface RotationResult {
  rewrapped: number;
  renewed: number;
  left: number;
}

/**
 * Wraps all keys by the current master key, in batches, while API and worker run with both master keys. An
 * interrupted run is completed by the next one. Throws DeploymentMismatch.
 */
export async function rotateKeys(rotation: KeyRotation): Promise<RotationResult> {
  const { pool, log } = rotation;
  const masters = readMasterKeys(rotation.masterKey, rotation.previousMasterKey);
  const rewrapped = await rewrapKeys(pool, masters, (total) => log(`${total} keys wrapped by MASTER_KEY`));
  const renewed = rotation.newTenantKeys
    ? await renewTenantKeys(pool, masters, (total) => log(`${total} tenants given a new record key`))
    : 0;
  const { stored, left } = await countKeys(pool, masters.current.id);
  log(`Keys: ${stored}. Wrapped anew: ${rewrapped}. New record keys: ${renewed}.`);
  if (renewed > 0)
    log(`New records use the new keys in ${SETTLED_MINUTES} minutes, when all processes know them.`);
  log(closingLine(left));
  return { rewrapped, renewed, left };
}

async function countKeys(pool: pg.Pool, masterKeyId: string): Promise<{ stored: number; left: number }> {
  const { rows } = await pool.query<{ stored: number; left: number }>(
    `select count(*)::int as stored, (count(*) filter (where master_key_id <> $1))::int as left from vault_keys`,
    [masterKeyId],
  );
  return rows[0] ?? { stored: 0, left: 0 };
}

function closingLine(left: number): string {
  return left === 0
    ? 'MASTER_KEY opens every key. MASTER_KEY_PREVIOUS may be removed once every api and worker runs with this MASTER_KEY.'
    : `${left} keys were stored under another master key meanwhile: keep MASTER_KEY_PREVIOUS, restart the processes that ` +
        'still run with the old MASTER_KEY, and run this again.';
}
