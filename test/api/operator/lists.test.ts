import { randomUUID } from 'node:crypto';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { form, FORM_TYPE } from '../../factories/csv.ts';
import { listCsv, listSteps, subjects, type Subjects } from '../../factories/sanctions-list.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi } from '../../use-api.ts';

/** What the worker does with what it is told; changed by tests in which it is away. */
let startListUpdate: (update: { code: string; uploadId: string }) => Promise<unknown>;
const imported: typeof startListUpdate = async (update) => await listSteps(api.db).importList(update);

const { api, database } = useApi({
  config: { LISTS_UN_SC_URL: ['https://lists.example.com/un.xml'] },
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
const { S001: _gone, ...REST } = HUNDRED;
const NEXT: Subjects = { ...REST, S002: 'Subject Renamed', S101: 'Subject Newcomer' };

type Part = [name: string, content: string | Buffer, fileName?: string];
const file = (content: string): Part => ['file', content, 'list.csv'];
const format = (name = 'CSV'): Part => ['format', name];

const asOperator = async <T = Json>(method: string, path: string, body?: unknown, headers = {}) =>
  await api.request<T>(method, path, { operatorKey: api.operatorKey, body, headers });
const send = async (code: string, parts: Part[], headers: Record<string, string> = {}) =>
  await asOperator('POST', `/operator/lists/${code}/versions`, form(parts), { ...FORM_TYPE, ...headers });
const sendList = async (code: string, all: Subjects, ...more: Part[]) =>
  await send(code, [file(listCsv(all)), format(), ...more]);
const lists = async () => (await asOperator<Json[]>('GET', '/operator/lists')).body;
const nothingIsLeft = async () => {
  const { rows } = await database.pool.query(
    `select 1 from sanctions_chunks union all select 1 from sanctions_staging
     union all select 1 from sanctions_uploads where state <> 'ENDED'`,
  );
  expect(rows).toEqual([]);
};

describe('POST /operator/lists/{code}/versions', () => {
  test('201: the version with all its counts', async () => {
    const first = await sendList('OWN_LIST', HUNDRED, ['publishedAt', '2026-11-20']);
    expect(first).toMatchObject({
      status: 201,
      body: {
        code: 'OWN_LIST',
        version: 1,
        state: 'ACTIVE',
        rejectReason: null,
        source: 'UPLOAD',
        restoredVersion: null,
        acceptedShrink: false,
        format: 'CSV',
        publishedAt: '2026-11-20T00:00:00.000Z',
        entries: 100,
        names: 100,
        wallets: 0,
        added: 100,
        changed: 0,
        removed: 0,
        faults: 0,
      },
    });
    const second = await sendList('OWN_LIST', NEXT);
    expect(second.body).toMatchObject({ version: 2, added: 1, changed: 1, removed: 1 });
    await nothingIsLeft();
  });

  test('201: the bytes of the active version once more answer that version', async () => {
    await sendList('OWN_LIST', HUNDRED);
    expect(await sendList('OWN_LIST', HUNDRED)).toMatchObject({ status: 201, body: { version: 1 } });
  });

  test('201: the bytes of the active version once more keep the list current', async () => {
    await sendList('OWN_LIST', HUNDRED);
    await database.pool.query(`update sanctions_lists set current_at = now() - interval '3 days'`);
    const before = Date.now();
    expect((await sendList('OWN_LIST', HUNDRED)).body).toMatchObject({ version: 1 });
    const list = (await lists()).find(({ code }) => code === 'OWN_LIST');
    // The clocks of this process and of PostgreSQL may differ.
    expect(Date.parse(String(list?.['currentAt']))).toBeGreaterThan(before - 3_600_000);
  });

  test.each<[string, Part[], string, string]>([
    ['no file', [format()], '/file', 'required'],
    ['no format', [file('x')], '/format', 'required'],
    ['an unknown format', [file('x'), format('XLS')], '/format', 'invalid_value'],
    ['a date that is none', [file('x'), format(), ['publishedAt', 'soon']], '/publishedAt', ''],
    [
      'a flag that is none',
      [file('x'), format(), ['acceptShrink', 'maybe']],
      '/acceptShrink',
      'invalid_value',
    ],
    ['two files of one XML list', [file('x'), file('y'), format('UN_XML')], '/file', 'too_many'],
    ['five files', [...Array<Part>(5).fill(file('x')), format('OFAC_CSV')], '/file', 'too_many'],
    ['a part of another name', [file('x'), format(), ['force', 'true']], '/force', 'unknown_field'],
    ['a page instead of a list', [file('<!DOCTYPE html><html></html>'), format('UN_XML')], '/file', ''],
    ['an empty file', [file(''), format()], '/file', ''],
  ])('400: %s', async (_what, parts, pointer, code) => {
    const answer = await send('OWN_LIST', parts);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const [fault] = answer.body['errors'] as Json[];
    expect(fault).toMatchObject({ pointer, ...(code && { code }) });
    await nothingIsLeft();
    expect((await lists()).flatMap((list) => list['activeVersion'] ?? [])).toEqual([]);
  });

  test('409: a file that does not pass a gate says which, with numbers and what to do, and is recorded', async () => {
    await sendList('OWN_LIST', HUNDRED);
    const short = subjects(50);
    const refused = await sendList('OWN_LIST', short);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', rejectReason: 'SHRUNK', version: 2, entries: 50, activeEntries: 100 },
    });
    expect(refused.body['detail']).toMatch(/50 entries, 50 names.*90 %.*100.*acceptShrink=true/);
    expect((await lists()).find((list) => list['code'] === 'OWN_LIST')).toMatchObject({
      activeVersion: { version: 1 },
      lastRejected: { version: 2, rejectReason: 'SHRUNK', state: 'REJECTED' },
    });
    const accepted = await sendList('OWN_LIST', short, ['acceptShrink', 'true']);
    expect(accepted).toMatchObject({ status: 201, body: { version: 3, acceptedShrink: true, removed: 50 } });
  });

  test('503: the worker cannot be told; nothing is left of the file', async () => {
    startListUpdate = async () => await Promise.reject(new Error('away'));
    expect(await sendList('OWN_LIST', HUNDRED)).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable' },
    });
    await nothingIsLeft();
  });

  test('201: Temporal answers late: a start is tried three times', async () => {
    let tries = 0;
    startListUpdate = async (update) => {
      tries += 1;
      if (tries < 3) throw new Error('deadline exceeded');
      await imported(update);
    };
    expect(await sendList('OWN_LIST', HUNDRED)).toMatchObject({ status: 201, body: { version: 1 } });
    expect(tries).toBe(3);
    await nothingIsLeft();
  });

  const newKey = () => ({ 'Idempotency-Key': randomUUID() });
  const sendKeyed = async (all: Subjects, key: Record<string, string>) =>
    await send('OWN_LIST', [file(listCsv(all)), format()], key);
  const entriesInUse = async () =>
    (await lists()).find((list) => list['code'] === 'OWN_LIST')?.['activeVersion'];

  test('201: no answer of the worker, which was told all the same and has imported', async () => {
    startListUpdate = async (update) => {
      await imported(update);
      throw new Error('no answer');
    };
    expect(await sendList('OWN_LIST', HUNDRED)).toMatchObject({ status: 201, body: { version: 1 } });
    await nothingIsLeft();
  });

  test('503: no answer of the worker, which was told and starts late: nothing of the old file is imported', async () => {
    let start = async () => await Promise.resolve<unknown>(undefined);
    startListUpdate = async (update) => {
      start = async () => await imported(update);
      return await Promise.reject(new Error('no answer'));
    };
    expect((await sendList('OWN_LIST', HUNDRED)).status).toBe(503);
    startListUpdate = imported;
    expect((await sendList('OWN_LIST', NEXT)).status).toBe(201);
    expect(await start()).toEqual({ outcome: 'LOST', version: null });
    expect(await entriesInUse()).toMatchObject({ version: 1, entries: 100, added: 100 });
    await nothingIsLeft();
  });

  test('409: a repeat under the same key after a newer file; sent anew it replaces that', async () => {
    const key = newKey();
    startListUpdate = async () => await Promise.reject(new Error('away'));
    expect((await sendKeyed(HUNDRED, key)).status).toBe(503);
    startListUpdate = imported;
    expect((await sendKeyed(subjects(105), newKey())).status).toBe(201);
    const repeated = await sendKeyed(HUNDRED, key);
    expect(repeated).toMatchObject({ status: 409, body: { code: 'conflict', rejectReason: 'OUTDATED' } });
    expect(repeated.body['detail']).toMatch(/Another file .* was sent after this one/);
    expect(await entriesInUse()).toMatchObject({ version: 1, entries: 105 });
    expect(await sendKeyed(HUNDRED, newKey())).toMatchObject({ status: 201, body: { entries: 100 } });
    await nothingIsLeft();
  });

  test('201: a repeat under the same key, where nothing has come since, imports once', async () => {
    const key = newKey();
    startListUpdate = async () => await Promise.reject(new Error('away'));
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await sendKeyed(HUNDRED, key)).status).toBe(503);
    startListUpdate = imported;
    expect(await sendKeyed(HUNDRED, key)).toMatchObject({ status: 201, body: { version: 1 } });
    expect(await sendKeyed(HUNDRED, key)).toMatchObject({ status: 201, body: { version: 1 } });
    await nothingIsLeft();
  });

  test('409: of two uploads at once the one that began first does not replace the other', async () => {
    let go = () => {};
    const waiting = new Promise<void>((resolve) => (go = resolve));
    startListUpdate = async (update) => {
      startListUpdate = imported;
      await waiting;
      await imported(update);
    };
    const first = sendList('OWN_LIST', HUNDRED);
    await eventually(
      async () =>
        (await database.pool.query(`select 1 from sanctions_uploads where state = 'RUNNING'`)).rowCount,
      (running) => running === 1,
    );
    expect(await sendList('OWN_LIST', subjects(105))).toMatchObject({ status: 201, body: { version: 1 } });
    go();
    expect(await first).toMatchObject({ status: 409, body: { rejectReason: 'OUTDATED', version: 2 } });
    expect(await entriesInUse()).toMatchObject({ version: 1, entries: 105 });
    await nothingIsLeft();
  });

  test('503: the import takes too long; it goes on, and its version shows', async () => {
    let go = () => {};
    const waiting = new Promise<void>((resolve) => (go = resolve));
    let ended: Promise<unknown> = Promise.resolve();
    startListUpdate = async (update) => {
      ended = waiting.then(async () => await imported(update));
    };
    const answer = await sendList('OWN_LIST', HUNDRED);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    go();
    await ended;
    const versions = await asOperator<Json[]>('GET', '/operator/lists/OWN_LIST/versions');
    expect(versions.body).toEqual([expect.objectContaining({ version: 1, state: 'ACTIVE' })]);
  });

  test('404: a code that no list can have', async () => {
    expect(await sendList('own-list', HUNDRED)).toMatchObject({ status: 404 });
  });
});

