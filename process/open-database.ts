import { walletUrlOf, type Config } from './settings.ts';
import { type Database } from '../db/database.ts';
import { openVault } from '../db/vault/vault.ts';
import { openPool } from '../db/postgres.ts';

interface OpenOptions {
  config: Config & { DATABASE_URL: string; MASTER_KEY: string };
  onIdleError: (error: Error) => void;
}

export interface OpenedDatabase extends Database {
  close: () => Promise<void>;
}

/**
 * Opens the database of a process. Keys are read over connections of their own: a transaction that needs a key must
 * never wait for a connection that other such transactions hold.
 */
export async function openDatabase({ config, onIdleError }: OpenOptions): Promise<OpenedDatabase> {
  const pool = openPool(config.DATABASE_URL, config.DATABASE_POOL, onIdleError);
  const keysPool = openPool(config.DATABASE_URL, 2, onIdleError);
  const close = async () => {
    await Promise.all([pool.end(), keysPool.end()]);
  };
  try {
    const vault = await openVault({
      pool: keysPool,
      masterKey: config.MASTER_KEY,
      previousMasterKey: config.MASTER_KEY_PREVIOUS,
      environment: config.ENVIRONMENT,
    });
    return { pool, vault, walletUrl: walletUrlOf(config), close };
  } catch (error) {
    await close();
    throw error;
  }
}
