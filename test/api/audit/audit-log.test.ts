import pg from 'pg';
import {
  listAuditLog,
  matchingOperatorEntries,
  matchingTenantEntries,
} from '../../../db/audit/list-audit-log.ts';
import { sealingContext } from '../../../db/vault/contexts.ts';
import { pageStatements } from '../../../db/page.ts';
import {
  ListAuditLogQuery,
  ListOperatorAuditLogQuery,
  type AuditEntry,
} from '../../../domain/audit/schema.ts';
import type { MailContent } from '../../../domain/mails/mail.ts';
import type { Json } from '../../api-client.ts';
import { auditLog, chainAll, nextHour } from '../../factories/audit.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const signIn = async (email: string, password: string) =>
  await api.request('POST', '/auth/signin', { body: { email, password } });
const operatorLog = async (query = '') =>
  (await api.request<AuditEntry[]>('GET', `/operator/audit-log${query}`, { operatorKey: api.operatorKey }))
    .body;

/** The statements about audit logs that run while something is done. */
async function auditStatements(work: () => Promise<unknown>): Promise<string[]> {
  const watch = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const texts = watch.mock.calls.map(([given]) =>
      typeof given === 'string' ? given : String(Reflect.get(given, 'text')),
    );
    return texts.filter((text) => text.includes('audit_'));
  } finally {
    watch.mockRestore();
  }
}

describe('requests of users', () => {
  test('each is one entry and one statement: who, what, how many, from where', async () => {
    const { id } = await createTransaction(tenant);
    const user = await createUser(api, tenant, 'COMPLIANCE', { name: 'Vera Amstutz' });
    const statements = await auditStatements(async () => {
      const headers = { 'X-Request-Id': 'question-17' };
      await user.get('/transactions?_status=PENDING&q=Keller&_reference=Keller-1', { headers });
    });
    expect(statements).toHaveLength(1);
    await user.get(`/transactions/${id}`);
    await user.patch(`/transactions/${id}`, { metadata: 'x' });
    const [changed, read, listed] = await auditLog(tenant, '?_actor=USER');
    expect(listed).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      tenantId: tenant.id,
      operation: 'listTransactions',
      actor: 'USER',
      userId: user.user.id,
      user: { id: user.user.id, name: 'Vera Amstutz', email: user.email },
      apiKeyId: null,
      operator: null,
      status: 200,
      code: null,
      recordId: null,
      items: 0,
      parameters: { _status: 'PENDING', q: null, _reference: null },
      address: expect.stringMatching(/127\.0\.0\.1/),
      requestId: 'question-17',
      hour: null,
      requests: 1,
    });
    expect(read).toMatchObject({ operation: 'getTransaction', recordId: id, items: null });
    expect(changed).toMatchObject({ operation: 'patchTransaction', recordId: id, status: 200 });
  });

  test('what open pages ask for every few seconds is an entry for the first time in an hour, and when it is refused', async () => {
    const user = await createUser(api, tenant, 'COMPLIANCE');
    const other = await createUser(api, tenant, 'COMPLIANCE');
    for (const path of [
      '/work-items',
      '/events',
      '/events?_after=latest',
      '/work-items',
      '/events?_after=gone',
    ])
      await user.get(path);
    await other.get('/work-items');
    const entriesOf = async (id: string) =>
      (await auditLog(tenant, `?_userId=${id}&_sort=createdAt`)).map(({ operation, status }) => [
        operation,
        status,
      ]);
    expect(await entriesOf(user.user.id)).toEqual([
      ['listWorkItems', 200],
      ['listChanges', 200],
      ['listChanges', 400],
    ]);
    expect(await entriesOf(other.user.id)).toEqual([['listWorkItems', 200]]);
  });

  test('refusals are entries too, of a role, a foreign record and a body; what was not understood is left out', async () => {
    const user = await createUser(api, tenant, 'OBSERVER');
    const foreign = await createTransaction(await createTenant(api));
    await user.get('/tenant/me/api-keys');
    await user.get(`/transactions/${foreign.id}`);
    await user.get('/transactions?Anna=Keller');
    await user.get('/transactions/Anna%20Keller');
    const entries = await auditLog(tenant, `?_userId=${user.user.id}&_sort=createdAt`);
    expect(
      entries.map(({ operation, status, code, recordId, parameters }) => [
        operation,
        status,
        code,
        recordId,
        parameters,
      ]),
    ).toEqual([
      ['listApiKeys', 403, 'forbidden', null, {}],
      ['getTransaction', 404, 'not_found', foreign.id, {}],
      ['listTransactions', 400, 'validation_failed', null, {}],
      ['getTransaction', 404, 'not_found', null, {}],
    ]);
  });

  test('choices in bodies are kept, and texts are not', async () => {
    const admin = await createUser(api, tenant);
    const { id } = await createTransaction(tenant);
    const dossier = {
      resource: 'dossier',
      format: 'JSON',
      filter: { customerIdentification: 'Keller-17' },
      purpose: 'DATA_SUBJECT',
    };
    const wallets = { resource: 'wallets', format: 'CSV', purpose: 'Those of Anna Keller.' };
    const brake = { kind: 'WEBHOOKS', reason: 'Anna Keller asked.' };
    const hold = { hold: true, reason: 'Keller against Keller' };
    const answers = [
      await admin.post<Json>('/exports', dossier),
      await admin.post<Json>('/exports', wallets),
      await admin.post<Json>('/tenant/me/brakes', brake),
      await admin.put<Json>(`/transactions/${id}/legal-hold`, hold),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 201, 200]);
    const entries = await auditLog(tenant, `?_userId=${admin.user.id}&_sort=createdAt`);
    expect(entries.map(({ operation, parameters }) => [operation, parameters])).toEqual([
      ['createExport', { resource: 'dossier', format: 'JSON', purpose: 'DATA_SUBJECT' }],
      ['createExport', { resource: 'wallets', format: 'CSV', purpose: null }],
      ['setBrake', { kind: 'WEBHOOKS', counterpartyEntityId: null, reason: null }],
      ['setLegalHold', { hold: 'true', reason: null }],
    ]);
    expect(JSON.stringify(entries)).not.toContain('Keller');
  });

  test('a repeat under an Idempotency-Key is an entry of its own, a kept refusal as well', async () => {
    const admin = await createUser(api, tenant);
    const headers = { 'Idempotency-Key': 'one' };
    for (const name of ['a', 'a']) await admin.post('/tenant/me/api-keys', { name }, { headers });
    for (const _ of [1, 2])
      await admin.post('/tenant/me/api-keys', { role: 'KING' }, { headers: { 'Idempotency-Key': 'two' } });
    const entries = await auditLog(
      tenant,
      `?_userId=${admin.user.id}&_operation=createApiKey&_sort=createdAt`,
    );
    expect(entries.map(({ status, code }) => [status, code])).toEqual([
      [200, null],
      [200, null],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
    ]);
    expect(entries[0]?.recordId).toBe(entries[1]?.recordId);
  });
});

