import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, letPass } from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  tenant = await createTenant(api, { name: 'Resident Exchange' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

interface Fault {
  row: number | null;
  field: string | null;
  code: string;
}

async function send(file: string | Buffer, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append('file', new Blob([file]), 'entities');
  const answer = await fetch(`${api.url}/operator/entities/import`, {
    method: 'POST',
    headers: { 'X-Operator-Key': api.operatorKey, ...headers },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as Json & { errors?: Fault[] } };
}

const csv = (...lines: string[]) => lines.join('\n');
const lookup = async (name: string) =>
  (await tenant.get(`/entities/lookup?name=${encodeURIComponent(name)}`)).body;

/** Everything of the directory, and that nothing is left of the file. */
async function directory(): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select (select md5(string_agg(e::text, ',' order by id)) from entities e) as entities,
       (select md5(string_agg(n::text, ',' order by n::text)) from entity_names n) as names,
       (select count(*)::int from entity_import_rows) as staged`,
  );
  expect(rows).toMatchObject([{ staged: 0 }]);
  return rows[0];
}

describe('201', () => {
  test('CSV: columns in any order and case, empty cells, quotes, lists, masters by key', async () => {
    const file = csv(
      '\ufeffTYPE,name,sourceId,aliases,countries,masterSourceId,riskScore,email',
      'exchange,"Alpha, Inc.",1,"Al; Alfa",Germany;FR,,70,tr@alpha.example',
      'wallet,Alpha Wallet,2,,,1,,',
      '',
      'bank,Beta,,,,,,',
    );
    expect(await send(file)).toMatchObject({
      status: 201,
      body: { total: 3, created: 3, updated: 0, unchanged: 0, durationMs: expect.any(Number) },
    });
    expect(await lookup('alpha wallet')).toMatchObject({
      name: 'Alpha, Inc.',
      aliases: ['Al', 'Alfa'],
      countries: ['DE', 'FR'],
      riskScore: 70,
      riskSeverity: 'high',
      riskAssessedAt: expect.any(String),
      duplicates: [{ name: 'Alpha Wallet' }],
    });
    expect(await lookup('ALFA')).toMatchObject({ email: 'tr@alpha.example' });
  });

  test.each([
    ['an array', (items: Json[]) => JSON.stringify(items, null, 1)],
    ['an object per line', (items: Json[]) => items.map((item) => JSON.stringify(item)).join('\n')],
  ])('JSON as %s', async (_name, text) => {
    const items = [
      { name: 'Gamma {"}', type: 'bank', sourceId: 'g', aliases: ['Gam\\ma', 'Ga'], email: null },
      { name: 'Delta', type: 'atm', source: 'other', networks: ['TRP'] },
    ];
    const { status, body } = await send(text(items));
    expect({ status, total: body['total'] }).toEqual({ status: 201, total: 2 });
    expect(await lookup('ga')).toMatchObject({ name: 'Gamma {"}', aliases: ['Gam\\ma', 'Ga'] });
  });

  test('the same file again changes nothing, and a changed row only itself; what was assessed or merged stays', async () => {
    const file = csv(
      'sourceId,name,type',
      'r1,Repeat One,bank',
      'r2,Repeat Two,bank',
      'r3,Repeat Three,bank',
    );
    await send(file);
    const [one, two] = [await lookup('repeat one'), await lookup('repeat two')];
    const patch = { riskSeverity: 'high', masterEntityId: two['id'] };
    await api.request('PATCH', `/operator/entities/${String(one['id'])}`, {
      operatorKey: api.operatorKey,
      body: patch,
    });
    const before = await directory();
    expect((await send(file)).body).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect(await directory()).toEqual(before);
    const changed = csv(
      'sourceId,name,type,legalName',
      'r1,Repeat Uno,bank,',
      'r2,Repeat Two,bank,',
      'r3,Repeat Three,bank,',
    );
    expect((await send(changed)).body).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
    expect((await tenant.get(`/entities/${String(one['id'])}`)).body).toMatchObject({
      name: 'Repeat Uno',
      ...patch,
    });
    expect((await tenant.get('/entities/lookup?name=repeat%20one')).status).toBe(404);
  });

  test('masters in a chain become one step, also over what is known already', async () => {
    await send(csv('sourceId,name,type', 'z,Chain Z,bank'));
    const file = csv(
      'sourceId,name,type,masterSourceId',
      'c1,Chain 1,bank,c2',
      'c2,Chain 2,bank,c3',
      'c3,Chain 3,bank,c4',
      'c4,Chain 4,bank,z',
    );
    expect((await send(file)).status).toBe(201);
    const { id, duplicates } = await lookup('chain 1');
    expect(id).toBe((await lookup('chain z'))['id']);
    expect(duplicates).toHaveLength(4);
  });

  test('20,000 entities: a name of one of them wakes the message that waits for it', async () => {
    const sent = await createTransaction(tenant, { vaspInfo: { beneficiaryVaspName: 'bulk  NUMBER 77777' } });
    const record = await getTransaction(api.db, tenant.id, sent.id);
    await letPass(api.db.pool, [record.id]);
    await markUnroutedOrFind(api.db, record, new Date());
    const before = api.outbox.length;
    const rows = Array.from({ length: 20_000 }, (_, n) => `b${n * 5 + 2},Bulk Number ${n * 5 + 2},bank,DE`);
    expect(await send(csv('sourceId,name,type,countries', ...rows))).toMatchObject({
      status: 201,
      body: { created: 20_000 },
    });
    expect(api.outbox.slice(before)).toMatchObject([
      { workflow: 'transactionLifecycle', subjectId: sent.id },
    ]);
    const { body } = await tenant.get<Json[]>('/entities?q=77777');
    expect(body).toHaveLength(1);
  });

  test("a row of a tenant's entity is left out", async () => {
    const { id } = await lookup('resident exchange');
    const file = csv('id,name,type', `${String(id)},Captured,bank`);
    expect((await send(file)).body).toMatchObject({ total: 1, created: 0, updated: 0, unchanged: 1 });
  });
});

describe('400 csv_invalid: nothing is imported', () => {
  const head = 'sourceId,name,type,countries,masterSourceId,riskScore';
  test.each<[string, string | Buffer, Partial<Fault>[]]>([
    ['nothing', '', [{ row: null, code: 'empty' }]],
    ['a header alone', head, [{ row: null, code: 'empty' }]],
    ['an unknown column', csv('name,type,vasp', 'a,bank,x'), [{ row: 1, code: 'column_unknown' }]],
    ['a repeated column', csv('name,type,name', 'a,bank,x'), [{ row: 1, code: 'column_repeated' }]],
    ['a missing column', csv('name', 'a'), [{ row: 1, code: 'column_missing' }]],
    ['other bytes than UTF-8', Buffer.from([110, 97, 109, 101, 0xff, 0xfe]), [{ code: 'encoding_invalid' }]],
    ['quotes that do not match', csv(head, 'a,"b"c,bank,,,'), [{ row: 2, code: 'row_invalid' }]],
    [
      'a row that goes on and on',
      csv(head, `a,${'x'.repeat(70_000)},bank,,,`),
      [{ row: 2, code: 'row_invalid' }],
    ],
    ['a row with too few cells', csv(head, 'a,b'), [{ row: 2, code: 'column_count' }]],
    [
      'an unknown type, a malformed country and a wild score',
      csv(head, 'a,A,vasp,,,', 'b,B,bank,DE;Atlantis,,', 'c,C,bank,,,300'),
      [
        { row: 2, field: 'type' },
        { row: 3, field: 'countries' },
        { row: 4, field: 'riskScore' },
      ],
    ],
    [
      'a key twice',
      csv(head, 'k,A,bank,,,', 'k,B,bank,,,'),
      [{ row: 3, field: 'sourceId', code: 'duplicate' }],
    ],
    [
      'a name twice, without keys',
      csv('name,type', 'Same,bank', 'SAME,bank'),
      [{ row: 3, code: 'duplicate' }],
    ],
    [
      'an unknown master',
      csv(head, 'k,A,bank,,nobody,'),
      [{ row: 2, field: 'masterSourceId', code: 'unknown_entity' }],
    ],
    ['its own master', csv(head, 'k,A,bank,,k,'), [{ row: 2, code: 'master_cycle' }]],
    [
      'a circle of two',
      csv(head, 'p,P,bank,,q,', 'q,Q,bank,,p,'),
      [
        { row: 2, code: 'master_cycle' },
        { row: 3, code: 'master_cycle' },
      ],
    ],
    [
      'a circle of three',
      csv(head, 'p,P,bank,,q,', 'q,Q,bank,,r,', 'r,R,bank,,p,'),
      [
        { row: 2, code: 'master_cycle' },
        { row: 3, code: 'master_cycle' },
        { row: 4, code: 'master_cycle' },
      ],
    ],
    [
      'a name of a tenant',
      csv(head, 'k,resident EXCHANGE,bank,,,'),
      [{ row: 2, field: 'name', code: 'name_taken' }],
    ],
    ['NUL', csv(head, 'k,A\0B,bank,,,'), [{ row: 2, field: 'name', code: 'invalid_characters' }]],
    ['JSON that breaks off', '[{"name":"A","type":"bank"},{"name":', [{ row: 2, code: 'json_invalid' }]],
    ['JSON that is no list of objects', '[{"name":"A","type":"bank"},7]', [{ row: 2, code: 'json_invalid' }]],
    ['a wrong JSON type', '[{"name":7,"type":"bank"}]', [{ row: 1, field: 'name' }]],
    [
      'an unknown JSON field',
      '[{"name":"A","type":"bank","inNetwork":true}]',
      [{ row: 1, code: 'unknown_field' }],
    ],
  ])('%s', async (_name, file, faults) => {
    const before = await directory();
    const { status, body } = await send(file);
    expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'csv_invalid' });
    expect(body.errors).toMatchObject(faults);
    expect(await directory()).toEqual(before);
  });

  test('at most 1,000 faults are told, and none repeats what the file says', async () => {
    const rows = Array.from({ length: 1_500 }, (_, n) => `f${n},F${n},Jonas-Brandt,,,`);
    const { body } = await send(csv(head, ...rows));
    expect(body.errors).toHaveLength(1_000);
    expect(JSON.stringify(body)).not.toContain('Jonas');
  });
});

test('400 without a file, 401 for a tenant, 415 for JSON', async () => {
  const post = async (headers: Record<string, string>, body: string | FormData) =>
    (await fetch(`${api.url}/operator/entities/import`, { method: 'POST', headers, body })).status;
  const operator = { 'X-Operator-Key': api.operatorKey };
  expect([
    await post(operator, new FormData()),
    await post({ 'X-Api-Key': tenant.apiKey }, new FormData()),
    await post({ ...operator, 'Content-Type': 'application/json' }, '[]'),
  ]).toEqual([400, 401, 415]);
});
