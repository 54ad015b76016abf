import { randomBytes } from 'node:crypto';
import { listActivities } from '../../activities/sanctions/list-activities.ts';
import type { ListSource } from '../../domain/sanctions-lists/list-source.ts';
import { createLog } from '../../process/log.ts';
import { startSnapshotLoop } from '../../worker/snapshot-loop.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { rescreenSteps } from '../factories/rescreen-steps.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { contentsAt, listCsv, subjects, uploaded } from '../factories/sanctions-list.ts';
import { createTenant } from '../factories/tenant.ts';
import { createTransaction, letPass } from '../factories/transaction.ts';
import { startPublisher, type Publisher } from '../fakes/publisher.ts';
import { useApi } from '../use-api.ts';
import { openCutWorker, untilDone, type CutWorker } from './cut-worker.ts';
import { expectSameEnds } from './stories.ts';

// The worker loses its database connection at each statement while it updates a sanctions list.

const { api, database } = useApi();
let worker: CutWorker;
let publisher: Publisher;

beforeAll(async () => {
  publisher = await startPublisher();
  worker = await openCutWorker(api, database);
});
afterAll(async () => {
  await worker.close();
  await publisher.stop();
});

const newCode = () => `L_${randomBytes(6).toString('hex').toUpperCase()}`;

async function listOf(code: string): Promise<Json> {
  const { rows } = await database.pool.query<Json>(
    `select active_version, last_version, check_outcome, check_detail, fetched_sha256 is not null as is_fetched,
       (select count(*)::int from sanctions_versions v where v.code = l.code) as versions
     from sanctions_lists l where code = $1`,
    [code],
  );
  const { active_version: version } = rows[0] ?? {};
  const contents = typeof version === 'number' ? await contentsAt(database.pool, code, version) : {};
  return { ...rows[0], contents };
}

/** Fetches and imports a list as its workflow does; its state afterwards. */
async function newUpdate(content: string): Promise<() => Promise<Json>> {
  await database.pool.query('truncate sanctions_lists cascade');
  const code = 'UN_SC';
  publisher.publish('/list.csv', content);
  const lists: ListSource[] = [{ code, format: 'CSV', urls: [`${publisher.url}/list.csv`] }];
  const steps = listActivities({ db: worker.db, lists, now: worker.deps.now });
  return async () => {
    const { uploadId } = await untilDone(async () => await steps.fetchList({ code }));
    if (uploadId !== null) await untilDone(async () => await steps.importList({ code, uploadId }));
    return await listOf(code);
  };
}

test('a list is fetched and becomes a version', async () => {
  const end = await expectSameEnds(worker, async () => await newUpdate(listCsv(subjects(3))));
  expect(end).toMatchObject({
    active_version: 1,
    versions: 1,
    check_outcome: 'ACTIVATED',
    contents: subjects(3),
  });
});

test('a list that cannot be read is noted as such', async () => {
  const end = await expectSameEnds(worker, async () => await newUpdate('no list at all'));
  expect(end).toMatchObject({ active_version: null, versions: 0, check_outcome: 'UNREADABLE' });
});

test('an uploaded list becomes the next version', async () => {
  const end = await expectSameEnds(worker, async () => {
    const code = newCode();
    const steps = listActivities({ db: worker.db, lists: [], now: worker.deps.now });
    const ids = [
      await uploaded(database.pool, code, [listCsv(subjects(3))]),
      await uploaded(database.pool, code, [listCsv(subjects(4))]),
    ];
    return async () => {
      for (const uploadId of ids) await untilDone(async () => await steps.importList({ code, uploadId }));
      return await listOf(code);
    };
  });
  expect(end).toMatchObject({ active_version: 2, versions: 2, contents: subjects(4) });
});

test('an import is given up', async () => {
  const end = await expectSameEnds(worker, async () => {
    const code = newCode();
    const uploadId = await uploaded(database.pool, code, [listCsv(subjects(3))]);
    const steps = listActivities({ db: worker.db, lists: [], now: worker.deps.now });
    return async () => {
      await untilDone(async () => await steps.giveListUp({ code, uploadId }));
      const { rows } = await database.pool.query<Json>(
        `select state, outcome, (select count(*)::int from sanctions_chunks c where c.upload_id = u.id) as chunks
         from sanctions_uploads u where id = $1`,
        [uploadId],
      );
      return rows;
    };
  });
  expect(end).toEqual([{ state: 'ENDED', outcome: 'FAILED', chunks: 0 }]);
});

test('a new version is compared with the open transfers', async () => {
  const name = 'Cornelia Featherstonehaugh';
  const end = await expectSameEnds(worker, async () => {
    await database.pool.query('update transactions set deleted_at = now() where deleted_at is null');
    await database.pool.query('delete from outbox');
    const tenant = await createTenant(api);
    const { id } = await createTransaction(tenant, { beneficiary: { name } });
    await letPass(api.db, id);
    await database.pool.query('delete from outbox');
    const code = newCode();
    const version = await activateList(database.pool, code, [listEntry('1', name)]);
    const steps = rescreenSteps(api, worker.deps);
    return async () => {
      await untilDone(async () => await steps.rescreenOpen({ code, version, afterId: null }));
      const { rows } = await database.pool.query<Json>(
        `select t.screening_state, t.wake_at <= now() as is_due, v.rescreened_at is not null as is_compared,
           exists (select from outbox where subject_id = t.id) as is_queued
         from transactions t, sanctions_versions v where t.id = $1 and v.code = $2`,
        [id, code],
      );
      return rows;
    };
  });
  expect(end).toEqual([{ screening_state: 'DUE', is_due: true, is_compared: true, is_queued: true }]);
});

test('the lists that come with the product are imported at the next try', async () => {
  for (const code of ['OFAC_SDN', 'OFAC_CONS'])
    await activateList(database.pool, code, [listEntry('1', 'Barnabas Ravenscroft')]);
  const lines: Json[] = [];
  const log = createLog('worker', 'info', { write: (line) => void lines.push(JSON.parse(line) as Json) });
  worker.cuts.arm(1, 'BEFORE');
  const loop = startSnapshotLoop(worker.db, log);
  await loop.tried;
  expect(worker.cuts.disarm()).toContain('sanctions_versions');
  await eventually(
    () => lines.map(({ msg }) => String(msg)),
    (texts) => texts.some((text) => text.endsWith('works again')),
  );
  await loop.stop();
  expect(lines).toHaveLength(2);
});