describe('requests of API keys', () => {
  test('POST /transactions costs no statement of the audit log', async () => {
    const statements = await auditStatements(async () => {
      for (const _ of [1, 2, 3]) await createTransaction(tenant);
      await tenant.get('/transactions');
    });
    expect(statements).toEqual([]);
  });

  test('reads are counted per operation and hour, over all processes, and become entries when the hour is over', async () => {
    for (const _ of [1, 2, 3]) await tenant.get('/transactions?q=Keller');
    await tenant.get('/wallets');
    await tenant.get('/transactions/Anna%20Keller');
    await api.deps.audit.close();
    await tenant.get('/transactions');
    await api.deps.audit.close();
    await chainAll(api);
    expect(await auditLog(tenant, '?_operation=listTransactions,listWallets')).toEqual([]);
    await chainAll(api, nextHour());
    const entries = await auditLog(tenant, '?_operation=listTransactions,listWallets,getTransaction');
    const shown = entries.map(({ operation, requests, apiKeyId, address, status }) => ({
      operation,
      requests,
      apiKeyId,
      address,
      status,
    }));
    const common = { apiKeyId: tenant.apiKeyId, address: null, status: null };
    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual({ ...common, operation: 'listTransactions', requests: 4 });
    expect(shown).toContainEqual({ ...common, operation: 'listWallets', requests: 1 });
    expect(Date.parse(entries[0]?.hour ?? '') % 3_600_000).toBe(0);
    await chainAll(api, nextHour());
    expect(await auditLog(tenant, '?_operation=listTransactions')).toHaveLength(1);
  });

  test('counts that cannot be stored are stored with the next ones', async () => {
    await database.pool.query('alter table audit_counts rename to away');
    await tenant.get('/wallets');
    await api.deps.audit.close();
    await database.pool.query('alter table away rename to audit_counts');
    await tenant.get('/wallets');
    await api.deps.audit.close();
    await chainAll(api, nextHour());
    expect((await auditLog(tenant, '?_operation=listWallets')).map(({ requests }) => requests)).toEqual([2]);
  });

  test('keys, settings, users and copies are entries one by one', async () => {
    await tenant.get('/tenant/me/api-keys');
    const { body: key } = await tenant.post('/tenant/me/api-keys', {});
    await tenant.patch('/tenant/me/settings', { sealWebhook: true });
    const { user } = await createUser(api, tenant);
    await tenant.patch(`/users/${user.id}`, { role: 'OBSERVER' });
    await tenant.get('/users');
    const { id } = await createTransaction(tenant);
    await tenant.delete(`/transactions/${id}`);
    await tenant.get(`/tenant/me/archive/${id}?reason=Anna`);
    const entries = await auditLog(tenant, '?_actor=API_KEY&_sort=createdAt');
    expect(entries.map(({ operation, recordId, items }) => [operation, recordId, items])).toEqual([
      ['listApiKeys', null, 1],
      ['createApiKey', key['id'], null],
      ['patchTenantSettings', null, null],
      ['createUser', user.id, null],
      ['patchUser', user.id, null],
      ['listUsers', null, 1],
      ['getArchivedTransaction', id, null],
    ]);
    expect(entries.at(-1)?.parameters).toEqual({ reason: null });
  });
});