describe('what operators read', () => {
  test('200: known lists first, also those that nothing has come for, with where they come from', async () => {
    await sendList('OWN_LIST', HUNDRED);
    const all = await lists();
    expect(all.map((list) => list['code'])).toEqual([
      'OFAC_SDN',
      'OFAC_CONS',
      'UN_SC',
      'EU_FSF',
      'UK_SL',
      'OPENSANCTIONS',
      'OWN_LIST',
    ]);
    expect(all[2]).toEqual({
      code: 'UN_SC',
      known: true,
      urlConfigured: true,
      activeVersion: null,
      currentAt: null,
      checkedAt: null,
      checkOutcome: null,
      checkDetail: null,
      lastRejected: null,
    });
    expect(all[6]).toMatchObject({ known: false, urlConfigured: false, activeVersion: { entries: 100 } });
  });

  test.each([
    ['', [3, 2, 1], '3'],
    ['?_sort=version&_start=1&_end=2', [2], '3'],
    ['?_state=REJECTED', [2], '1'],
    ['?q=zz', [], '0'],
  ])('200: versions%s', async (query, expected, total) => {
    await sendList('OWN_LIST', HUNDRED);
    await sendList('OWN_LIST', subjects(10));
    await sendList('OWN_LIST', NEXT);
    const answer = await asOperator<Json[]>('GET', `/operator/lists/OWN_LIST/versions${query}`);
    expect(answer.body.map((version) => version['version'])).toEqual(expected);
    expect(answer.headers.get('x-total-count')).toBe(total);
  });

  test.each([
    ['', ['S101 ADDED', 'S002 CHANGED', 'S001 REMOVED'], '3'],
    ['?_sort=sourceId', ['S001 REMOVED', 'S002 CHANGED', 'S101 ADDED'], '3'],
    ['?_change=ADDED,REMOVED', ['S101 ADDED', 'S001 REMOVED'], '2'],
    ['?q=NEWCOMER', ['S101 ADDED'], '1'],
    ['?q=s00&_end=1', ['S002 CHANGED'], '2'],
    ['?_start=3', [], '3'],
  ])('200: the delta of a version%s', async (query, expected, total) => {
    await sendList('OWN_LIST', HUNDRED);
    await sendList('OWN_LIST', NEXT);
    const path = `/operator/lists/OWN_LIST/versions/2/changes${query}`;
    const answer = await asOperator<Json[]>('GET', path);
    expect(answer.body.map(({ sourceId, change }) => `${String(sourceId)} ${String(change)}`)).toEqual(
      expected,
    );
    expect(answer.headers.get('x-total-count')).toBe(total);
  });

  test('200: a change names the subject', async () => {
    await sendList('OWN_LIST', HUNDRED);
    await sendList('OWN_LIST', NEXT);
    const answer = await asOperator<Json[]>(
      'GET',
      '/operator/lists/OWN_LIST/versions/2/changes?_change=REMOVED',
    );
    expect(answer.body).toEqual([
      { sourceId: 'S001', change: 'REMOVED', name: 'Subject Number001', type: 'person' },
    ]);
  });

  test.each([
    ['/operator/lists/OTHER/versions', 404],
    ['/operator/lists/UN_SC/versions', 200],
    ['/operator/lists/UN_SC/versions/1/changes', 404],
    ['/operator/lists/UN_SC/versions?_sort=entries', 400],
    ['/operator/lists/UN_SC/versions?x=1', 400],
    ['/operator/lists?x=1', 400],
  ])('%s is %d', async (path, status) => {
    expect(await asOperator('GET', path)).toMatchObject({ status });
  });
});

