import { ERASED_CHANNEL, followErasures } from '../../../db/tenant-erasures/follow-erasures.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => await database.drop());

/** A vault that only notes what it is told to drop. */
function listeningVault() {
  const dropped: string[] = [];
  return {
    dropped,
    dropTenant: (id: string) => void dropped.push(id),
    dropTenants: () => void dropped.push('all'),
  };
}

const tell = async (id: string) =>
  await database.pool.query('select pg_notify($1, $2)', [ERASED_CHANNEL, id]);

test('keys of an erased tenant are dropped at once; while nothing can be heard, none are kept', async () => {
  const vault = listeningVault();
  const following = followErasures(database.url, vault, () => undefined);
  await following.started;
  await tell('first');
  await eventually(
    () => vault.dropped,
    (dropped) => dropped.includes('first'),
  );
  expect(vault.dropped).toEqual(['all', 'first']);
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()`,
  );
  await eventually(
    () => vault.dropped,
    (dropped) => dropped.filter((each) => each === 'all').length === 3,
  );
  await tell('second');
  await eventually(
    () => vault.dropped,
    (dropped) => dropped.includes('second'),
  );
  await following.stop();
});

test('it stops while the database is away', async () => {
  const url = new URL(database.url);
  url.port = '1';
  const troubles: Error[] = [];
  const following = followErasures(url.href, listeningVault(), (error) => troubles.push(error));
  await eventually(
    () => troubles.length,
    (count) => count > 0,
  );
  await following.stop();
});