/** While nothing can be added to the log. */
async function withoutLog(work: () => Promise<unknown>): Promise<void> {
  await database.pool.query('alter table audit_entries add constraint is_full check (false) not valid');
  try {
    await work();
  } finally {
    await database.pool.query('alter table audit_entries drop constraint is_full');
  }
}

describe('when the log cannot be written', () => {
  test('nothing sensitive is read out or done: 503; what is only counted goes on', async () => {
    const user = await createUser(api, tenant);
    await withoutLog(async () => {
      for (const client of [tenant, user]) {
        const read = await client.get('/tenant/me/api-keys');
        expect([read.status, read.body['code']]).toEqual([503, 'temporarily_unavailable']);
        expect(JSON.stringify(read.body)).not.toContain(tenant.apiKey);
        expect((await client.post('/tenant/me/api-keys', {})).status).toBe(503);
      }
      expect((await user.get('/transactions')).status).toBe(503);
      expect((await tenant.get('/transactions')).status).toBe(200);
      expect((await tenant.get('/transactions?Anna=1')).status).toBe(400);
      expect((await user.get('/transactions?Anna=1')).status).toBe(400);
      expect((await signIn(user.email, PASSWORD)).status).toBe(503);
      // Else it would tell which accounts there are.
      expect((await signIn(user.email, 'not the right one')).status).toBe(401);
      expect((await signIn('nobody@alpine.example', 'not the right one')).status).toBe(401);
      const made = await api.request('POST', '/operator/tenants', {
        operatorKey: api.operatorKey,
        body: { name: 'Never Made' },
      });
      expect(made.status).toBe(503);
    });
    expect((await tenant.get<Json[]>('/tenant/me/api-keys')).body).toHaveLength(1);
    expect((await database.pool.query(`select from tenants where name = 'Never Made'`)).rowCount).toBe(0);
    expect(
      (await database.pool.query('select from user_sessions where user_id = $1', [user.user.id])).rowCount,
    ).toBe(1);
  });
});

