import {
  BY_TRIGRAMS,
  candidatesStatement,
  findCandidates,
} from '../../../db/sanctions-search/find-candidates.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => await database.drop());

test('thirty thousand names: the database finds candidates by its trigram index, and in time', async () => {
  const client = await database.pool.connect();
  await activateList(database.pool, 'OFAC_SDN', [listEntry('1', 'IVANOV, Sergei')]);
  await client.query(`
    with e as (
      insert into sanctions_entries (code, source_id, row_hash, entry, version_added)
      select 'OFAC_SDN', 'x' || n, '', jsonb_build_object('list', 'OFAC_SDN', 'sourceId', 'x' || n, 'type', 'person',
        'names', '[]'::jsonb, 'birthDates', '[]'::jsonb, 'birthPlaces', '[]'::jsonb, 'countries', '[]'::jsonb,
        'identifiers', '[]'::jsonb, 'wallets', '[]'::jsonb, 'programs', '[]'::jsonb), 1
      from generate_series(1, 30000) n returning id
    )
    insert into sanctions_names (entry_id, key)
    select id, translate(substr(md5(id::text), 1, 6) || ' ' || substr(md5(id::text), 7, 9), '0123456789', 'ghijklmnop') from e`);
  await client.query('analyze sanctions_entries; analyze sanctions_names');
  const versions = [{ code: 'OFAC_SDN', version: 1 }];
  const found = await findCandidates(database.pool, { names: ['Sergej Iwanow'] }, [
    { code: 'OFAC_SDN', version: 1 },
  ]);
  expect(found.map(({ entry }) => entry.sourceId)).toEqual(['1']);
  const { text, values } = candidatesStatement(
    { type: 'NATURAL', names: ['Sergej Iwanow', 'Mohamad Hasan'] },
    versions,
  );
  await client.query(`begin; ${BY_TRIGRAMS}`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  await client.query('rollback');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('sanctions_names_key');
  expect(plan).not.toContain('Seq Scan on sanctions_names');
});
