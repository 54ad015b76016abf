import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createListHttp, type FetchOptions } from '../../../activities/sanctions/fetch-file.ts';
import { readSettings } from '../../../process/settings.ts';
import type { Database } from '../../../db/database.ts';
import { openDatabase } from '../../../process/open-database.ts';
import { readListFigures, troubledLists } from '../../../db/sanctions-lists/list-health.ts';
import { readActiveVersions } from '../../../db/sanctions-lists/read-versions.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { rollBack } from '../../../db/sanctions-lists/roll-back.ts';
import type { ListSource } from '../../../domain/sanctions-lists/list-source.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { contentsAt, listCsv, listSteps, subjects } from '../../factories/sanctions-list.ts';
import { startPublisher, type Publisher } from '../../fakes/publisher.ts';
import { createReceivers } from '../../fakes/receivers.ts';

const CODE = 'UN_SC';
const HUNDRED = subjects(100);
const MORE = { ...HUNDRED, S101: 'Subject Newcomer' };

let database: TestDatabase;
let db: Database & { close: () => Promise<void> };
let publisher: Publisher;
beforeAll(async () => {
  database = await testDatabase();
  const env = { DATABASE_URL: database.url, MASTER_KEY: '5a'.repeat(32) };
  db = await openDatabase({ settings: { ...readSettings(env), ...env }, onIdleError: () => undefined });
  publisher = await startPublisher();
});
afterAll(async () => {
  await publisher.stop();
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.pool.query('truncate sanctions_lists cascade');
  await db.pool.query('truncate sanctions_uploads, sanctions_chunks, sanctions_staging');
  publisher.seen.length = 0;
});

/** Most must end for another reason than their time, also on a machine that has other work. */
const LIMITS = { silenceMs: 60_000, totalMs: 120_000, maxBytes: 200_000 };
const HASTY = { ...LIMITS, silenceMs: 1_000, totalMs: 3_000 };

/** What one run of the update does. */
async function update(paths: string[] = ['/list.csv'], fetching: FetchOptions = {}, base = publisher.url) {
  const urls = paths.map((path) => base + path);
  const source: ListSource = { code: CODE, format: 'CSV', urls };
  const steps = listSteps(db, { lists: [source], fetching: { limits: LIMITS, ...fetching } });
  const { uploadId } = await steps.fetchList({ code: CODE });
  return uploadId === null ? 'NOTHING_NEW' : await steps.importList({ code: CODE, uploadId });
}

const state = async () => {
  const { rows } = await db.pool.query<Record<string, unknown>>(
    'select active_version, check_outcome, check_detail, checked_at, current_at from sanctions_lists where code = $1',
    [CODE],
  );
  return rows[0];
};
const nothingIsLeft = async () => {
  const { rows } = await db.pool.query(
    'select 1 from sanctions_chunks union all select 1 from sanctions_staging',
  );
  expect(rows).toEqual([]);
};
const age = async () =>
  await db.pool.query(`update sanctions_lists set current_at = now() - interval '3 days'`);

test('a fetched list is active, dated by its publisher, and asked for with a name and by its ETag afterwards', async () => {
  publisher.publish('/list.csv', listCsv(HUNDRED));
  expect(await update()).toEqual({ outcome: 'ACTIVATED', version: 1 });
  const [list] = await readActiveVersions(db.pool);
  expect(list).toMatchObject({ entries: 100, publishedAt: new Date('2026-11-20T06:00:00Z') });
  expect(await update()).toBe('NOTHING_NEW');
  expect(publisher.seen.map(({ status }) => status)).toEqual([200, 304]);
  expect(publisher.seen[0]?.agent).toContain('Waybill');
  expect(await state()).toMatchObject({ active_version: 1, check_outcome: 'UNCHANGED', check_detail: null });
  await nothingIsLeft();
});

test('a look that finds nothing new makes the list current again; a changed file makes the next version', async () => {
  publisher.publish('/list.csv', listCsv(HUNDRED));
  await update();
  await age();
  expect(await troubledLists(db.pool, [CODE])).toEqual([CODE]);
  // A bundled or uploaded list grows as old as one that is fetched.
  expect(await troubledLists(db.pool, [])).toEqual([CODE]);
  await update();
  expect(await troubledLists(db.pool, [CODE])).toEqual([]);
  publisher.publish('/list.csv', listCsv(MORE));
  expect(await update()).toEqual({ outcome: 'ACTIVATED', version: 2 });
  expect(await contentsAt(db.pool, CODE, 2)).toEqual(MORE);
});

