import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { Json } from '../../api-client.ts';
import { createTransaction, letPass } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const ENTITIES = 20_000;

const { api, database } = useApi();

const tenant = useTenant(api, { name: 'Resident Exchange' });

async function ask<T = Json>(method: string, path: string, body?: unknown) {
  return await api.request<T>(method, `/operator/entities${path}`, { operatorKey: api.operatorKey, body });
}

async function add(name: string, fields: Json = {}): Promise<string> {
  const { status, body } = await ask('POST', '', { name, type: 'exchange', ...fields });
  expect([status, body['code']]).toEqual([201, undefined]);
  return String(body['id']);
}

const merge = async (id: string, masterId: string) => await ask('POST', `/${id}/merge`, { masterId });
const masterOf = async (id: string) => (await ask('GET', `/${id}`)).body['masterEntityId'];
const tenantEntity = async () =>
  (await tenant.get('/entities/lookup?name=resident%20exchange')).body['id'] as string;

describe('POST /operator/entities', () => {
  test('a risk is estimated from type and countries, or taken as it is given', async () => {
    const { body } = await ask('POST', '', { name: 'Est', type: 'exchange', countries: ['Iran'] });
    expect(body).toMatchObject({ riskScore: 90, riskSeverity: 'high', riskAssessedAt: null, sourceId: null });
    const given = {
      name: 'Giv',
      type: 'mixing_service',
      riskScore: 33,
      riskAssessedAt: '2026-01-02T03:04:05Z',
    };
    expect((await ask('POST', '', given)).body).toMatchObject({
      riskScore: 33,
      riskSeverity: 'low',
      riskAssessedAt: '2026-01-02T03:04:05.000Z',
    });
  });

  test.each([
    [{ type: 'exchange' }, '/name'],
    [{ name: ' ', type: 'exchange' }, '/name'],
    [{ name: 'X', type: 'vasp' }, '/type'],
    [{ name: 'X', type: 'bank', countries: ['DE', 'Atlantis'] }, '/countries/1'],
    [{ name: 'X', type: 'bank', aliases: ['ok', ''] }, '/aliases/1'],
    [{ name: 'X', type: 'bank', riskScore: 101 }, '/riskScore'],
    [{ name: 'X', type: 'bank', networks: ['NATIVE'] }, '/networks/0'],
    [{ name: 'X', type: 'bank', lei: '1' }, '/lei'],
    [{ name: 'X', type: 'bank', webpage: 'ftp://x' }, '/webpage'],
    [{ name: 'X', type: 'bank', source: 'BUNDLED' }, '/source'],
    [{ name: 'X', type: 'bank', inNetwork: true }, '/inNetwork'],
    [{ name: 'X', type: 'bank', masterEntityId: '0190d1a2-7b3c-7def-8123-456789abcdef' }, '/masterEntityId'],
  ])('400: %j at %s', async (body, pointer) => {
    expect(await ask('POST', '', body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test('409: a key that is taken, and a name or alias of a tenant', async () => {
    await add('Keyed', { source: 'ours', sourceId: '7' });
    expect(
      (await ask('POST', '', { name: 'Other', type: 'bank', source: 'ours', sourceId: '7' })).status,
    ).toBe(409);
    for (const body of [{ name: 'résident  EXCHANGE' }, { name: 'Free', aliases: ['Resident Exchange'] }]) {
      expect((await ask('POST', '', { type: 'bank', ...body })).body).toMatchObject({
        code: 'conflict',
        entityId: await tenantEntity(),
      });
    }
  });

  test('401 without the operator key', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', '/0190d1a2-7b3c-7def-8123-456789abcdef'],
      ['POST', '/0190d1a2-7b3c-7def-8123-456789abcdef/merge'],
      ['POST', '/import'],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      const answer = await api.request(method, `/operator/entities${path}`, { key: tenant.apiKey, body });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });
});

describe('PATCH /operator/entities/{id}', () => {
  test('a field sets, null clears, an absent field stays', async () => {
    const id = await add('Patchy', { email: 'tr@patchy.example', countries: ['DE'], aliases: ['P1'] });
    const patch = {
      legalName: 'Patchy AG',
      email: null,
      aliases: ['P2'],
      networks: ['TRP', 'PARTNER:Meridian'],
    };
    expect(await ask('PATCH', `/${id}`, patch)).toMatchObject({
      status: 200,
      body: { ...patch, name: 'Patchy', countries: ['DE'] },
    });
    const find = async (name: string) => (await tenant.get(`/entities/lookup?name=${name}`)).status;
    expect([await find('p1'), await find('p2')]).toEqual([404, 200]);
  });

  test('an assessment stands until it is taken back', async () => {
    const id = await add('Risky', { type: 'gambling' });
    const assess = async (patch: Json) => (await ask('PATCH', `/${id}`, patch)).body;
    expect(await assess({ riskSeverity: 'high' })).toMatchObject({
      riskScore: null,
      riskSeverity: 'high',
      riskAssessedAt: expect.any(String),
    });
    expect(await assess({ riskScore: 12 })).toMatchObject({ riskScore: 12, riskSeverity: 'low' });
    expect(await assess({ countries: ['KP'] })).toMatchObject({ riskScore: 12, riskSeverity: 'low' });
    expect(await assess({ riskScore: null, riskSeverity: null })).toMatchObject({
      riskScore: 90,
      riskSeverity: 'high',
      riskAssessedAt: null,
    });
  });

  test("a tenant's entity takes aliases, but its name belongs to the tenant", async () => {
    const id = await tenantEntity();
    expect(await ask('PATCH', `/${id}`, { aliases: ['Resi'], networks: ['TRP'] })).toMatchObject({
      status: 200,
      body: { aliases: ['Resi'], networks: ['NATIVE', 'TRP'] },
    });
    expect((await ask('PATCH', `/${id}`, { name: 'Mine' })).status).toBe(409);
    const other = await add('Neighbour');
    expect((await ask('PATCH', `/${other}`, { aliases: ['RESI'] })).status).toBe(409);
    // As a duplicate of the tenant it may have its names.
    expect((await merge(other, id)).status).toBe(200);
    expect((await ask('PATCH', `/${other}`, { aliases: ['RESI'] })).status).toBe(200);
    // Taking it apart again would leave the name with two.
    expect((await ask('PATCH', `/${other}`, { masterEntityId: null })).status).toBe(409);
  });

  test('400 for nothing to change, 404 for an entity that is not there', async () => {
    expect((await ask('PATCH', `/${await add('Still')}`, {})).status).toBe(400);
    expect((await ask('PATCH', '/0190d1a2-7b3c-7def-8123-456789abcdef', { type: 'bank' })).status).toBe(404);
  });
});

describe('POST /operator/entities/{id}/merge', () => {
  test('chains become one step, circles are 409, and a merge can be ended', async () => {
    const [a, b, c] = [await add('Ma'), await add('Mb'), await add('Mc')];
    expect((await merge(a, b)).status).toBe(200);
    expect((await merge(b, c)).status).toBe(200);
    expect([await masterOf(a), await masterOf(b)]).toEqual([c, c]);
    for (const [duplicate, master] of [
      [c, a],
      [c, b],
      [c, c],
      [a, a],
    ] as const) {
      expect((await merge(duplicate, master)).body).toMatchObject({ code: 'conflict' });
    }
    expect((await tenant.get('/entities/lookup?name=ma')).body['id']).toBe(c);
    expect((await ask('PATCH', `/${a}`, { masterEntityId: null })).body['masterEntityId']).toBeNull();
    expect((await tenant.get('/entities/lookup?name=ma')).body['id']).toBe(a);
  });

  test('of two merges that would close a circle together, one is refused', async () => {
    const [a, b] = [await add('Ra'), await add('Rb')];
    const answers = await Promise.all([merge(a, b), merge(b, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a tenant is nobody’s duplicate; an unknown master is 400', async () => {
    const id = await add('Mt');
    expect((await merge(await tenantEntity(), id)).status).toBe(409);
    expect(await merge(id, '0190d1a2-7b3c-7def-8123-456789abcdef')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/masterId' }] },
    });
    expect((await merge('0190d1a2-7b3c-7def-8123-456789abcdef', id)).status).toBe(404);
  });
});

describe('DELETE /operator/entities/{id}', () => {
  test('what nothing refers to goes; a tenant, a master and what somebody decided about stay', async () => {
    const [free, master, decided] = [await add('Da'), await add('Db'), await add('Dc')];
    await merge(await add('Db2'), master);
    await tenant.patch(`/counterparties/${decided}`, { policy: 'BLOCK' });
    expect((await ask('DELETE', `/${free}`)).status).toBe(204);
    expect((await ask('DELETE', `/${free}`)).status).toBe(404);
    for (const id of [master, decided, await tenantEntity()]) {
      expect((await ask('DELETE', `/${id}`)).status).toBe(409);
    }
  });
});

describe('a new tenant', () => {
  const post = async (body: Json) =>
    await api.request<{ tenant: Json } & Json>('POST', '/operator/tenants', {
      operatorKey: api.operatorKey,
      body,
    });

  test('whose name an entity has is 409, until it is said to be that entity', async () => {
    const id = await add('Joiner', { aliases: ['J1'], countries: ['FR'], email: 'tr@joiner.example' });
    expect((await post({ name: 'JOINER' })).body).toMatchObject({ code: 'conflict', entityId: id });
    expect((await post({ name: 'Joiner One', entityId: id, legalName: 'Joiner SA' })).status).toBe(201);
    expect((await tenant.get('/entities/lookup?name=joiner')).body).toMatchObject({
      id,
      name: 'Joiner One',
      legalName: 'Joiner SA',
      aliases: ['J1', 'Joiner'],
      countries: ['FR'],
      inNetwork: true,
      networks: ['NATIVE'],
    });
    expect((await post({ name: 'Joiner Two', entityId: id })).status).toBe(409);
    const unknown = await post({ name: 'Joiner Three', entityId: '0190d1a2-7b3c-7def-8123-456789abcdef' });
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '/entityId' }] } });
  });

  test('renamed, it is found by its new name only, and not by one that an entity has', async () => {
    const made = await post({ name: 'Before' });
    const rename = async (name: string) =>
      await api.request('PATCH', `/operator/tenants/${String(made.body.tenant['id'])}`, {
        operatorKey: api.operatorKey,
        body: { name },
      });
    await add('Occupied');
    expect((await rename('occupied')).status).toBe(409);
    expect((await rename('After')).status).toBe(200);
    const found = ['before', 'after', 'occupied'].map(
      async (name) => (await tenant.get(`/entities/lookup?name=${name}`)).body['inNetwork'],
    );
    expect(await Promise.all(found)).toEqual([undefined, true, false]);
  });
});

