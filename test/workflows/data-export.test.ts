import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { parse } from 'csv-parse/sync';
import { housekeepingActivities } from '../../activities/housekeeping/remove-expired.ts';
import { listStoredObjects } from '../../db/restore/list-stored-objects.ts';
import { beginExport, findUnmadeExport, giveExportUp, storeExport } from '../../db/exports/store-export.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { makeMinuteLink } from '../../db/vault/minute-link.ts';
import { KEPT_DAYS, MOST_A_DAY, MOST_AT_ONCE } from '../../domain/exports/export.ts';
import { ObjectMissing } from '../../storage/storage.ts';
import type { Json } from '../api-client.ts';
import { fileOfExport, madeExport, type ShownExport } from '../factories/exports.ts';
import { sealedMessages } from '../factories/sealed-messages.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, fullBody, readTransaction } from '../factories/transaction.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let alpine: TestTenant;
beforeAll(async () => {
  system = await startTestSystem({ config: { RATE_LIMIT_WRITES: 0 } });
  alpine = await createTenant(system);
});
afterAll(async () => await system.stop());

const DAY_MS = 24 * 3_600_000;
const BODY = { resource: 'transactions', format: 'CSV', purpose: 'Question of Inspector Quill.' };

const made = async (tenant: TestTenant, overrides: Json = {}) =>
  await madeExport(tenant, { ...BODY, ...overrides });
const fileOf = async (tenant: TestTenant, shown: ShownExport) => await fileOfExport(system, tenant, shown);

const downloaded = async (token: string) => (await fetch(`${system.url}/export-files/${token}`)).status;