describe('POST /operator/lists/{code}/rollback', () => {
  const back = async (version: unknown, code = 'OWN_LIST') =>
    await asOperator('POST', `/operator/lists/${code}/rollback`, { version });

  test('201: the old contents are a new version', async () => {
    await sendList('OWN_LIST', HUNDRED);
    await sendList('OWN_LIST', NEXT);
    expect(await back(1)).toMatchObject({
      status: 201,
      body: {
        version: 3,
        source: 'ROLLBACK',
        restoredVersion: 1,
        added: 1,
        changed: 1,
        removed: 1,
        entries: 100,
      },
    });
    await nothingIsLeft();
  });

  test('400, 404 and 409: what cannot be restored', async () => {
    await sendList('OWN_LIST', HUNDRED);
    await sendList('OWN_LIST', subjects(10));
    expect(await back('1')).toMatchObject({ status: 400, body: { errors: [{ pointer: '/version' }] } });
    const keyed = await asOperator(
      'POST',
      '/operator/lists/OWN_LIST/rollback',
      {},
      { 'Idempotency-Key': 'k' },
    );
    expect(keyed).toMatchObject({ status: 400, body: { errors: [{ pointer: '/version' }] } });
    expect(await back(7)).toMatchObject({ status: 404 });
    expect(await back(1, 'UN_SC')).toMatchObject({ status: 404 });
    expect(await back(1)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await back(2)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await asOperator<Json[]>('GET', '/operator/lists/OWN_LIST/versions')).body).toHaveLength(2);
  });
});

test('401: neither a tenant nor a stranger may read or change lists', async () => {
  const { apiKey } = await createTenant(api);
  const requests: [string, string][] = [
    ['GET', '/operator/lists'],
    ['GET', '/operator/lists/UN_SC/versions'],
    ['GET', '/operator/lists/UN_SC/versions/1/changes'],
    ['POST', '/operator/lists/UN_SC/versions'],
    ['POST', '/operator/lists/UN_SC/rollback'],
  ];
  for (const [method, path] of requests) {
    expect(await api.request(method, path, { key: apiKey })).toMatchObject({ status: 401 });
    expect(await api.request(method, path, { operatorKey: 'wrong' })).toMatchObject({ status: 401 });
  }
});
