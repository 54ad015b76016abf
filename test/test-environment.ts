import { browserBinary } from './browser-binary.ts';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { lastingPort } from './lasting-port.ts';
import {
  canEnter,
  openToAccount,
  postgresAccount,
  type PostgresAccount,
} from '../standalone/postgres-account.ts';
import { OPEN_FOLDER, postgresBinaries } from '../standalone/postgres-binaries.ts';
import {
  createCluster,
  createDatabase,
  startServer,
  type PostgresLocation,
  type PostgresServer,
} from '../standalone/postgres-server.ts';
import { endLeftovers, recordProcess, runningProcess } from '../standalone/processes.ts';
import { withProgress } from '../standalone/progress.ts';
import { findTemporal } from '../standalone/temporal-binary.ts';
import { startTemporalServer, type TemporalOptions } from '../standalone/temporal-server.ts';

const PREFIX = 'waybill-test-';
const TEMPLATE = 'waybill_template';
const NAMESPACE = 'waybill-test';
/** What a crash would lose is thrown away after the run anyway, and no database lives long enough to need a vacuum. */
const FAST = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=256MB',
  'autovacuum=off',
  'max_connections=300',
  'scram_iterations=1',
];
/** Each test file clones a database of 700 files: in memory that is done in a tenth of the time that a disk takes. */
const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3;

const log = (line: string): void => void process.stderr.write(`${line}\n`);

let stop: (() => Promise<void>) | undefined;

/** Ctrl-C ends jest without its teardown. */
const onSignal = (): void => {
  void stopTestEnvironment().finally(() => process.exit(130));
};

/** Brings up the servers that the tests use and puts their addresses into the environment that the workers inherit. */
export async function startTestEnvironment(): Promise<void> {
  const account = await postgresAccount(log);
  for (const parent of [MEMORY, tmpdir(), OPEN_FOLDER]) await endKilledRuns(parent);
  const parent = await parentFolder(account);
  const folder = await mkdtemp(join(parent, PREFIX));
  await openToAccount(folder, account);
  recordProcess(join(folder, 'owner'), 'jest', process.pid, 'jest');
  const started: { stop: () => Promise<void> }[] = [];
  stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    // A stop in the middle of the set-up: what was coming up is known by its PID file.
    await endLeftovers(join(folder, 'run'), () => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    // Unpacked here, once: test files that do it at the same time would spoil each other's file.
    await Promise.all([
      startDatabase(folder, account, started),
      startTemporal(folder, started),
      browserBinary(),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function stopTestEnvironment(): Promise<void> {
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
  await stop?.();
  stop = undefined;
}

async function parentFolder(account: PostgresAccount | undefined): Promise<string> {
  if (await hasMemory()) return MEMORY;
  if (await canEnter(tmpdir(), account)) return tmpdir();
  await openToAccount(OPEN_FOLDER, account);
  return OPEN_FOLDER;
}

/** Containers have 64 MB of it unless told otherwise; systems other than Linux have none. */
async function hasMemory(): Promise<boolean> {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize >= MEMORY_NEEDED_BYTES;
}

/** A run that was killed leaves servers and a folder; one that still lives is left alone. */
async function endKilledRuns(parent: string): Promise<void> {
  if (!existsSync(parent)) return;
  const folders = (await readdir(parent)).filter((name) => name.startsWith(PREFIX));
  for (const folder of folders.map((name) => join(parent, name))) {
    if (!existsSync(join(folder, 'owner', 'jest.json'))) continue;
    if (runningProcess(join(folder, 'owner'), 'jest')) continue;
    await endLeftovers(join(folder, 'run'), log);
    await rm(folder, { recursive: true, force: true });
  }
}

async function startDatabase(
  folder: string,
  account: PostgresAccount | undefined,
  started: { stop: () => Promise<void> }[],
): Promise<void> {
  const place: PostgresLocation = {
    binaries: await postgresBinaries(account, log),
    dataFolder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    account,
    password: randomBytes(16).toString('hex'),
    home: folder,
  };
  await createCluster(place, { durable: false });
  await takePlainPasswords(place.dataFolder);
  const server = await startServer(place, await lastingPort(), FAST);
  started.push(server);
  await storeQuickPassword(server, place.password);
  await migrateTemplate(server);
  process.env['WAYBILL_TEST_DATABASE_URL'] = server.url('postgres');
  process.env['WAYBILL_TEST_TEMPLATE'] = TEMPLATE;
  const older = installedPostgres15();
  if (older) process.env['WAYBILL_TEST_POSTGRES15_BIN'] = older;
}

/** To prove a password by SCRAM costs each of the thousands of connections of a run 3 ms of CPU time and a third of its time. */
async function takePlainPasswords(dataFolder: string): Promise<void> {
  const file = join(dataFolder, 'pg_hba.conf');
  const rules = await readFile(file, 'utf8');
  await writeFile(file, rules.replaceAll('scram-sha-256', 'password'));
}

/** The password as before, stored so that it is checked with one iteration. */
async function storeQuickPassword(server: PostgresServer, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(`alter role postgres password '${password}'`);
  await client.end();
}

async function migrateTemplate(server: PostgresServer): Promise<void> {
  await createDatabase(server, TEMPLATE);
  const { migrate } = await import('../db/migrate.ts');
  await withProgress(log, 'Migrating the template database', migrate(server.url(TEMPLATE)));
}

async function startTemporal(folder: string, started: { stop: () => Promise<void> }[]): Promise<void> {
  const options: TemporalOptions = {
    binary: await findTemporal(log),
    namespace: NAMESPACE,
    port: await lastingPort(),
    uiPort: undefined,
    file: undefined,
    logFile: join(folder, 'temporal.log'),
    home: folder,
  };
  const server = await startTemporalServer(options);
  started.push(server);
  process.env['WAYBILL_TEST_TEMPORAL'] = server.address;
  process.env['WAYBILL_TEST_NAMESPACE'] = NAMESPACE;
}

/** The oldest PostgreSQL that is promised to work, when this machine has it: its folder with initdb and postgres. */
function installedPostgres15(): string | undefined {
  const candidates = ['/usr/lib/postgresql/15/bin', '/usr/pgsql-15/bin', binFolderOfPgConfig()];
  return candidates.find((folder) => folder !== undefined && isPostgres15(folder));
}

function binFolderOfPgConfig(): string | undefined {
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

function isPostgres15(folder: string): boolean {
  try {
    const version = execFileSync(join(folder, 'postgres'), ['--version'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return existsSync(join(folder, 'initdb')) && / 15\./.test(version);
  } catch {
    return false;
  }
}
