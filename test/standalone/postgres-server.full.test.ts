import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { lastingPort } from '../lasting-port.ts';
import { openToAccount, postgresAccount } from '../../standalone/postgres-account.ts';
import { postgresBinaries } from '../../standalone/postgres-binaries.ts';
import {
  createCluster,
  startServer,
  type PostgresLocation,
  type PostgresServer,
} from '../../standalone/postgres-server.ts';
import { processStart } from '../../standalone/processes.ts';

const silent = (): void => undefined;

let place: PostgresLocation;
const running: PostgresServer[] = [];

beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'postgres-server-'));
  const account = await postgresAccount(silent);
  await openToAccount(home, account);
  place = {
    binaries: await postgresBinaries(account, silent),
    dataFolder: join(home, 'postgres'),
    logFile: join(home, 'postgres.log'),
    account,
    password: randomBytes(16).toString('hex'),
    home,
  };
  await createCluster(place, { durable: true });
});

afterAll(async () => {
  await Promise.all(running.map(async (server) => server.stop()));
  await rm(place.home, { recursive: true, force: true });
});

async function start(): Promise<PostgresServer> {
  const server = await startServer(place, await lastingPort(), []);
  running.push(server);
  return server;
}

async function query(server: PostgresServer, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  client.on('error', silent);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('what was acknowledged is there after a kill -9 and a start', async () => {
  const first = await start();
  await query(first, 'create table kept as select generate_series(1, 5000) as id');
  process.kill(first.pid, 'SIGKILL');
  const second = await start();
  await expect(query(second, 'select count(*)::int from kept')).resolves.toEqual([{ count: 5000 }]);
  await second.stop();
});

test('a start takes over from a server that nobody has recorded', async () => {
  const forgotten = await start();
  const server = await start();
  expect(processStart(forgotten.pid)).toBeUndefined();
  await server.stop();
});

test('a lock file whose number belongs to another program now is no obstacle', async () => {
  writeFileSync(join(place.dataFolder, 'postmaster.pid'), `${process.ppid}\n${place.dataFolder}\n`);
  const server = await start();
  await expect(query(server, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await server.stop();
});

test('a port that is taken is reported with what PostgreSQL says', async () => {
  const server = await start();
  const elsewhere = { ...place, dataFolder: `${place.dataFolder}-2` };
  await createCluster(elsewhere, { durable: false });
  await expect(startServer(elsewhere, server.port, [])).rejects.toThrow(/did not start[^]*could not bind/);
  await server.stop();
});

test('people lose nothing to speed: every commit is written through', async () => {
  const server = await start();
  await expect(query(server, 'show fsync')).resolves.toEqual([{ fsync: 'on' }]);
  await expect(query(server, 'show synchronous_commit')).resolves.toEqual([{ synchronous_commit: 'on' }]);
  await server.stop();
});

test('nobody gets in without the password, and it lies in no file', async () => {
  const server = await start();
  const stranger = new pg.Client({ connectionString: server.url('postgres').replace(place.password, 'x') });
  await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  await expect(stat(`${place.dataFolder}.password`)).rejects.toThrow('ENOENT');
  await server.stop();
});
