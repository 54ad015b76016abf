import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { backtestActivities, type BacktestStep } from '../../../activities/rules/run-backtest.ts';
import {
  findRunningBacktest,
  readDecidedPage,
  writePage,
  type DonePage,
} from '../../../db/rules/backtest-pages.ts';
import type { Json } from '../../api-client.ts';
import { ALL_TIME, decidedTransactions, type BacktestView } from '../../factories/backtests.ts';
import { decide } from '../../factories/rule-decisions.ts';
import { configurations, rule } from '../../factories/rules.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0, RATE_LIMIT_READS: 0 } });
const tenant = useTenantPerTest(api);
let id: string;
beforeEach(async () => {
  id = (await configurations(tenant)).OUTGOING.id;
});

type Answered = BacktestView & Json;
const start = async (body: Json = {}, options = {}) =>
  await tenant.post<Answered>(
    `/rule-engine/${id}/backtest`,
    { source: 'DRAFT', rules: [rule()], ...ALL_TIME, ...body },
    options,
  );
const read = async (backtestId: string, client = tenant) =>
  await client.get<Answered>(`/rule-engine/${id}/backtests/${backtestId}`);
const cancel = async (backtestId: string) =>
  await tenant.post<Answered>(`/rule-engine/${id}/backtests/${backtestId}/cancel`);

/** One step as the worker does it, in pages of two. */
async function work(backtestId: string, now = () => new Date()): Promise<BacktestStep> {
  const activities = backtestActivities({ db: api.db, now, backtestPage: 2 });
  const step = async () => await activities.tryNextTransactions({ id: backtestId });
  return await new MockActivityEnvironment().run(step);
}

/** The next two decisions, tried and not yet written. */
async function triedPage(backtestId: string): Promise<DonePage> {
  const backtest = await findRunningBacktest(api.db, backtestId);
  if (!backtest) throw new Error('it does not run');
  const page = await readDecidedPage(api.db, backtest, 2);
  const last = page.at(-1);
  const tally = { ...backtest.tally, processed: backtest.tally.processed + page.length };
  const cursor = { at: last?.evaluatedAt ?? null, id: last?.id ?? null };
  return { backtest, tally, cursor, changes: [], isLast: false };
}

const SMALL_AND_LARGE = ['1', '20000', '2', '30000', '3'];

test('202: it runs, and what it comes to can be read while and after', async () => {
  const ids = await decidedTransactions(api, tenant, SMALL_AND_LARGE);
  const tried = rule({ decision: 'REVIEW' });
  const silent = rule({
    name: 'Silent',
    priority: 200,
    conditions: { field: 'asset', operator: 'EQ', value: 'X' },
  });
  const { status, body } = await start({ rules: [tried, silent] });
  expect(status).toBe(202);
  expect(body).toMatchObject({
    status: 'RUNNING',
    source: 'GIVEN',
    processed: 0,
    total: null,
    finishedAt: null,
  });
  expect(api.outbox.at(-1)).toMatchObject({ workflow: 'ruleBacktest', subjectId: body.id });
  expect((await read(body.id)).body).toMatchObject({ ...body, changes: [], transitions: [] });
  expect(await work(body.id)).toEqual({ processed: 5, total: 5, state: 'DONE' });
  const done = (await read(body.id)).body;
  expect(done).toMatchObject({
    status: 'COMPLETED',
    processed: 5,
    total: 5,
    changed: 2,
    before: { PROCEED: 5, WAIT: 0, REVIEW: 0, BLOCK: 0 },
    after: { PROCEED: 3, WAIT: 0, REVIEW: 2, BLOCK: 0 },
    transitions: [{ before: 'PROCEED', after: 'REVIEW', count: 2 }],
    rules: [
      { ruleId: tried.id, name: 'Large', matched: 2, undecided: 0, decided: 2 },
      { ruleId: silent.id, matched: 0, undecided: 5, decided: 0 },
    ],
    finishedAt: expect.any(String) as unknown,
  });
  expect(done.changes.map(({ transactionId }) => transactionId)).toEqual([ids[1], ids[3]]);
  expect(done.changes[0]).toMatchObject({
    before: { decision: 'PROCEED', decidedBy: 'default' },
    after: { decision: 'REVIEW', decidedBy: tried.id },
    rules: [{ result: 'MATCHED', trace: [{ actual: '20000' }] }, { result: 'UNDECIDED' }],
  });
  const list = await tenant.get<Json[]>(`/rule-engine/${id}/backtests?q=completed`);
  expect([list.headers.get('X-Total-Count'), list.body[0]?.['id']]).toEqual(['1', body.id]);
  expect((await tenant.get<Json[]>(`/rule-engine/${id}/backtests?q=running`)).body).toEqual([]);
});

