import { ensureTestVasps } from '../../../db/tenants/ensure-test-vasps.ts';
import { TEST_VASPS } from '../../../domain/tenants/test-vasps.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;

beforeEach(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
});
afterEach(async () => {
  await api.stop();
  await database.drop();
});

const ensure = async () => await ensureTestVasps(api.db, new Date());
const [CONFIRMING] = TEST_VASPS;
const byName = TEST_VASPS.map(({ name, behaviour }) => ({ name, test_behaviour: behaviour })).toSorted(
  (one, other) => (one.name < other.name ? -1 : 1),
);
const named = async () =>
  (await database.pool.query<Json>('select name, test_behaviour from tenants order by name')).rows;

test('ten processes that start at once make all of them, once', async () => {
  // A connection for each: nobody waits for one longer than a connection is waited for, however busy the machine is.
  const db = { ...api.db, pool: database.pool };
  const results = await Promise.all(
    Array.from({ length: 10 }, async () => await ensureTestVasps(db, new Date())),
  );
  expect(results.flat()).toEqual([]);
  expect(byName).toHaveLength(8);
  expect(await named()).toEqual(byName);
});

test('an operator does not see them, and nobody can act for them', async () => {
  await ensure();
  const tenant = await createTenant(api, { name: 'Alpine Test VASP' });
  const list = async (query: string) =>
    await api.request<Json[]>('GET', `/operator/tenants${query}`, { operatorKey: api.operatorKey });
  for (const query of ['', '?q=test']) {
    const answer = await list(query);
    expect(answer.body.map(({ id }) => id)).toEqual([tenant.id]);
    expect(answer.headers.get('x-total-count')).toBe('1');
  }
  const { rows } = await database.pool.query(
    'select 1 from api_keys k join tenants t on t.id = k.tenant_id where t.test_behaviour is not null',
  );
  expect(rows).toEqual([]);
});

test('a tenant of an operator keeps the name and its ways; the others are made', async () => {
  await createTenant(api, { name: 'CONFIRMING  test VASP' });
  expect(await ensure()).toEqual([CONFIRMING?.name]);
  expect(await ensure()).toEqual([CONFIRMING?.name]);
  const behaviours = byName.map((row) => row.test_behaviour).filter((each) => each !== 'CONFIRMS');
  expect((await named()).map((row) => row['test_behaviour']).sort()).toEqual([
    ...behaviours.toSorted(),
    null,
  ]);
});

test('of an operator and a start at once one gets the name, and neither fails for another reason', async () => {
  const operator = api.request('POST', '/operator/tenants', {
    operatorKey: api.operatorKey,
    body: { name: 'Silent Test VASP' },
  });
  const [answer, taken] = await Promise.all([operator, ensure()]);
  expect([answer.status, taken]).toEqual(answer.status === 201 ? [201, ['Silent Test VASP']] : [409, []]);
});

test('messages that waited for one of them are routed anew', async () => {
  const tenant = await createTenant(api);
  const vaspInfo = { beneficiaryVaspName: 'silent test vasp' };
  const { id } = await createTransaction(tenant, { vaspInfo });
  await database.pool.query(`update transactions set routing_fault = 'VASP_NOT_FOUND' where id = $1`, [id]);
  await database.pool.query('delete from outbox');
  await ensure();
  expect((await database.pool.query('select subject_id from outbox')).rows).toEqual([{ subject_id: id }]);
});
