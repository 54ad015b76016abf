import knex, { type Knex } from 'knex';
import { migrate } from '../../../db/migrate.ts';
import { down, prepare, up } from '../../../db/migrations/20261127_0181_partition_attempts.ts';
import type { Json } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { monthStart, partitionOfMonth, partitionsOf, storeAttempt } from '../../factories/attempt-months.ts';
import { bulkTenants } from '../../factories/bulk-rows.ts';

const NAME = '20261127_0181_partition_attempts';
/** Ids that no clock makes: before all times, and after them. */
const STRANGE = ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-fffffffffff1'];

let database: TestDatabase;
let db: Knex;
let tenantId: string;
/** What PostgreSQL has told the connection of the migration. */
let notices: string[];
beforeEach(async () => {
  database = await testDatabase();
  notices = [];
  db = knex({
    client: 'pg',
    connection: database.url,
    pool: {
      min: 0,
      max: 1,
      afterCreate: (connection: NodeJS.EventEmitter, done: (error: null, connection: unknown) => void) => {
        connection.on('notice', ({ message }: { message: string }) => notices.push(message));
        done(null, connection);
      },
    },
  });
  tenantId = (await bulkTenants(database.pool, 1))[0] ?? '';
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

/** The schema of the version before. */
async function undo(): Promise<void> {
  await db.transaction(down);
  await db('knex_migrations').where({ name: NAME }).del();
}

const storeIn = async (ahead: number) =>
  await storeAttempt(database.pool, tenantId, { madeAt: monthStart(ahead) });
const rows = async () =>
  (
    await database.pool.query<{ delivery_id: string }>(
      'select a.* from webhook_attempts a order by delivery_id, attempt',
    )
  ).rows;
/** The file of a table: another one once it was written anew. */
const fileOf = async (table: string) =>
  (await database.pool.query<{ file: string }>('select pg_relation_filepath($1::regclass) as file', [table]))
    .rows;
/** What the schema says of the table, with its indexes, constraints and rights. */
const schema = async () =>
  (
    await database.pool.query<Json>(
      `select c.relkind, c.relacl::text as rights, c.reloptions,
         (select array_agg(pg_get_constraintdef(oid) order by conname) from pg_constraint where conrelid = c.oid and contype <> 'n') as rules,
         (select array_agg(indexrelid::regclass::text order by indexrelid::regclass::text) from pg_index where indrelid = c.oid) as indexes,
         (select array_agg(attname || attnotnull::text || atttypmod order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0) as columns
       from pg_class c where c.oid = 'webhook_attempts'::regclass`,
    )
  ).rows;

test('an upgrade keeps every attempt where it is, and nothing is copied or read under its lock', async () => {
  await undo();
  for (const ahead of [-40, -3, -1, 0]) await storeIn(ahead);
  const [before, file] = [await rows(), await fileOf('webhook_attempts')];
  await prepare(db);
  await db.raw('set client_min_messages = debug1');
  await db.transaction(up);
  await db.raw('reset client_min_messages');
  expect(notices.join('\n')).toContain(
    'constraint for table "webhook_attempts_before" is implied by existing constraints',
  );
  expect(await rows()).toEqual(before);
  expect(before).toHaveLength(4);
  expect(await fileOf('webhook_attempts_before')).toEqual(file);
  const ids = before.map((row) => row.delivery_id);
  expect(await partitionsOf(database.pool, ids)).toEqual(Array(4).fill('webhook_attempts_before'));
  expect(await partitionsOf(database.pool, [await storeIn(1), await storeIn(2)])).toEqual([
    'webhook_attempts_before',
    partitionOfMonth(2),
  ]);
  const { rows: left } = await database.pool.query(
    `select conname from pg_constraint where conname = 'webhook_attempts_first_ids'`,
  );
  expect(left).toEqual([]);
});

test('an upgrade of the whole product does so, also where ids are of no time', async () => {
  const installed = await schema();
  await undo();
  for (const ahead of [-2, 0]) await storeIn(ahead);
  for (const id of STRANGE) await storeAttempt(database.pool, tenantId, { madeAt: new Date(), id });
  const before = await rows();
  expect(await migrate(database.url)).toEqual([NAME]);
  expect(await rows()).toEqual(before);
  expect(await partitionsOf(database.pool, STRANGE)).toEqual([
    'webhook_attempts_before',
    'webhook_attempts_default',
  ]);
  expect(await schema()).toEqual(installed);
});

test('the table is written while it is read for the upgrade, and a killed upgrade is begun anew', async () => {
  await undo();
  await storeIn(0);
  // Left by an upgrade that was killed two years ago: by now every insert would fail.
  await db.raw(
    `alter table webhook_attempts add constraint webhook_attempts_first_ids check (delivery_id < '00000000-0000-4000-8000-000000000001') not valid`,
  );
  await prepare(db);
  await storeIn(0);
  await storeIn(1);
  await db.transaction(up);
  expect(await rows()).toHaveLength(3);
  expect(await partitionsOf(database.pool, [await storeIn(2)])).toEqual([partitionOfMonth(2)]);
});

test('an upgrade that waits for a writer loses nothing of it', async () => {
  await undo();
  const writer = await database.pool.connect();
  await writer.query('begin');
  await storeAttempt(writer, tenantId, { madeAt: new Date() });
  const upgrade = migrate(database.url);
  await eventually(
    async () =>
      (
        await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_attempts%'`,
        )
      ).rowCount,
    (count) => count === 1,
  );
  await writer.query('commit');
  writer.release();
  expect(await upgrade).toEqual([NAME]);
  expect(await rows()).toHaveLength(1);
});

test('down puts the attempts of all partitions into one table, which is what it was, rights included', async () => {
  const role = `reader_${database.name}`;
  await database.pool.query(`create role ${role}`);
  try {
    await undo();
    await database.pool.query(`grant select, insert on webhook_attempts to ${role}`);
    const before = await schema();
    expect(before).toMatchObject([
      {
        relkind: 'r',
        reloptions: ['autovacuum_vacuum_insert_scale_factor=0.02', 'autovacuum_analyze_scale_factor=0.02'],
        rules: [
          'FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE',
          'PRIMARY KEY (delivery_id, attempt)',
        ],
        indexes: ['webhook_attempts_age', 'webhook_attempts_pkey'],
      },
    ]);
    await db.transaction(up);
    for (const ahead of [-2, 0, 2, 9]) await storeIn(ahead);
    const kept = await rows();
    const { rows: given } = await database.pool.query(
      `select from pg_class where oid = 'webhook_attempts'::regclass and relacl::text like '%${role}=ar/%'`,
    );
    expect(given).toHaveLength(1);
    await db.transaction(down);
    expect(await rows()).toEqual(kept);
    expect(kept).toHaveLength(4);
    expect(await schema()).toEqual(before);
  } finally {
    await database.pool.query(`drop owned by ${role}; drop role ${role}`);
  }
});
