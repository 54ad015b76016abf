import { testDatabase, type TestDatabase } from '../../database.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(async () => await database.drop());

test.each([
  ['transactions', 'autovacuum_vacuum_scale_factor=0.01'],
  ['webhook_deliveries', 'autovacuum_vacuum_scale_factor=0.01'],
  ['events', 'autovacuum_vacuum_insert_scale_factor=0.02'],
  ['rule_decisions', 'autovacuum_vacuum_insert_scale_factor=0.02'],
  ['outbox', 'autovacuum_vacuum_threshold=5000'],
  ['idempotency_keys', 'autovacuum_vacuum_threshold=5000'],
])('%s is vacuumed by settings of its own: %s', async (table, setting) => {
  const { rows } = await database.pool.query<{ reloptions: string[] }>(
    'select reloptions from pg_class where oid = $1::regclass',
    [table],
  );
  expect(rows[0]?.reloptions).toContain(setting);
});