describe('POST /operator/entities/import', () => {
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

    test(`${ENTITIES} entities: a name of one of them wakes the message that waits for it`, async () => {
      const sent = await createTransaction(tenant, {
        vaspInfo: { beneficiaryVaspName: 'bulk  NUMBER 17777' },
      });
      const record = await getTransaction(api.db, tenant.id, sent.id);
      await letPass(api.db, record.id);
      await markUnroutedOrFind(api.db, record, new Date());
      const before = api.outbox.length;
      const rows = Array.from(
        { length: ENTITIES },
        (_, n) => `b${n * 5 + 2},Bulk Number ${n * 5 + 2},bank,DE`,
      );
      expect(await send(csv('sourceId,name,type,countries', ...rows))).toMatchObject({
        status: 201,
        body: { created: ENTITIES },
      });
      expect(api.outbox.slice(before)).toMatchObject([
        { workflow: 'transactionLifecycle', subjectId: sent.id },
      ]);
      const { body } = await tenant.get<Json[]>('/entities?q=17777');
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
      [
        'other bytes than UTF-8',
        Buffer.from([110, 97, 109, 101, 0xff, 0xfe]),
        [{ code: 'encoding_invalid' }],
      ],
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
      [
        'JSON that is no list of objects',
        '[{"name":"A","type":"bank"},7]',
        [{ row: 2, code: 'json_invalid' }],
      ],
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

  test.each(['', '; filename="a.csv"'])('400 for a part without a name%s', async (rest) => {
    const part = `--x\r\nContent-Disposition: form-data${rest}\r\n\r\nname\r\n--x--\r\n`;
    const answer = await fetch(`${api.url}/operator/entities/import`, {
      method: 'POST',
      headers: { 'X-Operator-Key': api.operatorKey, 'Content-Type': 'multipart/form-data; boundary=x' },
      body: part,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: '/', code: 'unknown_field' }] });
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
});
