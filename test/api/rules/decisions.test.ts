import { randomUUID } from 'node:crypto';
import type { Json } from '../../api-client.ts';
import { decide } from '../../factories/rule-decisions.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0, RATE_LIMIT_READS: 0 } });
const tenant = useTenant(api);
let id: string;
beforeAll(async () => {
  id = (await configurations(tenant)).OUTGOING.id;
});

const facts = { amount: '20000', beneficiaryCountry: 'CH', missingFields: [] };
const decisions = async (of: string, by = tenant) => await by.get<Json[]>(`/transactions/${of}/decisions`);
const replay = async (body: Json, of = id) =>
  await tenant.post<Json & { stored: Json; replayed: Json }>(`/rule-engine/${of}/replay`, body);
async function publish(rules: Json[]): Promise<void> {
  await draft(tenant, id, rules);
  await tenant.post(`/rule-engine/${id}/publish`, { comment: 'x' });
}
const newTransaction = async () => (await createTransaction(tenant)).id;

test('a decision shows its version, its facts and how every rule came out, the last one first', async () => {
  const transactionId = await newTransaction();
  expect(await decisions(transactionId)).toMatchObject({ status: 200, body: [] });
  const waits = rule({ decision: 'WAIT', waitMinutes: 30, reason: 'cooling down' });
  await publish([waits]);
  const at = new Date('2026-11-21T10:00:00.123Z');
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts, at });
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts, spent: [waits.id] });
  const answer = await decisions(transactionId);
  expect(answer.headers.get('X-Total-Count')).toBe('2');
  expect(answer.body).toMatchObject([
    {
      sequence: 2,
      decision: 'PROCEED',
      decidedBy: 'default',
      spent: [waits.id],
      rules: [{ result: 'SPENT' }],
    },
    {
      sequence: 1,
      transactionId,
      direction: 'OUTGOING',
      configurationId: id,
      version: 1,
      decision: 'WAIT',
      decidedBy: waits.id,
      waitMinutes: 30,
      reason: 'cooling down',
      evaluatedAt: '2026-11-21T10:00:00.123Z',
      waitUntil: '2026-11-21T10:30:00.123Z',
      facts,
      rules: [
        { ruleId: waits.id, result: 'MATCHED', trace: [{ field: 'amount', actual: '20000', result: true }] },
      ],
    },
  ]);
});

test('a stored decision can be proven under its own version, whatever was published since', async () => {
  const transactionId = await newTransaction();
  const asleep = rule({ decision: 'REVIEW', priority: 1, snoozedUntil: '2099-01-01T00:00:00Z' });
  await publish([rule({ decision: 'BLOCK' }), asleep]);
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts });
  await publish([]);
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts });
  const [last, first] = (await decisions(transactionId)).body;
  expect(await replay({ transactionId })).toMatchObject({
    status: 200,
    body: { identical: true, sequence: 2, decisionId: last?.['id'], stored: { decision: 'PROCEED' } },
  });
  const { body } = await replay({ transactionId, sequence: 1 });
  expect(body).toMatchObject({ identical: true, version: first?.['version'], stored: { decision: 'BLOCK' } });
  expect(body.replayed).toEqual(body.stored);
  expect(body.stored['rules']).toEqual(first?.['rules']);
});

test('a stored decision that its facts do not give is told', async () => {
  const transactionId = await newTransaction();
  await publish([rule()]);
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts });
  const { rows } = await database.pool.query('select max(version)::int as version from rule_versions');
  await database.pool.query('update rule_decisions set version = 0 where transaction_id = $1', [
    transactionId,
  ]);
  expect(rows[0]).not.toEqual({ version: 0 });
  expect(await replay({ transactionId })).toMatchObject({
    status: 200,
    body: { identical: false, stored: { decision: 'BLOCK' }, replayed: { decision: 'PROCEED', rules: [] } },
  });
});

test('a record that hides its personal data shows no decision, and a deleted one nothing', async () => {
  const transactionId = await newTransaction();
  await publish([rule()]);
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts });
  await database.pool.query('update transactions set sealed = true where id = $1', [transactionId]);
  expect(await decisions(transactionId)).toMatchObject({ status: 200, body: [] });
  expect((await replay({ transactionId })).status).toBe(404);
  await database.pool.query('update transactions set sealed = false where id = $1', [transactionId]);
  await tenant.delete(`/transactions/${transactionId}`);
  expect((await decisions(transactionId)).status).toBe(404);
  expect((await replay({ transactionId })).status).toBe(404);
});

test('facts and traces are sealed by the key of the transaction', async () => {
  const transactionId = await newTransaction();
  await publish([rule({ name: 'Canarius' })]);
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts: { asset: 'Canarius' } });
  const { rows } = await database.pool.query('select d::text from rule_decisions d');
  expect(JSON.stringify(rows)).not.toMatch(/Canarius|43616e6172697573/i);
  const other = await newTransaction();
  // Another record's key opens nothing, as none does once the record is erased.
  await database.pool.query(
    'update transactions set record_key = (select record_key from transactions where id = $2) where id = $1',
    [transactionId, other],
  );
  expect((await decisions(transactionId)).status).toBe(500);
});

test('404, 400, 401 and 403 where they belong', async () => {
  const [stranger, observer] = [await createTenant(api), await tenant.as('OBSERVER')];
  const transactionId = await newTransaction();
  await decide(api.db, { tenantId: tenant.id, id: transactionId, facts });
  for (const path of ['x', randomUUID()]) expect((await decisions(path)).status).toBe(404);
  expect((await decisions(transactionId, stranger)).status).toBe(404);
  expect((await observer.get(`/transactions/${transactionId}/decisions`)).status).toBe(200);
  expect((await api.request('GET', `/transactions/${transactionId}/decisions`)).status).toBe(401);
  const incoming = (await configurations(tenant)).INCOMING.id;
  expect((await replay({ transactionId }, incoming)).status).toBe(404);
  expect((await replay({ transactionId, sequence: 2 })).status).toBe(404);
  expect((await replay({ transactionId: randomUUID() })).status).toBe(404);
  expect((await stranger.post(`/rule-engine/${id}/replay`, { transactionId })).status).toBe(404);
  const theirs = (await configurations(stranger)).OUTGOING.id;
  expect((await stranger.post(`/rule-engine/${theirs}/replay`, { transactionId })).status).toBe(404);
  for (const [body, pointer] of [
    [{}, '/transactionId'],
    [{ transactionId: 'x' }, '/transactionId'],
    [{ transactionId, sequence: 0 }, '/sequence'],
    [{ transactionId, version: 1 }, '/version'],
  ] as const) {
    expect(await replay(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  }
  expect((await observer.post(`/rule-engine/${id}/replay`, { transactionId })).status).toBe(403);
});

test('two decisions of a transaction at once get two numbers', async () => {
  const transactionId = await newTransaction();
  const made = await Promise.all(
    Array.from(
      { length: 6 },
      async () => await decide(api.db, { tenantId: tenant.id, id: transactionId, facts }),
    ),
  );
  expect(made.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3, 4, 5, 6]);
});
