import type { Queryable } from '../postgres.ts';
import { openKeyring, type Keyring } from './keyring.ts';
import { newVaultKey, type MasterKeys, DeploymentMismatch } from './master-key.ts';
import { DEPLOYMENT, listVaultKeys, vaultKeyColumns } from './vault-keys.ts';

export type DeploymentEnvironment = 'sandbox' | 'production';

/**
 * Creates the deployment and its keys at the first start; later checks that MASTER_KEY and ENVIRONMENT belong to this
 * database. Returns the keys for API-key hashes. Throws DeploymentMismatch.
 */
export async function openDeployment(
  db: Queryable,
  masters: MasterKeys,
  environment: DeploymentEnvironment,
): Promise<Keyring> {
  await createDeployment(db, masters, environment);
  await checkEnvironment(db, environment);
  const rows = await listVaultKeys(db, DEPLOYMENT);
  const check = openKeyring(masters, rows, 'CHECK');
  const apiKeys = openKeyring(masters, rows, 'API_KEYS');
  if (!check || !apiKeys) throw new DeploymentMismatch('This database has lost the keys of its deployment.');
  return apiKeys;
}

// One statement: of two processes that start together, the one that inserts the row inserts the keys, and the other
// waits.
async function createDeployment(db: Queryable, masters: MasterKeys, environment: string): Promise<void> {
  const check = newVaultKey(masters, { owner: DEPLOYMENT, purpose: 'CHECK', version: 1 });
  const apiKeys = newVaultKey(masters, { owner: DEPLOYMENT, purpose: 'API_KEYS', version: 1 });
  await db.query(
    `with first_start as (
       insert into deployment (environment) values ($6) on conflict do nothing returning environment)
     insert into vault_keys (owner, purpose, version, master_key_id, wrapped)
     select * from unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::bytea[])
      where exists (select from first_start)`,
    [...vaultKeyColumns([check, apiKeys]), environment],
  );
}

async function checkEnvironment(db: Queryable, environment: string): Promise<void> {
  const { rows } = await db.query<{ environment: string }>('select environment from deployment');
  const stored = rows[0]?.environment;
  if (stored !== environment) {
    throw new DeploymentMismatch(
      `ENVIRONMENT is ${environment}, but this database belongs to a ${stored} deployment: ` +
        'correct ENVIRONMENT or DATABASE_URL.',
    );
  }
}
