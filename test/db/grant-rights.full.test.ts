import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { importBundled } from '../../activities/sanctions/import-bundled.ts';
import { dropPastAttempts, makeAttemptPartitions } from '../../db/housekeeping/attempt-partitions.ts';
import { loadBundledLabels } from '../../db/labels/load-bundled-labels.ts';
import { ensureEntityDirectory } from '../../process/ensure-entity-directory.ts';
import { checkSeals } from '../../db/seals/check-seals.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { migrateAsOwner } from '../../process/migrate-as-owner.ts';
import { checkOwnership, OwnsTables } from '../../process/check-ownership.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import { createLog } from '../../process/log.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { sealRound } from '../../worker/seal-loop.ts';
import { startTestApi, type TestApi } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { monthStart, partitionOfMonth, partitionsOf, storeAttempt } from '../factories/attempt-months.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../factories/tenant.ts';
import { createMessagePair } from '../factories/transaction.ts';
import { createVerification } from '../factories/verification.ts';

const mark = randomBytes(4).toString('hex');
const OWNER = `owner_${mark}`;
const SERVICE = `service_${mark}`;

let database: TestDatabase;
let ownerUrl: string;
let serviceUrl: string;

const urlOf = (role: string) => {
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'pass'];
  return url.href;
};

