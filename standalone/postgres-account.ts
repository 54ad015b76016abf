import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ProgressLog } from './progress.ts';

const run = promisify(execFile);

/** The system user that PostgreSQL runs as; it refuses to run as root. */
export interface PostgresAccount {
  uid: number;
  gid: number;
}

/** Returns the account for PostgreSQL: `postgres` (created when missing) for root, else undefined (the current user). */
export async function postgresAccount(log: ProgressLog): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await lookUp();
  if (found) return found;
  log('Creating the system user "postgres": PostgreSQL does not run as root');
  try {
    await run('useradd', ['--system', '--user-group', '--shell', '/bin/false', 'postgres']);
  } catch {
    // Another start may have created the user meanwhile; only its existence counts.
  }
  const created = await lookUp();
  if (created) return created;
  throw new Error(
    'PostgreSQL does not run as root, and the user "postgres" could not be created. ' +
      'Start as an ordinary user, create that user, or set DATABASE_URL to a server of your own.',
  );
}

async function lookUp(): Promise<PostgresAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** True when the account can enter the folder. Tries it, because file modes do not show ACLs. */
export async function canEnter(folder: string, account: PostgresAccount | undefined): Promise<boolean> {
  if (!account) return true;
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** Creates a folder that the account may enter but not list, since the folder contains other secrets. */
export async function openToAccount(folder: string, account: PostgresAccount | undefined): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, account ? 0o711 : 0o700);
}
