import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../db/migrate.ts';
import { freePort } from '../standalone/free-port.ts';
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
  DURABLE_SETTINGS,
  startServer,
  type PostgresServer,
} from '../standalone/postgres-server.ts';
import { saysAddressInUse } from '../standalone/on-free-ports.ts';
import { endLeftovers, recordProcess, runningProcess } from '../standalone/processes.ts';
import { withProgress, type ProgressLog } from '../standalone/progress.ts';
import { findTemporal } from '../standalone/temporal-binary.ts';
import { startTemporalServer } from '../standalone/temporal-server.ts';

const PREFIX = 'waybill-bench-';
const TEMPORAL_TRIES = 4;
const SILENT: ProgressLog = () => undefined;

/** A temporary folder and servers for one run of the benchmarks; `remove` deletes all of it. */
export interface BenchInstallation {
  /** WAYBILL_HOME of every process that is started; it contains their PID files. */
  folder: string;
  log: ProgressLog;
  /** Creates and migrates a database; returns its URL. */
  newDatabase: () => Promise<string>;
  /** Starts a Temporal server; returns its address and process id, and `end` to stop it. */
  startTemporal: (namespace: string) => Promise<{ address: string; pid: number; end: () => Promise<void> }>;
  /** Makes the database write down what it has put off until now. */
  checkpoint: () => Promise<void>;
  /** Stops all running processes and removes the folder. */
  remove: () => Promise<void>;
}

/** Starts PostgreSQL in a new folder, after stopping the processes and removing the folders of killed runs. */
export async function makeInstallation(log: ProgressLog): Promise<BenchInstallation> {
  const account = await postgresAccount(log);
  const parent = await parentFolder(account);
  await endKilledRuns(parent);
  const folder = await mkdtemp(join(parent, PREFIX));
  const remove = async () => {
    await endLeftovers(join(folder, 'run'), SILENT);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await openToAccount(folder, account);
    recordProcess(join(folder, 'owner'), 'bench', process.pid, 'bench');
    const server = await withProgress(log, 'Starting PostgreSQL', startPostgres(folder, account));
    let databases = 0;
    return {
      folder,
      log,
      newDatabase: async () => await newDatabase(server, `bench_${(databases += 1)}`),
      startTemporal: async (namespace) => await startTemporal(folder, log, namespace),
      checkpoint: async () => await checkpoint(server),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function parentFolder(account: PostgresAccount | undefined): Promise<string> {
  if (await canEnter(tmpdir(), account)) return tmpdir();
  await openToAccount(OPEN_FOLDER, account);
  return OPEN_FOLDER;
}

async function endKilledRuns(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(parent, name))) {
    if (!existsSync(join(folder, 'owner', 'bench.json'))) continue;
    if (runningProcess(join(folder, 'owner'), 'bench')) continue;
    await endLeftovers(join(folder, 'run'), SILENT);
    await rm(folder, { recursive: true, force: true });
  }
}

async function startPostgres(folder: string, account: PostgresAccount | undefined): Promise<PostgresServer> {
  const options = {
    binaries: await postgresBinaries(account, SILENT),
    dataFolder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    account,
    password: randomBytes(16).toString('hex'),
    home: folder,
  };
  await createCluster(options, { durable: true });
  return await startServer(options, await freePort([]), DURABLE_SETTINGS);
}

async function checkpoint(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query('checkpoint');
  await client.end();
}

async function newDatabase(server: PostgresServer, name: string): Promise<string> {
  await createDatabase(server, name);
  const url = server.url(name);
  await migrate(url);
  return url;
}

/** The server takes more ports than the one it is told; where another program takes one meanwhile, the start is tried again. */
async function startTemporal(folder: string, log: ProgressLog, namespace: string) {
  const options = {
    binary: await withProgress(log, 'Looking for a Temporal server', findTemporal(log)),
    namespace,
    uiPort: undefined,
    file: join(folder, `temporal-${namespace}.db`),
    logFile: join(folder, `temporal-${namespace}.log`),
    home: folder,
  };
  for (let tries = 1; ; tries += 1) {
    try {
      const server = await startTemporalServer({ ...options, port: await freePort([]) });
      return { address: server.address, pid: server.pid, end: server.stop };
    } catch (error) {
      if (tries === TEMPORAL_TRIES || !saysAddressInUse(error)) throw error;
      await rm(options.logFile, { force: true });
    }
  }
}
