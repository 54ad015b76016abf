import knex, { type Knex } from 'knex';
import { migrate } from '../../../db/migrate.ts';
import * as wakeWaiting from '../../../db/migrations/20261122_0044_wake_waiting.ts';
import * as waitOnEntities from '../../../db/migrations/20261122_0047_wait_on_entities.ts';
import * as rescreenHeld from '../../../db/migrations/20261122_0055_rescreen_held.ts';
import * as findReceived from '../../../db/migrations/20261122_0056_find_received.ts';
import * as registerCounterparties from '../../../db/migrations/20261124_0078_register_counterparties.ts';
import { buildOnline } from '../../../db/online-indexes.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';

const NAMES = [
  '20261122_0044_wake_waiting',
  '20261122_0047_wait_on_entities',
  '20261122_0055_rescreen_held',
  '20261122_0056_find_received',
];
const INDEXES = [
  'rule_decisions_waiting',
  'transactions_confirmed_held',
  'transactions_own_hash',
  'transactions_received',
  'transactions_unrouted_destination',
  'transactions_unrouted_vasp',
  'transactions_waiting_counterparty',
];

let database: TestDatabase;
let db: Knex;
beforeEach(async () => {
  database = await testDatabase();
  db = knex({ client: 'pg', connection: database.url });
  await bulkTransactions(database.pool, await bulkTenants(database.pool, 1), { count: 100, wakeAt: 'null' });
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

/** The schema of the version before these migrations. */
async function undo(): Promise<void> {
  await findReceived.down(db);
  await rescreenHeld.down(db);
  await waitOnEntities.down(db);
  await wakeWaiting.down(db);
  await db('knex_migrations').whereIn('name', NAMES).del();
}

const indexes = async () => {
  const { rows } = await database.pool.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_class c join pg_index i on i.indexrelid = c.oid
     where i.indisvalid and (c.relname = any($1::text[]) or c.relname like '%\\_next') order by 1`,
    [INDEXES],
  );
  return rows;
};

test('an upgrade builds the same indexes as an installation, and none is left beside them', async () => {
  const installed = await indexes();
  expect(installed.map(({ name }) => name)).toEqual(INDEXES);
  await undo();
  expect(await indexes()).not.toEqual(installed);
  expect(await migrate(database.url)).toEqual(NAMES);
  expect(await indexes()).toEqual(installed);
});

test('the tables are read and written meanwhile, and two upgrades at once do not stop each other', async () => {
  await undo();
  const writer = await database.pool.connect();
  await writer.query(`begin; update transactions set updated_at = now()`);
  const upgrades = [migrate(database.url), migrate(database.url)];
  // The index waits for the transactions that were there before it.
  await eventually(
    async () =>
      await database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'
           and wait_event_type = 'Lock'`,
      ),
    ({ rows }) => rows.length > 0,
  );
  const [tenantId] = await bulkTenants(database.pool, 1);
  await bulkTransactions(database.pool, [tenantId ?? ''], { count: 1, wakeAt: 'null' });
  expect((await database.pool.query('select 1 from transactions')).rowCount).toBe(101);
  await writer.query('commit');
  writer.release();
  expect((await Promise.all(upgrades)).map((names) => names.length).toSorted()).toEqual([0, NAMES.length]);
});

test('an index that a killed upgrade has left half built is built again', async () => {
  const installed = await indexes();
  await undo();
  const name = 'transactions_waiting_counterparty';
  await db.raw(`create index ${name} on transactions (counterparty_entity_id) where sub_status = 'WAITING'`);
  await db.raw(`update pg_index set indisvalid = false where indexrelid = '${name}'::regclass`);
  await migrate(database.url);
  expect(await indexes()).toEqual(installed);
});

test('the index of a column that is new is built online, with the column', async () => {
  const definition = async () =>
    (
      await database.pool.query<{ text: string }>(
        `select pg_get_indexdef(to_regclass('transactions_disposed')) as text`,
      )
    ).rows;
  const installed = await definition();
  await database.pool.query('alter table transactions drop column assets_disposition');
  await buildOnline(db, registerCounterparties.online);
  expect(await definition()).toEqual(installed);
});
