import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type pg from 'pg';
import { openPool } from '../../db/postgres.ts';
import { checkOwnership } from '../../process/check-ownership.ts';
import { migrateAsOwner } from '../../process/migrate-as-owner.ts';
import { dropPastAttempts, makeAttemptPartitions } from '../../db/housekeeping/attempt-partitions.ts';
import {
  makeMonths,
  monthStart,
  partitionOfMonth,
  partitionsOf,
  storeAttempt,
} from '../factories/attempt-months.ts';
import { bulkTenants } from '../factories/bulk-rows.ts';
import { startPostgres15, type TestServer } from '../postgres-15.ts';
import { read } from './compose-file.ts';

const binaries = process.env['WAYBILL_TEST_POSTGRES15_BIN'];
const PROGRAMS = ['pg_dump', 'pg_restore', 'dropdb', 'createdb', 'psql'];
const canDump = PROGRAMS.every((name) => existsSync(join(binaries ?? '', name)));
if (!canDump)
  console.warn('SKIPPED: no PostgreSQL 15 with its programs is installed, with which the guide is tried.');

/** What stands in the place of docker: runs what is for the container of PostgreSQL on this machine, and nothing else. */
const DOCKER = `#!/bin/sh
[ "$2" = exec ] || exit 0
shift 4
exec "$@"
`;

/** The commands of the guide, as they are printed. */
const GUIDE = read('docs/operating.md');
const BACKUP = /`(docker compose exec -T postgres pg_dump .*? > waybill\.dump)`/.exec(GUIDE)?.[1] ?? '';
const RESTORE = /```sh\n([^`]*pg_restore[^`]*)```/.exec(GUIDE)?.[1] ?? '';

/** Attempts of webhooks of months with and without a partition; returns the ids of the webhooks. */
async function fill(pool: pg.Pool): Promise<string[]> {
  await makeMonths(pool, -5, 2);
  const [tenantId = ''] = await bulkTenants(pool, 3);
  const ids: string[] = [];
  for (const ahead of [-5, -1, 0, 3, 9])
    ids.push(await storeAttempt(pool, tenantId, { madeAt: monthStart(ahead) }));
  return ids;
}

(canDump ? describe : describe.skip)('the backup of the guide, restored as it says', () => {
  let server: TestServer;
  let folder: string;
  let ids: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waybill-guide-'));
    writeFileSync(join(folder, 'docker'), DOCKER);
    chmodSync(join(folder, 'docker'), 0o755);
    server = await startPostgres15(binaries ?? '');
    const roles = read('deploy/create-roles.sql').replaceAll(/`cat .*`/g, "'pass'");
    writeFileSync(join(folder, 'roles.sql'), `${roles}\ncreate role stranger login;`);
    run('docker compose exec -T postgres psql -U postgres -f roles.sql');
    await migrateAsOwner(urls());
    ids = await as('waybill', async (pool) => await fill(pool));
    run(BACKUP);
    run(RESTORE);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  function run(script: string): void {
    expect(script).toContain('docker');
    const { hostname, port } = new URL(server.url);
    const path = [folder, binaries, process.env['PATH']].join(delimiter);
    const env = { PATH: path, PGHOST: hostname, PGPORT: port };
    execFileSync('sh', ['-ec', script], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  }

  function urlOf(role: string): string {
    const url = new URL(server.url);
    [url.username, url.pathname] = [role, '/waybill'];
    return url.href;
  }
  const urls = () => ({ DATABASE_URL: urlOf('waybill_service'), DATABASE_OWNER_URL: urlOf('waybill') });

  async function as<T>(role: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const pool = openPool(urlOf(role), 1, () => undefined);
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  test('has all rows, and the guards of production', async () => {
    const count = async (pool: pg.Pool) => (await pool.query('select from tenants')).rowCount;
    expect(await as('waybill_service', count)).toBe(3);
    await as('waybill_service', async (pool) => await checkOwnership({ ENVIRONMENT: 'production' }, pool));
  });

  test('has all months of attempts, makes more of them, and takes the next migrations', async () => {
    expect(await migrateAsOwner(urls())).toEqual([]);
    const names = [-5, -1, 0, 3].map(partitionOfMonth);
    const partitions = async (of: string[]) =>
      await as('waybill_service', async (pool) => await partitionsOf(pool, of));
    expect(await partitions(ids)).toEqual([...names, 'webhook_attempts_default']);
    await as(
      'waybill',
      async (pool) =>
        await pool.query(`drop table ${partitionOfMonth(2)}; create table of_the_next_version (id int)`),
    );
    expect(await as('waybill_service', makeAttemptPartitions)).toBe(1);
    expect(await as('waybill_service', dropPastAttempts)).toEqual(expect.any(Number));
    expect(await partitions(ids.slice(0, 2))).toEqual([undefined, partitionOfMonth(-1)]);
  });

  test('lets nobody connect who could not before', async () => {
    await expect(as('stranger', async (pool) => await pool.query('select 1'))).rejects.toThrow(
      'permission denied for database "waybill"',
    );
  });
});