describe('coming in', () => {
  test('right, wrong and locked sign-ins; of accounts that do not exist in the log of the deployment, counted', async () => {
    const { email, user } = await createUser(api, tenant);
    await signIn(email, PASSWORD);
    await signIn(email, 'guess-Guess-1');
    await signIn(`no-${email}`, 'guess-Guess-1');
    for (const _ of [1, 2, 3, 4, 5]) await signIn(email, 'guess-Guess-1');
    await api.deps.audit.close();
    await chainAll(api, nextHour());
    const entries = await auditLog(tenant, '?_operation=signIn&_sort=createdAt');
    const [right, wrong, ...more] = entries;
    expect(right).toMatchObject({
      actor: 'USER',
      userId: user.id,
      user: { email },
      status: 201,
      recordId: null,
    });
    expect(wrong).toMatchObject({
      actor: 'UNKNOWN',
      userId: null,
      recordId: user.id,
      status: 401,
      code: 'unauthenticated',
    });
    expect(wrong?.address).toMatch(/127\.0\.0\.1/);
    expect(more.slice(0, 3).map(({ code }) => code)).toEqual([
      'unauthenticated',
      'unauthenticated',
      'unauthenticated',
    ]);
    expect(more.at(-1)).toMatchObject({
      actor: 'UNKNOWN',
      recordId: user.id,
      code: 'rate_limited',
      requests: 2,
      address: null,
    });
    const [unknown] = await operatorLog('?_operation=signIn');
    expect(unknown).toMatchObject({
      tenantId: null,
      actor: 'UNKNOWN',
      recordId: null,
      code: 'unauthenticated',
    });
    expect(unknown?.requests).toBeGreaterThanOrEqual(1);
  });

  test('refreshing, an old token that ends the session, signing out', async () => {
    const { refreshToken, accessToken, user } = await createUser(api, tenant);
    const headers = { Authorization: `Bearer ${refreshToken}` };
    const next = await api.request<{ accessToken: string }>('GET', '/auth/refresh', { headers });
    expect(next.status).toBe(200);
    await database.pool.query(`update user_sessions set refreshed_at = refreshed_at - interval '1 minute'`);
    for (const _ of [1, 2]) expect((await api.request('GET', '/auth/refresh', { headers })).status).toBe(401);
    await api.request('GET', '/auth/logout', { headers: { Authorization: `Bearer ${accessToken}` } });
    await api.deps.audit.close();
    await chainAll(api, nextHour());
    const entries = await auditLog(tenant, '?_operation=refreshTokens,logOut&_sort=createdAt');
    expect(entries.map(({ operation, actor, code, recordId }) => [operation, actor, code, recordId])).toEqual(
      [
        ['refreshTokens', 'USER', null, null],
        ['refreshTokens', 'UNKNOWN', 'unauthenticated', user.id],
        ['logOut', 'USER', null, null],
        ['refreshTokens', 'UNKNOWN', 'unauthenticated', user.id],
      ],
    );
    expect(entries[3]).toMatchObject({ hour: expect.any(String), address: null });
  });

  test('a new password that is asked for, and set by its link', async () => {
    const { email, user } = await createUser(api, tenant);
    await api.request('POST', '/auth/password-reset', { body: { email } });
    const { rows } = await database.pool.query<{ id: string; content: Buffer }>(
      'select id, content from mails where tenant_id = $1',
      [tenant.id],
    );
    const [{ id, content } = { id: '', content: Buffer.alloc(0) }] = rows;
    const keys = await api.db.vault.tenantKeys(tenant.id);
    const { text } = keys.open<MailContent>(sealingContext.mail.content(tenant.id, id), content);
    const token = /\/password#([\w-]{43})/.exec(text)?.[1];
    const set = await api.request('POST', '/auth/password', {
      body: { token, password: 'granite-Lantern-52-quay' },
    });
    expect(set.status).toBe(201);
    const entries = await auditLog(tenant, '?_operation=requestPasswordReset,setPassword&_sort=createdAt');
    expect(entries).toMatchObject([
      { operation: 'requestPasswordReset', actor: 'UNKNOWN', recordId: user.id, status: 202 },
      { operation: 'setPassword', actor: 'USER', userId: user.id, status: 201 },
    ]);
  });
});

