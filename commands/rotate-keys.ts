import { parseArgs } from 'node:util';
import { requireSettings, withSettings, type Settings } from '../process/settings.ts';
import { openPool } from '../db/postgres.ts';
import { DeploymentMismatch } from '../db/vault/master-key.ts';
import { rotateKeys } from '../db/vault/rotate-keys.ts';

// To change MASTER_KEY: restart every api and worker with the new one and the old one as MASTER_KEY_PREVIOUS, run
// this with the same two, then remove MASTER_KEY_PREVIOUS.
const USAGE = 'usage: rotate-keys [--new-tenant-keys]';

await withSettings(async (settings) => {
  await rotate(settings, readArguments());
});

interface RotationArguments {
  newTenantKeys: boolean;
}

function readArguments(): RotationArguments {
  try {
    const { values } = parseArgs({ options: { 'new-tenant-keys': { type: 'boolean', default: false } } });
    return { newTenantKeys: values['new-tenant-keys'] };
  } catch {
    console.error(USAGE);
    process.exit(1);
  }
}

async function rotate(given: Settings, { newTenantKeys }: RotationArguments): Promise<void> {
  const settings = requireSettings(given, ['DATABASE_URL', 'MASTER_KEY']);
  const pool = openPool(settings.DATABASE_OWNER_URL ?? settings.DATABASE_URL, 1, (error) =>
    console.error(error.message),
  );
  try {
    const { left } = await rotateKeys({
      pool,
      masterKey: settings.MASTER_KEY,
      previousMasterKey: settings.MASTER_KEY_PREVIOUS,
      newTenantKeys,
      log: console.log,
    });
    if (left > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof DeploymentMismatch)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await pool.end();
  }
}
