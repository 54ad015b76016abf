import { isTrpOpen, walletUrlOf, type Settings } from './settings.ts';
import { type Database } from '../db/database.ts';
import { followErasures } from '../db/tenant-erasures/follow-erasures.ts';
import { openVault } from '../db/vault/vault.ts';
import { openPool } from '../db/postgres.ts';

interface OpenOptions {
  settings: Settings & { DATABASE_URL: string; MASTER_KEY: string };
  onIdleError: (error: Error) => void;
}

export interface OpenedDatabase extends Database {
  close: () => Promise<void>;
}

/** After a start the keys of every tenant that acts are read once. */
const KEY_CONNECTIONS = 4;

/**
 * Opens the database of a process. Keys are read over connections of their own: a transaction that needs a key must
 * never wait for a connection that other such transactions hold. Another one tells which tenants were erased.
 */
export async function openDatabase({ settings, onIdleError }: OpenOptions): Promise<OpenedDatabase> {
  const pool = openPool(settings.DATABASE_URL, settings.DATABASE_POOL, onIdleError);
  const keysPool = openPool(settings.DATABASE_URL, KEY_CONNECTIONS, onIdleError);
  let stopFollowing = async () => await Promise.resolve();
  const close = async () => {
    await Promise.all([pool.end(), keysPool.end(), stopFollowing()]);
  };
  try {
    const vault = await openVault({
      pool: keysPool,
      masterKey: settings.MASTER_KEY,
      previousMasterKey: settings.MASTER_KEY_PREVIOUS,
      environment: settings.ENVIRONMENT,
    });
    const following = followErasures(settings.DATABASE_URL, vault, onIdleError);
    stopFollowing = following.stop;
    await following.started;
    return { pool, vault, walletUrl: walletUrlOf(settings), speaksTrp: isTrpOpen(settings), close };
  } catch (error) {
    await close();
    throw error;
  }
}