/** Runs a statement as a role of its own connection. */
async function as(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

// As a deployment of the version before: the database is empty, and one role owns it.
beforeAll(async () => {
  database = await testDatabase('template0');
  for (const role of [OWNER, SERVICE]) await database.pool.query(`create role ${role} login password 'pass'`);
  await database.pool.query(`alter database ${database.name} owner to ${OWNER}`);
  await database.pool.query(`revoke connect on database ${database.name} from public`);
  [ownerUrl, serviceUrl] = [urlOf(OWNER), urlOf(SERVICE)];
});

afterAll(async () => {
  const { name } = database;
  await database.pool.query(`drop owned by ${SERVICE}, ${OWNER}`);
  await database.pool.query(`alter database ${name} owner to current_user`);
  await database.pool.query(`drop role ${SERVICE}, ${OWNER}`);
  await database.drop();
});

test('the owner migrates and gives the role of api and worker its rights; a second time changes nothing', async () => {
  const urls = { DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: ownerUrl };
  expect((await migrateAsOwner(urls)).length).toBeGreaterThan(0);
  expect(await migrateAsOwner(urls)).toEqual([]);
  const { rows } = await database.pool.query<{ owner: string }>(
    `select distinct tableowner as owner from pg_tables where schemaname = 'public'`,
  );
  expect(rows).toEqual([{ owner: OWNER }]);
});

test('where the owner gives PUBLIC no functions, the role may execute all but those of triggers', async () => {
  const hardened = await testDatabase('template0');
  const [owner, service] = [`hard_owner_${mark}`, `hard_service_${mark}`];
  const as = (role: string) => {
    const url = new URL(hardened.url);
    [url.username, url.password] = [role, 'pass'];
    return url.href;
  };
  try {
    for (const role of [owner, service])
      await hardened.pool.query(`create role ${role} login password 'pass'`);
    await hardened.pool.query(`alter database ${hardened.name} owner to ${owner};
      alter default privileges for role ${owner} revoke execute on functions from public`);
    await migrateAsOwner({ DATABASE_URL: as(service), DATABASE_OWNER_URL: as(owner) });
    const { rows } = await hardened.pool.query<{ name: string; may: boolean }>(
      `select proname as name, has_function_privilege('${service}', oid, 'EXECUTE') as may from pg_proc
       where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ may }) => !may)).toEqual([]);
    const client = new pg.Client({ connectionString: as(service) });
    await client.connect();
    await client.query('select take_feed_epoch(), flush_pending_search(), make_attempt_partitions()');
    await client.end();
  } finally {
    await hardened.pool.query(`drop owned by ${service}, ${owner} cascade;
      alter database ${hardened.name} owner to current_user; drop role ${service}, ${owner}`);
    await hardened.drop();
  }
});

test('one role for both stays as it is', async () => {
  expect(await migrateAsOwner({ DATABASE_URL: ownerUrl, DATABASE_OWNER_URL: ownerUrl })).toEqual([]);
  expect(await migrateAsOwner({ DATABASE_URL: ownerUrl })).toEqual([]);
});

describe('as a role that owns no table', () => {
  let api: TestApi;
  let tenant: TestTenant;
  let counterparty: TestTenant;

  beforeAll(async () => {
    api = await startTestApi({ url: serviceUrl });
    tenant = await createTenant(api, { webhookUrl: WEBHOOK_URL });
    counterparty = await createTenant(api, { webhookUrl: WEBHOOK_URL });
  });

  afterAll(async () => await api.stop());

  test('messages are sent and decided on, verifications made, lists imported, days sealed and logs verified', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
    expect((await counterparty.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' })).status).toBe(
      200,
    );
    expect((await tenant.get(`/transactions/${outgoingId}`)).body).toMatchObject({ status: 'CONFIRMED' });
    await createVerification(tenant);
    await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscrofft')]);
    const deps = {
      db: api.db,
      now: () => addMs(new Date(), DAY_MS + 2 * HOUR_MS),
      notifyWorkflows: () => undefined,
    };
    expect(await sealRound(deps)).toBe(true);
    expect((await verifyEvents(api.db)).faults).toEqual([]);
    expect((await checkSeals(api.db, addMs(new Date(), DAY_MS + 4 * HOUR_MS))).checked).toBe(2);
  });

  test('months of attempts are made and dropped for it, in which it writes and reads', async () => {
    await database.pool.query('drop table webhook_attempts_before');
    const late = partitionOfMonth(3);
    await database.pool.query(`drop table ${late}`);
    const { pool } = api.db;
    expect(await makeAttemptPartitions(pool)).toBe(3);
    const [now, later] = [
      await storeAttempt(pool, tenant.id, { madeAt: new Date() }),
      await storeAttempt(pool, tenant.id, { madeAt: monthStart(3) }),
    ];
    expect((await tenant.get(`/tenant/me/webhook-deliveries/${now}`)).body).toMatchObject({
      attemptLog: [{ statusCode: 200 }],
    });
    expect(await partitionsOf(pool, [now, later])).toEqual([partitionOfMonth(0), late]);
    expect(await dropPastAttempts(pool)).toBeNull();
    await pool.query('delete from webhook_deliveries where id = any($1::uuid[])', [[now, later]]);
    await expect(pool.query(`drop table ${late}`)).rejects.toThrow('must be owner');
    await migrateAsOwner({ DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: ownerUrl });
    await expect(pool.query(`drop table ${late}`)).rejects.toThrow('must be owner');
  });

  test('what comes with the product is loaded', async () => {
    const silent = createLog('test', 'silent');
    await ensureEntityDirectory(api.db, silent);
    expect((await importBundled(api.db, () => new Date())).length).toBeGreaterThan(0);
    expect(await loadBundledLabels(api.db.pool, new Date())).toBeGreaterThan(0);
  });

  test.each([
    'alter table events disable trigger user',
    'update events set message = message',
    'delete from events',
    'truncate events',
    'delete from event_seals',
    'delete from audit_entries',
    'update audit_batches set entries = 0',
    'update payload_versions set payload = payload',
    'drop table transactions',
    'delete from knex_migrations',
    'create table own (id int)',
  ])('it may not: %s', async (statement) => {
    await expect(as(serviceUrl, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test('new entries of the search indexes are moved with the rights of their owner', async () => {
    const { rows } = (await as(serviceUrl, 'select flush_pending_search() as pages')) as { rows: unknown[] };
    expect(rows).toEqual([{ pages: expect.any(String) as string }]);
  });

  test('statistics of a large import are its own to renew', async () => {
    const client = new pg.Client({ connectionString: serviceUrl });
    const notices: string[] = [];
    client.on('notice', ({ message }) => notices.push(message ?? ''));
    await client.connect();
    await client.query('analyze sanctions_entries');
    await client.end();
    expect(notices).toEqual([]);
  });
});

describe('at the start', () => {
  async function check(url: string, environment: 'production' | 'sandbox'): Promise<void> {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    try {
      await checkOwnership({ ENVIRONMENT: environment }, pool);
    } finally {
      await pool.end();
    }
  }
  const STATEMENT = `create role "${OWNER}_service" login password '<new password>'`;

  test('production refuses a role that owns the tables, and names the statement that mends it', async () => {
    await expect(check(ownerUrl, 'production')).rejects.toThrow(OwnsTables);
    await expect(check(ownerUrl, 'production')).rejects.toThrow(STATEMENT);
    await database.pool.query(STATEMENT);
    const next = urlOf(`${OWNER}_service`).replace(':pass@', `:${encodeURIComponent('<new password>')}@`);
    await migrateAsOwner({ DATABASE_URL: next, DATABASE_OWNER_URL: ownerUrl });
    await expect(check(next, 'production')).resolves.toBeUndefined();
    expect((await as(next, 'select from tenants')).rowCount).toBe(2);
    await database.pool.query(`drop owned by ${OWNER}_service; drop role ${OWNER}_service`);
  });

  test('a superuser is refused too; a role that owns nothing is not, nor any in a sandbox', async () => {
    await expect(check(database.url, 'production')).rejects.toThrow(OwnsTables);
    await expect(check(serviceUrl, 'production')).resolves.toBeUndefined();
    await expect(check(ownerUrl, 'sandbox')).resolves.toBeUndefined();
  });

  // The owner of a database owns its schema since PostgreSQL 15.
  test.each([
    [
      'database',
      `alter database NAME owner to ${SERVICE}`,
      'drop table message_pairs',
      `alter database NAME owner to ${OWNER}`,
    ],
    [
      'schema',
      `alter schema public owner to ${SERVICE}`,
      'drop table message_pairs',
      'alter schema public owner to pg_database_owner',
    ],
    [
      'function of a guard',
      `alter function FUNCTION owner to ${SERVICE}`,
      'alter function FUNCTION set search_path = public',
      `alter function FUNCTION owner to ${OWNER}`,
    ],
  ])('production refuses a role that owns no table, but the %s', async (_what, give, abuse, takeBack) => {
    const { rows } = await database.pool.query<{ guard: string }>(
      `select tgfoid::regprocedure::text as guard from pg_trigger where tgrelid = 'events'::regclass and not tgisinternal limit 1`,
    );
    const filled = (statement: string) =>
      statement.replace('NAME', database.name).replace('FUNCTION', rows[0]?.guard ?? '');
    await database.pool.query(filled(give));
    try {
      await expect(as(serviceUrl, `begin; ${filled(abuse)}; rollback`)).resolves.toBeDefined();
      await expect(check(serviceUrl, 'production')).rejects.toThrow(OwnsTables);
    } finally {
      // What an owner may do is no right that was given, so it goes with the ownership.
      await database.pool.query(filled(takeBack));
      await database.pool.query(`grant connect, temporary on database ${database.name} to ${SERVICE}`);
    }
    await expect(check(serviceUrl, 'production')).resolves.toBeUndefined();
  });

  test.each(['pg_execute_server_program', 'pg_write_server_files', 'pg_create_subscription'])(
    'production refuses a role that has the rights of the server by %s, and names the statement that mends it',
    async (right) => {
      await database.pool.query(`grant ${right} to ${SERVICE}`);
      await expect(check(serviceUrl, 'production')).rejects.toThrow(OwnsTables);
      await expect(check(serviceUrl, 'production')).rejects.toThrow(`Run: revoke ${right} from ${SERVICE}`);
      await database.pool.query(`revoke ${right} from "${SERVICE}"`);
      await expect(check(serviceUrl, 'production')).resolves.toBeUndefined();
    },
  );

  test('production refuses a role that may switch triggers off', async () => {
    const OFF = `begin; set local session_replication_role = replica; rollback`;
    await expect(as(serviceUrl, OFF)).rejects.toThrow('permission denied');
    await database.pool.query(`grant set on parameter session_replication_role to ${SERVICE}`);
    await expect(as(serviceUrl, OFF)).resolves.toBeDefined();
    const mend = `revoke set, alter system on parameter session_replication_role from ${SERVICE}`;
    await expect(check(serviceUrl, 'production')).rejects.toThrow(`Run: ${mend}`);
    await database.pool.query(mend);
    await expect(check(serviceUrl, 'production')).resolves.toBeUndefined();
    await database.pool.query(`grant alter system on parameter session_replication_role to ${SERVICE}`);
    await expect(check(serviceUrl, 'production')).rejects.toThrow(`Run: ${mend}`);
    await database.pool.query(mend);
    await expect(check(serviceUrl, 'production')).resolves.toBeUndefined();
  });

  test('production refuses a role that may put triggers on the tables', async () => {
    await database.pool.query(`grant trigger on tenants to ${SERVICE}`);
    const mend = `revoke trigger on all tables in schema public from ${SERVICE}`;
    await expect(check(serviceUrl, 'production')).rejects.toThrow(`Run: ${mend}`);
    await database.pool.query(mend);
    await expect(check(serviceUrl, 'production')).resolves.toBeUndefined();
  });

  // Acting as a lesser role is no protection: whoever signed in as the owner goes back to it by `reset role`.
  test('production refuses the owner that acts as another role', async () => {
    await database.pool.query(`grant ${SERVICE} to ${OWNER}`);
    const acting = `${ownerUrl}?options=${encodeURIComponent(`-c role=${SERVICE}`)}`;
    expect((await as(acting, 'select current_user as role')).rows).toEqual([{ role: SERVICE }]);
    await expect(check(acting, 'production')).rejects.toThrow(`and "${OWNER}" does`);
    await database.pool.query(`revoke ${SERVICE} from ${OWNER}`);
  });

  // Since PostgreSQL 16 such a role grants itself none that it was not given.
  test('a role that may create roles is let through where it cannot make itself the owner', async () => {
    await database.pool.query(`alter role ${SERVICE} createrole`);
    await expect(as(serviceUrl, `grant ${OWNER} to ${SERVICE}`)).rejects.toThrow('permission denied');
    await expect(check(serviceUrl, 'production')).resolves.toBeUndefined();
    await database.pool.query(`grant ${OWNER} to ${SERVICE} with admin true, inherit false, set false`);
    await expect(check(serviceUrl, 'production')).rejects.toThrow(OwnsTables);
    await database.pool.query(`revoke ${OWNER} from ${SERVICE}; alter role ${SERVICE} nocreaterole`);
  });

  describe('a process of production whose role owns the tables', () => {
    let owned: TestDatabase;
    beforeAll(async () => {
      owned = await testDatabase();
    });
    afterAll(async () => await owned.drop());
    const MASTER_KEY = randomBytes(32).toString('hex');

    test.each(['api', 'worker'])('the %s ends with 1 and that one line', (name) => {
      const env = {
        PATH: process.env['PATH'],
        ENVIRONMENT: 'production',
        PUBLIC_URL: 'https://api.example',
        DATABASE_URL: owned.url,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        MASTER_KEY,
        LOG_LEVEL: 'fatal',
      };
      const main = join(projectRoot, 'dist', name, 'main.js');
      const { status, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', env });
      const line = /^DATABASE_URL: in production its role must not own the tables.* Run: create role .*\n$/;
      expect([status, stderr]).toEqual([1, expect.stringMatching(line)]);
    });
  });
});
