import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresAccount } from './postgres-account.ts';
import { endProcess, processCommand, recordProcess } from './processes.ts';
import {
  lastLines,
  SERVER_STOP_LIMIT_MS,
  serverProcess,
  untilStarted,
  type ServerProcess,
} from './server-process.ts';

const START_LIMIT_MS = 60_000;
const POLL_MS = 15;

export interface PostgresLocation {
  /** Folder with initdb and postgres. */
  binaries: string;
  dataFolder: string;
  logFile: string;
  account: PostgresAccount | undefined;
  password: string;
  /** WAYBILL_HOME of the children, which identifies their owner. Their PID files are in its folder run. */
  home: string;
}

interface ClusterOptions {
  /** Whether the new files are forced to the disk, so that they outlive a crash of the machine. */
  durable: boolean;
}

export interface PostgresServer extends ServerProcess {
  port: number;
  url: (database: string) => string;
}

/** Creates the data folder if it is missing; a killed run leaves nothing that looks complete. */
export async function createCluster(location: PostgresLocation, options: ClusterOptions): Promise<void> {
  if (existsSync(join(location.dataFolder, 'PG_VERSION'))) return;
  const partial = `${location.dataFolder}.new`;
  const passwordFile = `${location.dataFolder}.password`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${location.password}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await giveTo(location.account, partial, passwordFile);
    const sync = options.durable ? [] : ['--no-sync'];
    await runInitdb(location, [`--pgdata=${partial}`, `--pwfile=${passwordFile}`, ...sync]);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(partial, location.dataFolder);
}

async function giveTo(account: PostgresAccount | undefined, ...files: string[]): Promise<void> {
  if (account) await Promise.all(files.map((file) => chown(file, account.uid, account.gid)));
}

/** Sorting and case follow Unicode's own tables, so that they do not depend on the machine's locales. */
async function runInitdb(location: PostgresLocation, options: readonly string[]): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const child = launch(location, 'initdb', [
    ...options,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--no-instructions',
    '--set=timezone=UTC',
    '--set=log_timezone=UTC',
    ...locale,
  ]);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`PostgreSQL could not be set up:\n${lastLines(location.logFile)}`);
}

/** A process of its own group, so that Ctrl-C in the terminal reaches only the parent, which stops things in order. */
function launch(location: PostgresLocation, program: 'initdb' | 'postgres', args: string[]): ChildProcess {
  const output = openSync(location.logFile, 'a', 0o600);
  try {
    const child = spawn(join(location.binaries, program), args, {
      ...location.account,
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', WAYBILL_HOME: location.home },
    });
    recordProcess(join(location.home, 'run'), program, child.pid, `${program} for ${location.dataFolder}`);
    return child;
  } finally {
    closeSync(output);
  }
}

/**
 * The settings of a server that keeps its data: fully durable. Files of the log that a checkpoint frees are kept, since a new one
 * is filled with zeros while all commits wait.
 */
export const DURABLE_SETTINGS = ['max_connections=200', 'min_wal_size=1GB'];

/**
 * Starts the server on loopback and waits until it takes connections. Rejects with the end of its log.
 */
export async function startServer(
  location: PostgresLocation,
  port: number,
  settings: readonly string[],
): Promise<PostgresServer> {
  await clearLock(location.dataFolder);
  const base = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  const options = [...base, ...settings].flatMap((setting) => ['-c', setting]);
  const child = launch(location, 'postgres', ['-D', location.dataFolder, ...options]);
  await untilStarted('PostgreSQL', child, location.logFile, (gaveUp) =>
    untilReady(location.dataFolder, child, gaveUp),
  );
  return control(child, port, location.password);
}

/** Ends a server that a killed run left behind, and removes its lock file. The process id may belong to another program by now. */
async function clearLock(dataFolder: string): Promise<void> {
  const lock = join(dataFolder, 'postmaster.pid');
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  if (processCommand(pid).includes(dataFolder)) await endProcess(pid, 'SIGINT', 5000);
  await rm(lock, { force: true });
}

/** Waits for the status line of the lock file, like pg_ctl. */
async function untilReady(dataFolder: string, child: ChildProcess, gaveUp: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!gaveUp.aborted) {
    const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return;
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      throw new Error(`PostgreSQL was not ready within ${START_LIMIT_MS / 1000} s`);
    }
    await delay(POLL_MS);
  }
}

function control(child: ChildProcess, port: number, password: string): PostgresServer {
  return {
    // SIGINT is PostgreSQL's fast shutdown: it ends sessions and writes all data to disk.
    ...serverProcess(child, 'SIGINT', SERVER_STOP_LIMIT_MS),
    port,
    url: (database) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`,
  };
}

/** Creates a database if it is missing. */
export async function createDatabase(server: PostgresServer, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
