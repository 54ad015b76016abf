import { chmod, lstat, mkdtemp, realpath, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freshLog } from './home.ts';
import { onFreePorts } from './on-free-ports.ts';
import { canEnter, openToAccount, postgresAccount, type PostgresAccount } from './postgres-account.ts';
import { OPEN_FOLDER, postgresBinaries } from './postgres-binaries.ts';
import {
  createCluster,
  createDatabase,
  DURABLE_SETTINGS,
  startServer,
  type PostgresLocation,
  type PostgresServer,
} from './postgres-server.ts';
import type { ProgressLog } from './progress.ts';
import type { StandaloneRun } from './run.ts';
import { homeSecrets } from './secrets.ts';
import { keepRunning, type SupervisedProcess } from './supervise.ts';

const USUAL_PORT = 15_432;
const DATABASE = 'waybill';

/** Starts the home's own PostgreSQL and returns the address of its database; its data is in <home>/postgres-18. */
export async function startPostgres(
  run: StandaloneRun,
): Promise<SupervisedProcess<PostgresServer> & { url: string }> {
  const { home, log } = run;
  const logFile = freshLog(home, 'postgres');
  const { dataFolder, account } = await findDataFolder(home, log);
  const binaries = await postgresBinaries(account, log);
  const password = homeSecrets(home).postgresPassword;
  const place: PostgresLocation = { binaries, dataFolder, logFile, account, password, home };
  await createCluster(place, { durable: true });
  const preference = { name: 'postgres', label: 'PostgreSQL', usual: USUAL_PORT } as const;
  const server = await onFreePorts(run, [preference], (ports) =>
    keepRunning('PostgreSQL', () => startServer(place, ports.postgres, DURABLE_SETTINGS), run),
  );
  await createDatabase(server.current(), DATABASE);
  return { ...server, url: server.current().url(DATABASE) };
}

/** Returns the data folder, existing or new, and the account that may use it. */
async function findDataFolder(
  home: string,
  log: ProgressLog,
): Promise<{ dataFolder: string; account: PostgresAccount | undefined }> {
  const link = join(home, 'postgres-18');
  const self = await postgresAccount(log);
  if (!(await canEnter(home, self))) await chmod(home, (await stat(home)).mode | 0o011);
  const there = await realpath(link).catch(() => undefined);
  if (there !== undefined) return { dataFolder: there, account: await ownerOf(there, self, home) };
  if (await canEnter(home, self)) return { dataFolder: link, account: self };
  return { dataFolder: await openDataFolder(link, self, log), account: self };
}

/** Returns the owner of existing data: root continues the data of an ordinary user as that user. */
async function ownerOf(
  folder: string,
  self: PostgresAccount | undefined,
  home: string,
): Promise<PostgresAccount | undefined> {
  const { uid, gid } = await stat(folder);
  if (!self && uid !== process.getuid?.()) {
    throw new Error(
      `${folder} belongs to another user. Start as that user, or set WAYBILL_HOME to another folder.`,
    );
  }
  const account = self && uid !== 0 ? { uid, gid } : self;
  if (await canEnter(folder, account)) return account;
  throw new Error(
    `The owner of ${folder} cannot enter it: open the folders above ${home}, or set DATABASE_URL.`,
  );
}

/** The account cannot reach a home below a closed folder, such as /root: the data is then in another folder and linked. */
async function openDataFolder(
  link: string,
  account: PostgresAccount | undefined,
  log: ProgressLog,
): Promise<string> {
  await openToAccount(OPEN_FOLDER, account);
  const folder = await mkdtemp(join(OPEN_FOLDER, 'home-'));
  await openToAccount(folder, account);
  const data = join(folder, 'postgres-18');
  log(`The user "postgres" cannot enter the home folder: the database is kept in ${data}`);
  if (await lstat(link).catch(() => undefined)) await rm(link);
  await symlink(data, link);
  return data;
}
