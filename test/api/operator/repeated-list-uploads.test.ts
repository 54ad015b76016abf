import { randomUUID } from 'node:crypto';
import { removeStaleUploads } from '../../../db/sanctions-lists/uploads.ts';
import type { Json, TestAnswer } from '../../api-client.ts';
import { form, FORM_TYPE } from '../../factories/csv.ts';
import { listCsv, listSteps, subjects, type Subjects } from '../../factories/sanctions-list.ts';
import { useApi } from '../../use-api.ts';

type StartUpdate = (update: { code: string; uploadId: string }) => Promise<unknown>;

const imported: StartUpdate = async (update) => await listSteps(api.db).importList(update);
const away: StartUpdate = async () => await Promise.reject(new Error('away'));
/** What the worker does with what it is told. */
let startListUpdate = imported;

const { api, database } = useApi({
  deps: {
    startListUpdate: async (update) => void (await startListUpdate(update)),
    listImportLimitMs: 500,
  },
});
beforeEach(async () => {
  startListUpdate = imported;
  await database.pool.query('truncate sanctions_lists cascade');
  await database.pool.query('truncate sanctions_uploads, sanctions_chunks, sanctions_staging');
});

const HUNDRED = subjects(100);
const NEWER = subjects(105);
const CODE = 'OWN_LIST';
const PATH = `/operator/lists/${CODE}/versions`;

const send = async (all: Subjects, key: string = randomUUID(), code = CODE): Promise<TestAnswer<Json>> =>
  await api.request<Json>('POST', `/operator/lists/${code}/versions`, {
    operatorKey: api.operatorKey,
    body: form([
      ['file', listCsv(all), 'list.csv'],
      ['format', 'CSV'],
    ]),
    headers: { ...FORM_TYPE, 'Idempotency-Key': key },
  });
/** The versions, the newest first: number, state and entries. */
const versions = async () => {
  const { body } = await api.request<Json[]>('GET', PATH, { operatorKey: api.operatorKey });
  return body.map(({ version, state, entries }) => [version, state, entries]);
};
const OUTDATED = { status: 409, body: { code: 'conflict', rejectReason: 'OUTDATED' } };

/** Sends a file while the database refuses such rows, as if its connection was cut at that moment. */
async function cutOff(statement: string, request: () => Promise<TestAnswer<Json>>): Promise<void> {
  await database.pool.query(`
    create function cut_off() returns trigger language plpgsql
      as $$ begin raise exception 'cut off' using errcode = '57P01'; end $$;
    create trigger cut_off before ${statement} for each row execute function cut_off()`);
  const answer = await request();
  await database.pool.query('drop function cut_off cascade');
  expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
}

describe('a repeat under the same Idempotency-Key never replaces a file that came after the first attempt', () => {
  test('409: every further repeat, too, and none makes a version', async () => {
    const key = randomUUID();
    startListUpdate = away;
    expect((await send(HUNDRED, key)).status).toBe(503);
    startListUpdate = imported;
    expect((await send(NEWER)).status).toBe(201);
    for (let repeat = 0; repeat < 3; repeat += 1) expect(await send(HUNDRED, key)).toMatchObject(OUTDATED);
    expect(await versions()).toEqual([
      [2, 'REJECTED', 100],
      [1, 'ACTIVE', 105],
    ]);
  });

  test('409: a file that did not pass a gate, also when it would pass by now', async () => {
    expect((await send(NEWER)).status).toBe(201);
    const key = randomUUID();
    const small = subjects(10);
    const refused = { status: 409, body: { rejectReason: 'SHRUNK', version: 2 } };
    expect(await send(small, key)).toMatchObject(refused);
    await database.pool.query('truncate sanctions_entries cascade');
    expect(await send(small, key)).toMatchObject(refused);
    expect(await versions()).toEqual([
      [2, 'REJECTED', 10],
      [1, 'ACTIVE', 105],
    ]);
  });

  test('409: the first attempt was cut off while its file arrived', async () => {
    const key = randomUUID();
    await cutOff('insert on sanctions_chunks', async () => await send(HUNDRED, key));
    expect((await send(NEWER)).status).toBe(201);
    expect(await send(HUNDRED, key)).toMatchObject(OUTDATED);
    expect(await send(HUNDRED, key)).toMatchObject(OUTDATED);
    expect((await versions()).at(-1)).toEqual([1, 'ACTIVE', 105]);
  });

  test('201: nothing has come since the attempt that was cut off, or only for another list', async () => {
    const key = randomUUID();
    await cutOff('insert on sanctions_chunks', async () => await send(HUNDRED, key));
    expect((await send(NEWER, undefined, 'OTHER_LIST')).status).toBe(201);
    expect(await send(HUNDRED, key)).toMatchObject({ status: 201, body: { version: 1 } });
  });

  test('201: a key that was used two days ago begins anew', async () => {
    const key = randomUUID();
    await cutOff('insert on sanctions_chunks', async () => await send(HUNDRED, key));
    await database.pool.query(`update sanctions_uploads set created_at = now() - interval '2 days'`);
    expect((await send(NEWER)).status).toBe(201);
    expect(await send(HUNDRED, key)).toMatchObject({ status: 201, body: { version: 2 } });
  });

  test('409: the first attempt was begun a day ago, and its key is younger', async () => {
    const key = randomUUID();
    startListUpdate = away;
    expect((await send(HUNDRED, key)).status).toBe(503);
    startListUpdate = imported;
    await database.pool.query(`update sanctions_uploads set created_at = now() - interval '25 hours'`);
    expect((await send(NEWER)).status).toBe(201);
    await removeStaleUploads(database.pool);
    expect(await send(HUNDRED, key)).toMatchObject(OUTDATED);
    expect((await versions()).at(-1)).toEqual([1, 'ACTIVE', 105]);
  });
});

test('503: nothing is left of a file whose last step failed', async () => {
  await cutOff('update on sanctions_uploads', async () => await send(HUNDRED));
  const { rows } = await database.pool.query(
    `select state from sanctions_uploads where state <> 'ENDED' union all select 'PIECE' from sanctions_chunks`,
  );
  expect(rows).toEqual([]);
});