test('the same bytes from a publisher without ETags are no new version', async () => {
  publisher.publish('/list.csv', (_request, response) => void response.end(listCsv(HUNDRED)));
  await update();
  expect(await update()).toBe('NOTHING_NEW');
  expect(publisher.seen.map(({ status }) => status)).toEqual([200, 200]);
  await nothingIsLeft();
});

test('of several files those that are unchanged are fetched again when another has changed', async () => {
  publisher.publish('/a.csv', 'a');
  publisher.publish('/b.csv', 'b');
  const urls = ['/a.csv', '/b.csv'].map((path) => publisher.url + path);
  const source: ListSource = { code: 'OFAC_SDN', format: 'OFAC_CSV', urls };
  const steps = listSteps(db, { lists: [source] });
  const stored = async (uploadId: string | null) =>
    (await db.pool.query('select 1 from sanctions_chunks where upload_id = $1', [uploadId])).rowCount;
  const { uploadId } = await steps.fetchList({ code: 'OFAC_SDN' });
  expect(await stored(uploadId)).toBe(4);
  const validators = await db.pool.query('select validators from sanctions_uploads where id = $1', [
    uploadId,
  ]);
  await db.pool.query(`update sanctions_lists set validators = $1, fetched_parser = '1'`, [
    JSON.stringify((validators.rows[0] as { validators: unknown }).validators),
  ]);
  publisher.publish('/b.csv', 'changed');
  const second = await steps.fetchList({ code: 'OFAC_SDN' });
  expect(await stored(second.uploadId)).toBe(4);
  expect(publisher.seen.map(({ url, status }) => `${url} ${status}`)).toEqual([
    '/a.csv 200',
    '/b.csv 200',
    '/a.csv 304',
    '/b.csv 200',
    '/a.csv 200',
  ]);
});

const endless: RequestListener = (_request, response) => {
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response.on('drain', write);
  write();
};

test.each<[string, RequestListener, string]>([
  ['500', (_request, response) => void response.writeHead(500).end('no'), 'HTTP_STATUS 500'],
  ['404', (_request, response) => void response.writeHead(404).end('no'), 'HTTP_STATUS 404'],
  [
    'a file that breaks off',
    (_request, response) => {
      response.writeHead(200, { 'Content-Length': 10_000 });
      response.write('id,type,name\n', () => response.destroy());
    },
    'INTERRUPTED',
  ],
  ['a file without end', endless, 'TOO_LARGE'],
  [
    'a packed file without end',
    (_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(5_000_000, 0x61)));
    },
    'TOO_LARGE',
  ],
  ['nothing for too long', () => undefined, 'TIMEOUT'],
  [
    'a start and then nothing',
    (_request, response) => void response.writeHead(200).write('id,type,name\n'),
    'TIMEOUT',
  ],
  [
    'a redirect without TLS',
    (_request, response) => void response.writeHead(302, { Location: '/other.csv' }).end(),
    'REDIRECT NOT_HTTPS',
  ],
])('a publisher that gives %s keeps the active version, and shows', async (_what, listener, detail) => {
  publisher.publish('/list.csv', listCsv(HUNDRED));
  await update();
  publisher.publish('/list.csv', listener);
  publisher.publish('/other.csv', listCsv(MORE));
  const limits = detail === 'TIMEOUT' ? HASTY : LIMITS;
  await expect(update(['/list.csv'], { limits })).rejects.toMatchObject({
    type: detail,
    nonRetryable: false,
  });
  expect(await state()).toMatchObject({
    active_version: 1,
    check_outcome: 'FETCH_FAILED',
    check_detail: detail,
  });
  expect(await troubledLists(db.pool, [CODE])).toEqual([CODE]);
  await nothingIsLeft();
  publisher.publish('/list.csv', listCsv(HUNDRED));
  await update();
  expect(await troubledLists(db.pool, [CODE])).toEqual([]);
});

test('a publisher that nobody listens at shows as well', async () => {
  await expect(update(['/'], {}, 'http://127.0.0.1:1')).rejects.toMatchObject({ type: 'CONNECTION' });
  expect(await state()).toMatchObject({ active_version: null, check_outcome: 'FETCH_FAILED' });
});