test('of a transaction that was decided several times the last decision in the time counts', async () => {
  const [first = ''] = await decidedTransactions(api, tenant, ['20000']);
  await decide(api.db, {
    tenantId: tenant.id,
    id: first,
    facts: { amount: '1' },
    at: new Date('2026-11-05T00:00:00Z'),
  });
  const counted = async (body: Json) => {
    const { body: started } = await start(body);
    await work(started.id);
    const { processed, changed } = (await read(started.id)).body;
    return { processed, changed };
  };
  expect(await counted({})).toEqual({ processed: 1, changed: 0 });
  expect(await counted({ to: '2026-11-02T00:00:00Z' })).toEqual({ processed: 1, changed: 1 });
  expect(await counted({ from: '2026-11-06T00:00:00Z' })).toEqual({ processed: 0, changed: 0 });
  // Both bounds are inclusive.
  expect(await counted({ from: '2026-11-01T10:00:00Z', to: '2026-11-01T10:00:00Z' })).toMatchObject({
    processed: 1,
  });
});

test('a step that is lost costs no more than its page, and nothing is counted twice', async () => {
  await decidedTransactions(api, tenant, SMALL_AND_LARGE);
  const { body } = await start();
  let pages = 0;
  // As if the worker had been killed while it wrote its second page.
  const dies = () => {
    if ((pages += 1) === 2) throw new Error('killed');
    return new Date();
  };
  await expect(work(body.id, dies)).rejects.toThrow('killed');
  expect((await read(body.id)).body).toMatchObject({ status: 'RUNNING', processed: 2, changed: 1 });
  expect(await work(body.id)).toMatchObject({ processed: 5, state: 'DONE' });
  expect((await read(body.id)).body).toMatchObject({ status: 'COMPLETED', processed: 5, changed: 2 });
  expect((await read(body.id)).body.changes).toHaveLength(2);
  expect(await work(body.id)).toMatchObject({ state: 'DONE' });
});

test('of two workers on one page only one writes it', async () => {
  await decidedTransactions(api, tenant, ['1', '2', '3']);
  const { body } = await start();
  const done = await triedPage(body.id);
  const written = [await writePage(api.db, done, new Date()), await writePage(api.db, done, new Date())];
  expect(written).toEqual([true, false]);
  expect((await read(body.id)).body.processed).toBe(2);
});

test('cancelled while a page is tried, it stops there, keeps what it has, and makes room for the next', async () => {
  await decidedTransactions(api, tenant, SMALL_AND_LARGE);
  const { body } = await start();
  const done = await triedPage(body.id);
  expect(await writePage(api.db, done, new Date())).toBe(true);
  const next = await triedPage(body.id);
  expect((await cancel(body.id)).body).toMatchObject({ status: 'CANCELLED', processed: 2 });
  expect(await writePage(api.db, next, new Date())).toBe(false);
  expect((await read(body.id)).body).toMatchObject({ status: 'CANCELLED', processed: 2, total: null });
  expect((await start()).status).toBe(202);
});

test('one that was cancelled before a worker came is left alone; cancelling again changes nothing', async () => {
  await decidedTransactions(api, tenant, ['1']);
  const { body } = await start();
  const first = await cancel(body.id);
  expect(first).toMatchObject({ status: 200, body: { status: 'CANCELLED', processed: 0 } });
  expect(await work(body.id)).toEqual({ processed: 0, total: 0, state: 'DONE' });
  expect((await cancel(body.id)).body).toEqual(first.body);
  const activities = backtestActivities({ db: api.db, now: () => new Date() });
  await activities.giveBacktestUp({ id: body.id });
  expect((await read(body.id)).body.status).toBe('CANCELLED');
});

