import { randomBytes, randomUUID } from 'node:crypto';
import { endpoints } from '../../api/endpoints.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { apiKeyText } from '../../domain/tenants/api-key-text.ts';
import { KEY_ROLES, ROLES, type Role } from '../../domain/tenants/role.ts';
import type { Json } from '../api-client.ts';
import { ALL_TIME, decidedTransactions } from '../factories/backtests.ts';
import { evmFile, upload } from '../factories/csv.ts';
import { formOf, png } from '../factories/evidence.ts';
import { insertProposal } from '../factories/people.ts';
import { configurations } from '../factories/rules.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { WEBHOOK_URL, type Client, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress, evmHash } from '../factories/transaction.ts';
import { createUser } from '../factories/user.ts';
import { createClaim } from '../factories/claim.ts';
import { createVerification } from '../factories/verification.ts';
import { IS_FULL } from '../full.ts';
import { useApi, useTenant } from '../use-api.ts';

// Each endpoint is called without a valid key several times: more than one address may.
const { api, database } = useApi({ config: { RATE_LIMIT_ANONYMOUS: 0 } });
const owner = useTenant(api, { webhookUrl: WEBHOOK_URL });
const stranger = useTenant(api, { webhookUrl: WEBHOOK_URL });
beforeAll(async () => {
  await activateList(database.pool, 'OFAC_SDN', [listEntry('1', 'Grigori Yefimovich Rasputin')]);
  const builtin = { feature: 'aml_check', provider: 'builtin' };
  for (const tenant of [owner, stranger]) await tenant.put('/tenant/me/service-keys', builtin);
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const ofTenants = endpoints.filter((endpoint) => endpoint.auth === 'TENANT');
/** `/wallets` of `/wallets/{id}/…`. */
const collectionOf = ({ path }: Endpoint) => path.slice(0, path.indexOf('/{id}'));
/** Every tenant may read the directory. What it decides about an entity has a test of its own. */
const OF_THE_DEPLOYMENT = ['/entities'];
const withId = ofTenants.filter(
  (endpoint) => endpoint.path.includes('{id}') && !OF_THE_DEPLOYMENT.includes(collectionOf(endpoint)),
);

async function idOf(made: Promise<{ status: number; body: Json }>): Promise<string> {
  const { status, body } = await made;
  if (status >= 300) throw new Error(`not made: ${JSON.stringify(body)}`);
  return String(body['id']);
}

/** By verification: a file that was given for it. */
const fileIds = new Map<string, string>();

async function withSelfie(tenant: TestTenant): Promise<string> {
  const { id } = await createVerification(tenant, { additionalSteps: [{ kind: 'SELFIE' }] });
  const given = await fetch(`${api.url}/wallet-verification/${id}/additional-steps/SELFIE`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({}, [{ fileName: 'a.png', content: png() }]),
  });
  const { additionalSteps } = (await given.json()) as { additionalSteps: { documents: { id: string }[] }[] };
  fileIds.set(id, additionalSteps[0]?.documents[0]?.id ?? '');
  return id;
}

async function screen(tenant: TestTenant): Promise<string> {
  return await idOf(tenant.post('/sanctions/search', { name: 'Grigori Rasputin', aliases: [randomUUID()] }));
}

/** By rule configuration: a back-test of it, and a transaction that it has decided. */
const ofRules = new Map<string, { backtestId: string; transactionId: string }>();

async function withRules(tenant: TestTenant): Promise<string> {
  const { id } = (await configurations(tenant)).OUTGOING;
  const [transactionId = ''] = await decidedTransactions(api, tenant, ['1']);
  await tenant.post(`/rule-engine/${id}/publish`, { comment: 'x' });
  await tenant.delete(`/rule-engine/${id}/backtests/${ofRules.get(id)?.backtestId}`);
  const backtestId = await idOf(
    tenant.post(`/rule-engine/${id}/backtest`, { source: 'PUBLISHED', ...ALL_TIME }),
  );
  ofRules.set(id, { backtestId, transactionId });
  return id;
}

/** Makes a record that its own tenant could reach, for every collection whose records are reached by an id. */
const RECORDS: Record<string, (tenant: TestTenant) => Promise<string>> = {
  '/transactions': async (tenant) => (await createTransaction(tenant, { reference: randomUUID() })).id,
  '/claims': async (tenant) => (await createClaim(tenant)).id,
  '/wallets': async (tenant) =>
    await idOf(tenant.post('/wallets', { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum' })),
  '/wallet-verification': async (tenant) => await withSelfie(tenant),
  '/wallets/imports': async (tenant) => {
    await upload(tenant, evmFile(1));
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from wallet_imports where tenant_id = $1',
      [tenant.id],
    );
    return rows[0]?.id ?? '';
  },
  '/kyw/history': async (tenant) => await idOf(tenant.get(`/kyw/Ethereum/${evmAddress()}`)),
  '/sanctions/history': screen,
  '/sanctions/suppressions': async (tenant) => {
    const match = { screeningId: await screen(tenant), listCode: 'OFAC_SDN', listingId: '1' };
    return await idOf(tenant.post('/sanctions/suppressions', match));
  },
  '/rule-engine': async (tenant) => await withRules(tenant),
  '/tenant/me/api-keys': async (tenant) => await idOf(tenant.post('/tenant/me/api-keys', {})),
  '/tenant/me/webhook-deliveries': async (tenant) => await idOf(tenant.post('/tenant/me/webhook/test')),
  '/aml/search/history': async (tenant) =>
    await idOf(tenant.get(`/aml/analysis/Ethereum/wallet/${evmAddress()}`)),
  '/users': async (tenant) => (await createUser(api, tenant)).user.id,
  '/exports': async (tenant) => {
    await database.pool.query(`update exports set state = 'FAILED', wake_at = null where tenant_id = $1`, [
      tenant.id,
    ]);
    return await idOf(tenant.post('/exports', { resource: 'transactions', format: 'CSV', purpose: 'x' }));
  },
  '/tenant/me/brakes': async (tenant) => {
    const id = await idOf(tenant.post('/tenant/me/brakes', { kind: 'WEBHOOKS', reason: 'x' }));
    await tenant.post(`/tenant/me/brakes/${id}/release`);
    return id;
  },
  '/proposals': async (tenant) => await insertProposal(api, tenant.id),
  '/tenant/me/archive': async (tenant) => {
    const { id } = await createTransaction(tenant);
    await tenant.delete(`/transactions/${id}`);
    return id;
  },
};
/** Bodies and queries of calls that would be 400 without; everything else is called with none. */
const BODIES: Record<string, Json> = {
  'PATCH /transactions/{id}': { metadata: 'stolen' },
  'PUT /transactions/{id}/legal-hold': { hold: true, reason: 'stolen' },
  'POST /transactions/{id}/repair': { fields: ['originator.name'] },
  'POST /transactions/{id}/review': { decision: 'BLOCK', reason: 'stolen' },
  'POST /transactions/{id}/proceed': { reason: 'stolen' },
  'POST /transactions/{id}/assets-disposition': { assetsDisposition: 'CREDITED' },
  'POST /transactions/{id}/claim': {},
  'PATCH /claims/{id}': { status: 'CANCELLED' },
  'POST /claims/{id}/answer': { originator: { name: 'Stolen' } },
  'PATCH /wallets/{id}': { status: 'UNCONFIRMED' },
  'PATCH /rule-engine/{id}/draft': { rules: [], revision: 1 },
  'POST /rule-engine/{id}/simulate': { source: 'DRAFT', input: {} },
  'POST /rule-engine/{id}/publish': { comment: 'stolen' },
  'POST /rule-engine/{id}/restore': { version: 1 },
  'POST /rule-engine/{id}/backtest': { source: 'DRAFT', ...ALL_TIME },
  'PATCH /users/{id}': { name: 'stolen' },
  'PATCH /tenant/me/api-keys/{id}': { allowedIps: ['203.0.113.7'] },
  'PATCH /wallet-verification/{id}': { metadata: 'stolen' },
  'POST /wallet-verification/{id}/verification': { verificationFlow: 'SELF_DECLARED' },
  'POST /wallet-verification/{id}/revoke': { reason: 'stolen' },
  'PATCH /wallet-verification/{id}/additional-steps/{kind}': { status: 'VERIFIED' },
};
const QUERIES: Record<string, string> = {
  'GET /tenant/me/archive/{id}': '?reason=curious',
  'GET /aml/search': '?q=0x00000000219ab540356cbb839cbe05303d7705fa',
};

async function call(endpoint: Endpoint, id: string, headers: Record<string, string>, client = {}) {
  const fileId = fileIds.get(id) ?? id;
  const { backtestId = id, transactionId = id } = ofRules.get(id) ?? {};
  const rules = { version: 1, name: 'conservative', backtestId };
  const parts: Json = { id, kind: 'SELFIE', fileId, documentId: fileId, ...rules };
  const filled = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parts[name]));
  const path = filled + (QUERIES[nameOf(endpoint)] ?? '');
  const body = nameOf(endpoint).endsWith('/replay') ? { transactionId } : BODIES[nameOf(endpoint)];
  return await api.request(endpoint.method, path, { headers, ...client, ...(body && { body }) });
}

/** Everything that is stored, but for what changes by being asked. */
async function everything(): Promise<unknown> {
  const tables = [
    'transactions',
    'claims',
    'verifications',
    'verification_files',
    'selfie_analyses',
    'events',
    'feed_entries',
    'message_pairs',
    'wallets',
    'wallet_imports',
    'rule_configurations',
    'rule_versions',
    'rule_decisions',
    'rule_backtests',
    'brakes',
    'exports',
    'webhook_deliveries',
    'service_keys',
    'aml_checks',
    'outbox',
    'tenants',
    'idempotency_keys',
    'entities',
    'counterparties',
    'transaction_screenings',
    'wallet_checks',
    'labels',
    'screenings',
    'screening_suppressions',
    'users',
    'user_sessions',
    'user_links',
    'user_addresses',
    'mails',
    'branding_files',
    'proposals',
    'monthly_reports',
  ];
  const parts = tables.map(
    (table) => `(select md5(string_agg(t::text, ',' order by t::text)) from ${table} t) as ${table}`,
  );
  parts.push(
    `(select md5(string_agg(concat(id, revoked_at, role, allowed_ips), ',' order by id)) from api_keys) as api_keys`,
  );
  return (await database.pool.query<Json>(`select ${parts.join(', ')}`)).rows[0];
}

describe("another tenant's record", () => {
  test('there is a way to make one for every path with an id', () => {
    expect(withId.map(collectionOf).filter((collection) => !RECORDS[collection])).toEqual([]);
  });

  test.each(withId.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s: 404 in the very words for a record that does not exist, and nothing changes',
    async (_name, endpoint) => {
      const collection = collectionOf(endpoint);
      const foreign = (await RECORDS[collection]?.(owner)) ?? '';
      const unknown = /^\d+$/.test(foreign) ? '999999999' : '0190d1a2-7b3c-7def-8123-456789abcdef';
      const before = await everything();
      const headers = { 'X-Request-Id': 'same' };
      const answers = [
        await call(endpoint, foreign, headers, { key: stranger.apiKey }),
        await call(endpoint, unknown, headers, { key: stranger.apiKey }),
      ];
      expect(answers[0]).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(answers[0]?.body).toEqual(answers[1]?.body);
      const names = answers.map((answer) =>
        [...answer.headers.keys()].filter((name) => name !== 'ratelimit'),
      );
      expect(names[0]).toEqual(names[1]);
      expect(await everything()).toEqual(before);
      // Otherwise the 404 would say nothing: the owner does reach it.
      expect((await call(endpoint, foreign, headers, { key: owner.apiKey })).status).not.toBe(404);
    },
  );

  test.each(
    ofTenants
      .filter(({ method, path }) => method === 'GET' && !path.includes('{') && path !== '/entities/lookup')
      .map((endpoint) => [endpoint.path]),
  )('GET %s shows nothing of it', async (path) => {
    const destination = evmAddress();
    const { id } = await createTransaction(owner, {
      blockchainInfo: { destination },
      originator: { name: 'Xenophilius' },
    });
    // Nobody but a user is somebody there.
    const asking = path === '/users/me' ? await createUser(api, stranger) : stranger;
    const answer = await asking.get<unknown>(path + (QUERIES[`GET ${path}`] ?? ''));
    expect(answer.status).toBe(200);
    // The register is a file: its own test shows that a stranger's is empty.
    const text = JSON.stringify(answer.body) ?? '';
    for (const secret of [
      id,
      destination,
      'Xenophilius',
      owner.id,
      // Tenants find each other by their names.
      ...(path === '/entities' ? [] : [owner.name]),
      owner.apiKey,
      owner.apiKeyId,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('is not told apart from none by its reference, hash or idempotency key', async () => {
    const [reference, transactionHash] = [randomUUID(), evmHash()];
    const headers = { 'Idempotency-Key': reference };
    const body = {
      asset: 'ETH',
      amount: '1',
      reference,
      blockchainInfo: { destination: evmAddress(), destinationType: 'CUSTODIAL', transactionHash },
    };
    expect((await owner.post('/transactions', body, { headers })).status).toBe(201);
    const answer = await stranger.post('/transactions', { ...body, amount: '2' }, { headers });
    expect(answer).toMatchObject({ status: 201, body: { amount: 2 } });
    expect((await stranger.get<Json[]>(`/transactions?_reference=${reference}`)).body).toHaveLength(1);
  });
});

describe('401', () => {
  async function wrongKeys(): Promise<[name: string, key: string | undefined, code: string][]> {
    const make = async (body: Json) =>
      (await owner.post<{ id: string; apiKey: string }>('/tenant/me/api-keys', body)).body;
    const [revoked, expired] = [await make({}), await make({})];
    await owner.delete(`/tenant/me/api-keys/${revoked.id}`);
    await database.pool.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
      expired.id,
    ]);
    return [
      ['none', undefined, 'unauthenticated'],
      ['garbage', 'garbage', 'unauthenticated'],
      [
        'a well-formed key that was never given out',
        apiKeyText('sandbox', randomBytes(64)),
        'unauthenticated',
      ],
      [
        'a key with a typing error',
        `${owner.apiKey.slice(0, -1)}${owner.apiKey.endsWith('0') ? '1' : '0'}`,
        'unauthenticated',
      ],
      ['a key of the other environment', apiKeyText('production', randomBytes(64)), 'wrong_environment'],
      ['the operator key', api.operatorKey, 'unauthenticated'],
      ['a revoked key', revoked.apiKey, 'key_revoked'],
      ['an expired key', expired.apiKey, 'key_expired'],
    ];
  }

  test.each(ofTenants.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s lets nobody in without a valid key, whatever else is wrong with the call',
    async (_name, endpoint) => {
      const keys = await wrongKeys();
      const before = await everything();
      for (const [what, key, code] of keys) {
        const path = `${endpoint.path.replaceAll(/\{\w+\}/g, '0190d1a2-7b3c-7def-8123-456789abcdef')}?no=such`;
        const answer = await api.request(endpoint.method, path, key === undefined ? {} : { key });
        expect({ what, status: answer.status, code: answer.body['code'] }).toEqual({
          what,
          status: 401,
          code,
        });
        expect(answer.headers.get('WWW-Authenticate')).toBe('ApiKey, Bearer');
      }
      expect(await everything()).toEqual(before);
    },
  );

  test('an operator path takes no key of a tenant', async () => {
    for (const endpoint of endpoints.filter(({ auth }) => auth === 'OPERATOR')) {
      const path = endpoint.path.replaceAll(/\{\w+\}/g, owner.id);
      for (const options of [{}, { key: owner.apiKey }, { operatorKey: owner.apiKey }]) {
        expect([nameOf(endpoint), (await api.request(endpoint.method, path, options)).status]).toEqual([
          nameOf(endpoint),
          401,
        ]);
      }
    }
  });

  test('nothing else is open to everybody', () => {
    expect(endpoints.filter(({ auth }) => auth === 'NONE').map(nameOf)).toEqual([
      'GET /files/{token}',
      'GET /wallet/verification',
      'GET /wallet/verification/branding/{kind}',
      'POST /wallet/verification/message',
      'POST /wallet/verification/proof',
      'POST /wallet/verification/additional-steps/{kind}',
      'GET /portal/link',
      'POST /portal/code',
      'POST /portal/session',
      'POST /portal/new-link',
      'GET /portal/message',
      'PATCH /portal/message',
      'POST /portal/message/repair',
      'GET /portal/claim',
      'PATCH /portal/claim',
      'POST /portal/claim/answer',
      'POST /auth/signin',
      'GET /auth/refresh',
      'GET /auth/logout',
      'POST /auth/session',
      'DELETE /auth/session',
      'POST /auth/password-reset',
      'POST /auth/password',
      'GET /reports/{token}',
      'GET /export-files/{token}',
      'POST /trp/inquiries/{token}',
      'POST /trp/resolutions/{token}',
      'POST /trp/confirmations/{token}',
      'GET /identity',
      'GET /version',
      'GET /extensions',
      'GET /uptime',
      'GET /health/live',
      'GET /health/ready',
      'GET /metrics',
    ]);
  });
});

/** Where people work who handle transfers; everything else is for administrators unless it is named below. */
const WORK =
  /^\/(transactions|claims|wallets|wallet-verification|rule-engine|aml|kyw|sanctions|entities|counterparties|events|blockchains|sandbox|proposals|work-items|reconciliation)(\/|$)/;
/** Parts of the administration that everybody may read, and that whoever handles transfers may use. */
const READABLE = /^\/tenant\/me(\/settings|\/statistics|\/reports.*|\/webhook-deliveries.*|\/brakes)?$/;
const USABLE = /^\/tenant\/me\/(webhook-deliveries\/.*redeliver|reports\/\{ym\})$/;

/** Copies of what people gave, the evidence, and who works here: for those who answer for it, and for an auditor. */
const EXPORTED =
  /^(\/transactions\/\{id\}\/evidence|\/counterparties\/report|\/wallet-verification\/.*(\/files|\/url)|\/tenant\/me\/(seals|audit-log|reports\/.*)|\/users)$/;

/** What may cost a credit is more than reading. */
const PAID = /^\/aml\/(analysis\/\{blockchain\}\/\w+\/\{\w+\}|search\/history\/\{id\})$/;

/** Whoever has it can write to the tenant, so handing it out is a decision. */
const TRAVEL_ADDRESS = '/wallets/{id}/travel-address';

function mayCall(role: Role, { method, path }: Endpoint): boolean {
  // Everybody may read and change what is their own.
  if (role === 'ADMIN' || path.startsWith('/users/me')) return true;
  if (path.startsWith('/exports')) return role !== 'OBSERVER';
  const decides = role === 'COMPLIANCE';
  if (method !== 'GET') return decides && (WORK.test(path) || USABLE.test(path));
  if (EXPORTED.test(path)) return role !== 'OBSERVER';
  if (PAID.test(path) || path === TRAVEL_ADDRESS) return decides;
  return WORK.test(path) || READABLE.test(path);
}

describe('403: each role reaches what is meant for it, and nothing that is new by itself', () => {
  const clients = new Map<Role, Client[]>();
  beforeAll(async () => {
    for (const role of ROLES) clients.set(role, [await createUser(api, stranger, role)]);
    for (const role of KEY_ROLES) clients.get(role)?.push(await stranger.as(role));
  });

  const cases = ofTenants.flatMap((endpoint, index) =>
    ROLES.map((role, at) => [role, nameOf(endpoint), endpoint, index + at] as const),
  );
  test.each(cases)('%s %s', async (role, _name, endpoint, turn) => {
    const all = clients.get(role) ?? [];
    const method = endpoint.method.toLowerCase() as keyof Client;
    // A record that does not exist and a parameter that does not either: nobody gets far enough to change something.
    const path = `${endpoint.path.replaceAll(/\{\w+\}/g, '0190d1a2-7b3c-7def-8123-456789abcdef')}?no=such`;
    // In the quick run a user or a key, in turn.
    for (const client of all.filter((_, index) => IS_FULL || index === turn % all.length)) {
      const answer = await client[method](path);
      const isIn = answer.status === 400 || answer.status === 404;
      expect([answer.status, isIn]).toEqual(mayCall(role, endpoint) ? [answer.status, true] : [403, false]);
      if (!isIn) expect(answer.body).toMatchObject({ code: 'forbidden' });
    }
  });
});