test('a page instead of a list is no version, shows, and is looked at again', async () => {
  publisher.publish('/list.csv', listCsv(HUNDRED));
  await update();
  publisher.publish('/list.csv', '<!DOCTYPE html><html><body>Please wait</body></html>');
  for (const _time of [1, 2]) {
    expect(await update()).toEqual({ outcome: 'UNREADABLE', version: null });
    expect(await state()).toMatchObject({ active_version: 1, check_outcome: 'UNREADABLE' });
  }
  expect(await troubledLists(db.pool, [CODE])).toEqual([CODE]);
  await nothingIsLeft();
});

test('half a list is rejected once, and stays a trouble until the publisher mends it', async () => {
  publisher.publish('/list.csv', listCsv(HUNDRED));
  await update();
  publisher.publish('/list.csv', listCsv(subjects(50)));
  expect(await update()).toEqual({ outcome: 'REJECTED', version: 2 });
  expect(await update()).toBe('NOTHING_NEW');
  expect(await state()).toMatchObject({
    active_version: 1,
    check_outcome: 'REJECTED',
    check_detail: 'SHRUNK',
  });
  expect(await troubledLists(db.pool, [CODE])).toEqual([CODE]);
  expect(await readListFigures(db.pool)).toEqual([
    { code: CODE, ageSeconds: expect.any(Number), entries: 100, rejected: 1 },
  ]);
  publisher.publish('/list.csv', listCsv(MORE));
  expect(await update()).toEqual({ outcome: 'ACTIVATED', version: 3 });
  expect(await troubledLists(db.pool, [CODE])).toEqual([]);
});

test('what an operator has rolled back does not come again by itself, nor does the list count as current', async () => {
  publisher.publish('/list.csv', listCsv(HUNDRED));
  await update();
  publisher.publish('/list.csv', listCsv(MORE));
  await update();
  await db.pool.query(`update sanctions_versions set received_at = now() - interval '3 days'`);
  await inTransaction(db.pool, async (tx) => await rollBack(tx, { code: CODE, version: 1, now: new Date() }));
  expect(await update()).toBe('NOTHING_NEW');
  expect(await contentsAt(db.pool, CODE, 3)).toEqual(HUNDRED);
  expect(await troubledLists(db.pool, [CODE])).toEqual([CODE]);
});

describe('redirects from TLS to TLS', () => {
  const receivers = createReceivers();
  const { tlsReceiver } = receivers;
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  const fromTls = async (port: number, ca: string) =>
    await update(['/list.csv'], { http: createListHttp({ ca }) }, `https://localhost:${port}`);
  afterEach(async () => await receivers.end());

  test('are followed at the host that was configured, wherever that is', async () => {
    const { port, cert } = await tlsReceiver('localhost', tomorrow(), (request, response) => {
      if (request.url === '/list.csv') response.writeHead(302, { Location: '/signed?x=1' }).end();
      else response.end(listCsv(HUNDRED));
    });
    expect(await fromTls(port, cert)).toMatchObject({ version: 1 });
  });

  test.each([
    'https://localhost:1/list.csv',
    'https://127.0.0.1/list.csv',
    'https://[::1]/',
    'https://10.0.0.1/',
  ])('lead to no private address of another host: %s', async (location) => {
    const { port, cert } = await tlsReceiver(
      'localhost',
      tomorrow(),
      (_request, response) => void response.writeHead(302, { Location: location }).end(),
    );
    await expect(fromTls(port, cert)).rejects.toMatchObject({ type: 'REDIRECT NOT_PUBLIC' });
    expect(await state()).toMatchObject({ active_version: null, check_detail: 'REDIRECT NOT_PUBLIC' });
  });

  test('end after five', async () => {
    const { port, cert, seen } = await tlsReceiver(
      'localhost',
      tomorrow(),
      (_request, response) => void response.writeHead(302, { Location: '/list.csv' }).end(),
    );
    await expect(fromTls(port, cert)).rejects.toMatchObject({ type: 'REDIRECT TOO_MANY' });
    expect(seen.hits).toBe(6);
  });
});

test('a list that is not fetched any more has nothing new', async () => {
  expect(await listSteps(db).fetchList({ code: CODE })).toEqual({ uploadId: null });
});