test('409: a tenant has one at a time, each direction or not; others have theirs', async () => {
  const { body } = await start();
  expect(await start()).toMatchObject({ status: 409, body: { code: 'conflict' } });
  const stranger = await createTenant(api);
  const theirs = (await configurations(stranger)).INCOMING.id;
  const other = await stranger.post(`/rule-engine/${theirs}/backtest`, { source: 'PUBLISHED', ...ALL_TIME });
  expect(other).toMatchObject({ status: 202, body: { source: 'PUBLISHED', version: 0 } });
  await work(body.id);
  expect(await start({ rules: undefined })).toMatchObject({
    status: 202,
    body: { source: 'DRAFT', revision: 1 },
  });
});

test('DELETE: it is gone, whether it ran or not', async () => {
  await decidedTransactions(api, tenant, ['20000']);
  const path = async () => `/rule-engine/${id}/backtests/${(await start()).body.id}`;
  const running = await path();
  expect((await tenant.delete(running)).status).toBe(204);
  expect((await tenant.delete(running)).status).toBe(404);
  const ended = await path();
  await work(ended.split('/').at(-1) ?? '');
  expect((await tenant.delete(ended)).status).toBe(204);
  expect((await tenant.get(ended)).status).toBe(404);
  expect(
    (await database.pool.query('select 1 from rule_backtest_changes where tenant_id = $1', [tenant.id])).rows,
  ).toEqual([]);
});

test('changes are hidden with their record, and gone with it', async () => {
  const [hidden, deleted] = await decidedTransactions(api, tenant, ['20000', '30000']);
  const { body } = await start();
  await work(body.id);
  await database.pool.query('update transactions set sealed = true where id = $1', [hidden]);
  await tenant.delete(`/transactions/${deleted}`);
  expect((await read(body.id)).body.changes).toEqual([]);
});

test('a record that hides its personal data is not tried', async () => {
  const [hidden] = await decidedTransactions(api, tenant, ['20000', '30000']);
  await database.pool.query('update transactions set sealed = true where id = $1', [hidden]);
  const { body } = await start();
  await work(body.id);
  expect((await read(body.id)).body).toMatchObject({ total: 1, processed: 1 });
});

test('under an Idempotency-Key it is started once', async () => {
  const options = { headers: { 'Idempotency-Key': randomUUID() } };
  const rules = [rule()];
  const [first, again] = [await start({ rules }, options), await start({ rules }, options)];
  expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id]);
  expect((await start({}, options)).status).toBe(422);
});

test.each<[string, Json, string]>([
  ['no source', { source: undefined }, '/source'],
  ['no time', { from: undefined }, '/from'],
  ['a time that is none', { to: 'yesterday' }, '/to'],
  ['an end before its beginning', { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, '/to'],
  ['rules with the published ones', { source: 'PUBLISHED' }, '/rules'],
  ['faulty rules', { rules: [rule({ decision: 'NO' })] }, '/rules/0/decision'],
  ['an unknown field', { limit: 5 }, '/limit'],
])('400: %s', async (_, body, pointer) => {
  expect(await start(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  expect((await tenant.get<Json[]>(`/rule-engine/${id}/backtests`)).body).toEqual([]);
});

test('404, 403 and 401 where they belong', async () => {
  const { body } = await start();
  const [stranger, observer] = [await createTenant(api), await tenant.as('OBSERVER')];
  const incoming = (await configurations(tenant)).INCOMING.id;
  for (const path of [
    `${id}/backtests/${randomUUID()}`,
    `${incoming}/backtests/${body.id}`,
    `${id}/backtests/x`,
  ]) {
    expect((await tenant.get(`/rule-engine/${path}`)).status).toBe(404);
    expect((await tenant.post(`/rule-engine/${path}/cancel`)).status).toBe(404);
    expect((await tenant.delete(`/rule-engine/${path}`)).status).toBe(404);
  }
  const own = `/rule-engine/${id}/backtests/${body.id}`;
  expect((await read(body.id, stranger)).status).toBe(404);
  expect((await stranger.post(`${own}/cancel`)).status).toBe(404);
  expect((await stranger.delete(own)).status).toBe(404);
  expect((await stranger.get(`/rule-engine/${id}/backtests`)).status).toBe(404);
  expect((await observer.get(own)).status).toBe(200);
  expect((await observer.post(`${own}/cancel`)).status).toBe(403);
  expect((await observer.delete(own)).status).toBe(403);
  expect((await observer.post(`/rule-engine/${id}/backtest`, {})).status).toBe(403);
  expect((await api.request('GET', own)).status).toBe(401);
  expect((await read(body.id)).body.status).toBe('RUNNING');
});