describe('acts of operators', () => {
  const asOperator = async (method: string, path: string, body?: Json) =>
    await api.request(method, path, { operatorKey: api.operatorKey, ...(body && { body }) });

  test('what touches a tenant is in its log, without the address of the operator; all of it is in theirs', async () => {
    await asOperator('PATCH', `/operator/tenants/${tenant.id}`, { rateLimits: { writes: 600 } });
    const { id } = await createTransaction(tenant);
    await tenant.delete(`/transactions/${id}`);
    await asOperator('GET', `/operator/transactions/${id}/events`);
    const common = {
      actor: 'OPERATOR',
      operator: 'operator',
      tenantId: tenant.id,
      userId: null,
      apiKeyId: null,
    };
    const expected = [
      { ...common, operation: 'createTenant', status: 201, recordId: tenant.id },
      { ...common, operation: 'patchTenantAsOperator', status: 200, recordId: tenant.id },
      { ...common, operation: 'listTransactionEventsAsOperator', recordId: id, items: 2 },
    ];
    const own = await auditLog(tenant, '?_actor=OPERATOR&_sort=createdAt');
    expect(own).toMatchObject(expected);
    expect(own.map(({ address, requestId }) => [address, requestId])).toEqual(
      expected.map(() => [null, null]),
    );
    const theirs = await operatorLog(`?_tenantId=${tenant.id}&_sort=createdAt&_operator=operator`);
    expect(theirs).toMatchObject(expected);
    for (const { address } of theirs) expect(address).toMatch(/127\.0\.0\.1/);
  });

  test('the tenant of a user or a key that an operator ended finds it, with the user or key as record', async () => {
    const user = await createUser(api, tenant);
    const { body: made } = await asOperator('POST', `/operator/tenants/${tenant.id}/api-keys`, {});
    await asOperator('DELETE', `/operator/tenants/${tenant.id}/api-keys/${String(made['id'])}`);
    await asOperator('POST', '/operator/users/released-addresses', { email: user.email });
    const own = await auditLog(tenant, '?_actor=OPERATOR&_sort=createdAt');
    expect(own.slice(1)).toMatchObject([
      { operation: 'createApiKeyAsOperator', recordId: made['id'] },
      { operation: 'revokeApiKeyAsOperator', recordId: made['id'] },
      { operation: 'releaseEmailAddress', recordId: user.user.id },
    ]);
  });

  test('what was tried in vain is in the log of the deployment only, named tenant or not', async () => {
    await asOperator('PATCH', `/operator/tenants/${tenant.id}`, { rateLimits: 'many' });
    await asOperator('POST', '/operator/tenants/0190d1a2-7b3c-7def-8123-456789abcdef/api-keys', {});
    const [none, many] = await operatorLog('?_end=2&_actor=OPERATOR');
    expect(many).toMatchObject({
      tenantId: null,
      recordId: tenant.id,
      status: 400,
      code: 'validation_failed',
    });
    expect(none).toMatchObject({ tenantId: null, status: 404, operation: 'createApiKeyAsOperator' });
    expect(await auditLog(tenant, '?_actor=OPERATOR&_operation=patchTenantAsOperator')).toEqual([]);
  });
});

