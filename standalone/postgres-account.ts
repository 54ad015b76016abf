import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ProgressLog } from './progress.ts';

const run = promisify(execFile);

/** The user a server runs as; PostgreSQL refuses to run as root. */
export interface PostgresAccount {
  uid: number;
  gid: number;
}

/** The account for PostgreSQL: `postgres` (created when missing) for root, undefined (= oneself) for everybody else. */
export async function postgresAccount(log: ProgressLog): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await lookUp();
  if (found) return found;
  log('Creating the system user "postgres": PostgreSQL does not run as root');
  try {
    await run('useradd', ['--system', '--user-group', '--shell', '/bin/false', 'postgres']);
  } catch {
    // Another start may have been faster; what counts is whether the user exists now.
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

/** Whether that account can enter a folder; asked of the system itself, because modes alone do not tell (ACLs). */
export async function canEnter(folder: string, account: PostgresAccount | undefined): Promise<boolean> {
  if (!account) return true;
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder that the account may pass through but not list: it holds other people's secrets. */
export async function openToAccount(folder: string, account: PostgresAccount | undefined): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, account ? 0o711 : 0o700);
}