test('CSV has one line for each transaction that fits, oldest first, and no formula', async () => {
  const first = await createTransaction(alpine, fullBody());
  const second = await createTransaction(alpine, { reference: '=1+1', metadata: 'a "quoted",\nline' });
  const deleted = await createTransaction(alpine);
  await alpine.delete(`/transactions/${deleted.id}`);
  const done = await made(alpine, { filter: { direction: 'OUTGOING', from: '2020-01-01T00:00:00Z' } });
  expect(done).toMatchObject({
    status: 'READY',
    rows: 2,
    purpose: BODY.purpose,
    requestedBy: { kind: 'API_KEY' },
  });
  const lines: Json[] = parse(await fileOf(alpine, done), { columns: true });
  expect(lines.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(lines[0]).toMatchObject({
    amount: first.amountDecimal,
    'originator.name': first.originator?.name,
    'beneficiary.accountNumber': first.beneficiary?.accountNumber,
  });
  expect(lines[1]).toMatchObject({ reference: "'=1+1", metadata: 'a "quoted",\nline' });
  const { rows } = await system.db.pool.query<{ row: string }>('select e::text as row from exports e');
  expect(JSON.stringify(rows)).not.toContain('Quill');
  await recordHistory(system.client, 'dataExport', done.id, 'csv');
});

test('JSON shows what the api shows, IVMS101 has a payload of each; what is sealed stays sealed', async () => {
  const receiver = await createTenant(system);
  const { incomingIds } = await sealedMessages(system, alpine, receiver, 1);
  const own = await createTransaction(receiver, {
    originator: { type: 'NATURAL', name: 'Ada Quill' },
    beneficiary: { type: 'NATURAL', name: 'Ben Stone' },
  });
  const json = JSON.parse(await fileOf(receiver, await made(receiver, { format: 'JSON' }))) as Json[];
  expect(json).toEqual([
    await readTransaction(receiver, incomingIds[0] ?? ''),
    { ...(await readTransaction(receiver, own.id)), ...volatile(json[1]) },
  ]);
  const ivms = JSON.parse(await fileOf(receiver, await made(receiver, { format: 'IVMS101' }))) as Json[];
  expect(ivms).toMatchObject([
    { transactionId: incomingIds[0], sealed: true, IVMS101: null },
    { transactionId: own.id, sealed: false, IVMS101: { payloadMetadata: { payloadVersion: '101.2023' } } },
  ]);
  expect(JSON.stringify(ivms[1])).toContain('Quill');
  const csv = await fileOf(receiver, await made(receiver, {}));
  for (const text of [csv, JSON.stringify(ivms[0]), JSON.stringify(json[0])])
    expect(text).not.toContain('Anna Keller');
  const none = await made(receiver, { format: 'JSON', filter: { status: ['FAILED'] } });
  expect([none['rows'], JSON.parse(await fileOf(receiver, none))]).toEqual([0, []]);
});

/** What goes on with an open transaction between two readings. */
function volatile(shown: Json | undefined): Json {
  const { status, subStatus, clearance, version, updatedAt } = shown ?? {};
  return { status, subStatus, clearance, version, updatedAt };
}

test('a link leads to its file for a minute, and nowhere once the export is removed after a week', async () => {
  const done = await made(alpine);
  const token = (ageMs: number) =>
    makeMinuteLink(system.db.vault, { what: 'export', id: done.id }, new Date(Date.now() - ageMs)).token;
  expect([await downloaded(token(0)), await downloaded(token(0)), await downloaded(token(61_000))]).toEqual([
    200, 200, 404,
  ]);
  // A link to a report is none to an export.
  const other = makeMinuteLink(system.db.vault, { what: 'report', id: done.id }, new Date()).token;
  expect([await downloaded(other), await downloaded('invented')]).toEqual([404, 404]);
  const { rows } = await system.db.pool.query<{ object_key: string }>(
    'select object_key from exports where id = $1',
    [done.id],
  );
  const after = (days: number) => async () =>
    await housekeepingActivities({
      db: system.db,
      storage: system.deps.storage,
      now: () => new Date(Date.now() + days * DAY_MS),
    }).removeExpired({ what: 'abandonedFiles' });
  await new MockActivityEnvironment().run(after(KEPT_DAYS - 0.1));
  expect((await alpine.get(`/exports/${done.id}`)).status).toBe(200);
  await new MockActivityEnvironment().run(after(KEPT_DAYS + 0.1));
  expect((await alpine.get(`/exports/${done.id}`)).status).toBe(404);
  expect(await downloaded(token(0))).toBe(404);
  await expect(system.deps.storage.get(rows[0]?.object_key ?? '')).rejects.toThrow(ObjectMissing);
});

describe('what is refused', () => {
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await createTenant(system);
  });

  /** Exports without a workflow. */
  const stored = async (count: number, state: string) =>
    await system.db.pool.query(
      `insert into exports (id, tenant_id, resource, format, filter, purpose, requested_by_kind, requested_by, state, created_at)
       select gen_random_uuid(), $1, 'transactions', 'CSV', '{}', '', 'API_KEY', gen_random_uuid(), $3, now()
       from generate_series(1, $2)`,
      [tenant.id, count, state],
    );

  test('more than three at once, and more than a hundred a day', async () => {
    const asked = await Promise.all(
      Array.from({ length: 20 }, async () => {
        await stored(0, 'MAKING');
        return (await tenant.post('/exports', BODY)).status;
      }),
    );
    expect(asked.filter((status) => status === 202).length).toBeGreaterThanOrEqual(MOST_AT_ONCE);
    await stored(MOST_AT_ONCE, 'MAKING');
    const refused = await tenant.post('/exports', BODY);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('Retry-After')).toBe('60');
    await system.db.pool.query(`update exports set state = 'FAILED' where tenant_id = $1`, [tenant.id]);
    await stored(MOST_A_DAY, 'FAILED');
    expect((await tenant.post('/exports', BODY)).headers.get('Retry-After')).toBe('3600');
  });

  test.each([
    [{ resource: 'users' }, '/resource'],
    [{ format: 'XLSX' }, '/format'],
    [{ purpose: '' }, '/purpose'],
    [{ filter: { tenantId: 'x' } }, '/filter/tenantId'],
    [{ filter: { status: ['OPEN'] } }, '/filter/status/0'],
    [{ filter: { from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' } }, '/filter/until'],
  ])('%j at %s', async (overrides, pointer) => {
    expect(await tenant.post('/exports', { ...BODY, ...overrides })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });

  test('whoever may not export, and a link to a file that is not there', async () => {
    const { body } = await tenant.post<ShownExport>('/exports', BODY);
    const observer = await tenant.as('OBSERVER');
    expect((await observer.post('/exports', BODY)).status).toBe(403);
    expect((await observer.get(`/exports/${body.id}`)).status).toBe(403);
    expect((await alpine.get(`/exports/${body.id}`)).status).toBe(404);
    await stored(1, 'FAILED');
    await system.db.pool.query(
      `update exports set state = 'FAILED', purpose = (select purpose from exports where id = $1) where id = $1`,
      [body.id],
    );
    expect(await tenant.get(`/exports/${body.id}/download-url`)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
  });
});

test('an attempt that another has overtaken stores nothing, and one that was given up stays so', async () => {
  const lonely = await createTenant(system);
  const id = randomUUID();
  const keys = await system.db.vault.tenantKeys(lonely.id);
  await system.db.pool.query(
    `insert into exports (id, tenant_id, resource, format, filter, purpose, requested_by_kind, requested_by, state, created_at)
     values ($1, $2, 'transactions', 'CSV', '{}', $3, 'API_KEY', gen_random_uuid(), 'MAKING', now())`,
    [id, lonely.id, keys.seal(sealingContext.export.purpose(lonely.id, id), 'Made by an earlier version.')],
  );
  const begin = async () => {
    const unmade = await findUnmadeExport(system.db, id);
    return unmade && (await beginExport(system.db, unmade));
  };
  const [early, late] = [await begin(), await begin()];
  if (!early || !late) throw new Error('both have begun');
  const content = { rows: 1, sizeBytes: 1, sha256: 'x', columns: null, productVersion: '1' };
  expect(await storeExport(system.db.pool, early, content, new Date())).toBe(false);
  await giveExportUp(system.db.pool, id, new Date());
  expect(await storeExport(system.db.pool, late, content, new Date())).toBe(false);
  expect(await findUnmadeExport(system.db, id)).toBeUndefined();
});

test('a check of a restored database looks for its file', async () => {
  const { id } = await made(alpine);
  const listed: string[] = [];
  for await (const objects of listStoredObjects(system.db.pool))
    listed.push(...objects.map((object) => object.id));
  expect(listed).toContain(id);
});