describe('the list', () => {
  test('is for whoever may take copies away, and has nothing of another tenant', async () => {
    for (const [role, status] of [
      ['ADMIN', 200],
      ['COMPLIANCE', 200],
      ['AUDITOR', 200],
      ['OBSERVER', 403],
    ] as const)
      expect((await (await createUser(api, tenant, role)).get('/tenant/me/audit-log')).status).toBe(status);
    const stranger = await createTenant(api);
    const [{ id } = { id: '' }] = await auditLog(tenant);
    for (const query of ['', `?_after=${id}&_sort=createdAt`, `?_recordId=${tenant.id}`, `?q=${tenant.id}`])
      expect((await auditLog(stranger, query)).filter(({ tenantId }) => tenantId !== stranger.id)).toEqual(
        [],
      );
  });

  test('pages follow each other by the last entry of the one before, in both orders, and times are bounds', async () => {
    const user = await createUser(api, tenant);
    for (const _ of [1, 2, 3, 4, 5]) await user.get('/wallets');
    const all = (await auditLog(tenant, '?_actor=USER&_sort=createdAt')).map(({ id }) => id);
    expect(all).toHaveLength(5);
    const walk = async (order: string) => {
      const ids: string[] = [];
      for (;;) {
        const after = ids.length > 0 ? `&_after=${ids.at(-1)}` : '';
        const page = await auditLog(tenant, `?_actor=USER&_end=2&_sort=createdAt&_order=${order}${after}`);
        ids.push(...page.map(({ id }) => id));
        if (page.length < 2) return ids;
      }
    };
    expect(await walk('ASC')).toEqual(all);
    expect(await walk('DESC')).toEqual(all.toReversed());
    const third = await auditLog(tenant, `?_after=${all[1]}&_end=1&_sort=createdAt&_actor=USER`);
    const at = third[0]?.createdAt ?? '';
    const around = await auditLog(tenant, `?_from=${at}&_to=${at}&_actor=USER`);
    expect(around.map(({ id }) => id)).toContain(all[2]);
    expect(around.every(({ createdAt }) => createdAt === at)).toBe(true);
    for (const bad of ['_after=1', '_actor=KING', '_from=yesterday', '_sort=operation', '_end=101'])
      expect((await tenant.get(`/tenant/me/audit-log?${bad}`)).status).toBe(400);
  });

  test('a page is found by its place in an index, however long the log is', async () => {
    const many = `insert into audit_entries (tenant_id, id, created_at, operation, actor, parameters, requests, mac)
      select case when n % 50 = 0 then $1::uuid else gen_random_uuid() end, gen_random_uuid(), now(), 'x',
        case when n % 40 = 0 then 'OPERATOR' else 'USER' end, '{}', 1, '' from generate_series(1, 20000) n`;
    await database.pool.query('alter table audit_entries disable trigger user');
    await database.pool.query(many, [tenant.id]);
    await database.pool.query('analyze audit_entries');
    const _after = '7fffffff-7b3c-7def-8123-456789abcdef';
    const plan = async (statement: { text: string; values: unknown[] }) => {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>({
        ...statement,
        text: `explain ${statement.text}`,
      });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const range = { ...ListAuditLogQuery.parse({ _after }), wantsCount: false };
    const page = {
      orderBy: 'id DESC',
      rows: 'select * from page join audit_entries using (tenant_id, id)',
      range,
    };
    const own = await plan(
      pageStatements({ ...page, matching: matchingTenantEntries(tenant.id, range) }).page,
    );
    expect(own).toMatch(
      /Index Only Scan Backward using audit_entries_pkey[^]*?Index Cond: \(\(tenant_id = [^]*? AND \(id < /,
    );
    expect(own).not.toMatch(/Seq Scan on audit_entries audit_entries_1/);
    const theirs = { ...ListOperatorAuditLogQuery.parse({ _after }), wantsCount: false };
    const all = await plan(
      pageStatements({ ...page, range: theirs, matching: matchingOperatorEntries(theirs) }).page,
    );
    expect(all).toMatch(/audit_entries_operators[^]*?Index Cond: \(id < /);
    expect(all).not.toMatch(/Seq Scan on audit_entries audit_entries_1/);
    await database.pool.query(`delete from audit_entries where operation = 'x'`);
    await database.pool.query('alter table audit_entries enable trigger user');
    expect((await listAuditLog(api.db, tenant.id, range)).total).toBeUndefined();
  });
});

test('no personal data is stored in clear: names, wallets, addresses and what callers write into ids of requests', async () => {
  const user = await createUser(api, tenant, 'ADMIN', { name: 'Quellario Amstutz' });
  const wallet = evmAddress();
  const headers = { 'X-Request-Id': 'Quellario' };
  await user.get(`/transactions?q=Quellario&_destination=${wallet}&_blockchain=Quellario`, { headers });
  await user.get(`/sanctions/addresses/${wallet}`, { headers });
  await user.get(`/kyw/Ethereum/${wallet}`, { headers });
  await signIn(user.email, PASSWORD);
  await api.deps.audit.close();
  const { rows } = await database.pool.query<{ row: string }>(
    `select to_jsonb(e)::text || coalesce(encode(origin, 'escape'), '') as row from audit_entries e
     union all select to_jsonb(c)::text from audit_counts c`,
  );
  for (const secret of ['Quellario', wallet, wallet.toLowerCase(), user.email, '127.0.0.1'])
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
  const [, , checked] = await auditLog(tenant, '?_actor=USER&_sort=createdAt');
  expect(checked).toMatchObject({
    operation: 'classifyWallet',
    parameters: { blockchain: null, address: null },
    requestId: 'Quellario',
  });
});
