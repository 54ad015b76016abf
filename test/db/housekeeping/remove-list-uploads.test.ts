import { MockActivityEnvironment } from '@temporalio/testing';
import { housekeepingActivities } from '../../../activities/housekeeping/remove-expired.ts';
import { listCsv, listSteps, subjects, uploaded } from '../../factories/sanctions-list.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

async function housekeeping(): Promise<void> {
  const activities = housekeepingActivities({ db: api.db, storage: api.deps.storage });
  const run = async () => await activities.removeExpired({ what: 'idempotencyKeys' });
  await new MockActivityEnvironment().run(run);
}

/** A file that has arrived so long ago, and of whose import no worker was told. */
async function leftBehind(age: string): Promise<string> {
  const id = await uploaded(database.pool, 'OWN_LIST', [listCsv(subjects(3))]);
  await database.pool.query('update sanctions_uploads set created_at = now() - $2::interval where id = $1', [
    id,
    age,
  ]);
  return id;
}

test('the pieces of a list that nobody imports are removed after two days, though no list is fetched', async () => {
  const [, young] = [await leftBehind('2 days 1 minute'), await leftBehind('47 hours')];
  await housekeeping();
  const { rows } = await database.pool.query<{ id: string }>(
    'select distinct u.id from sanctions_uploads u full join sanctions_chunks c on c.upload_id = u.id',
  );
  expect(rows).toEqual([{ id: young }]);
  const update = { code: 'OWN_LIST', uploadId: young };
  expect(await listSteps(api.db).importList(update)).toEqual({ outcome: 'ACTIVATED', version: 1 });
});

test('pieces and staged rows without an upload are removed at once', async () => {
  await database.pool.query(`insert into sanctions_chunks values (gen_random_uuid(), 0, 0, '')`);
  await database.pool.query(
    `insert into sanctions_staging values (gen_random_uuid(), gen_random_uuid(), 'X', '', '{}', '{}')`,
  );
  await housekeeping();
  const { rows } = await database.pool.query(
    'select 1 from sanctions_chunks union all select 1 from sanctions_staging',
  );
  expect(rows).toEqual([]);
});
