import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A database of its own, cloned from the migrated template. */
export interface TestDatabase {
  name: string;
  pool: pg.Pool;
  url: string;
  /** Ends the pool and removes the database, whoever is still connected. */
  drop: () => Promise<void>;
}

/**
 * Clones the migrated template in some 20 ms; call it in beforeAll, and drop in afterAll. Another `template` is the name of
 * a database that a test has filled and that nobody is connected to any more.
 */
export async function testDatabase(template = setting('WAYBILL_TEST_TEMPLATE')): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(
    async (client) => await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`),
  );
  const url = new URL(setting('WAYBILL_TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 10 });
  // Dropping with FORCE ends idle connections of others; that is no fault of the test.
  pool.on('error', () => undefined);
  return {
    name,
    pool,
    url: url.href,
    drop: async () => {
      await pool.end();
      await dropWhenFree(name);
    },
  };
}

const LOOKS = 10;
const LOOK_EVERY_MS = 50;

/** A connection that was just closed lives on the server for a moment; cut off, it would be an error of whoever closed it. */
async function dropWhenFree(name: string): Promise<void> {
  const isUsed = `select 1 from pg_stat_activity where datname = '${name}'`;
  await administer(async (client) => {
    for (let look = 1; look <= LOOKS; look += 1) {
      if ((await client.query(isUsed)).rowCount === 0) break;
      await delay(LOOK_EVERY_MS);
    }
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

/** One connection for all statements: each costs ten milliseconds of CPU time. */
async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: setting('WAYBILL_TEST_DATABASE_URL') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test`);
  return value;
}
