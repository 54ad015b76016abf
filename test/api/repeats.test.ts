import { randomBytes } from 'node:crypto';
import { endpoints } from '../../api/endpoints.ts';
import { onceAnswerer } from '../../api/middleware/answer-once.ts';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import type { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { Json, RequestOptions, TestAnswer } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { failTransaction } from '../factories/failed-transaction.ts';
import { form, FORM_TYPE } from '../factories/csv.ts';
import { configurations } from '../factories/rules.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { createBody, createTransaction, evmAddress, findOnList } from '../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../factories/verification.ts';
import { useApi, useTenant } from '../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const newKey = () => randomBytes(12).toString('hex');
const isReplayed = ({ headers }: TestAnswer<Json>) => headers.get('Idempotency-Replayed') === 'true';
const countOf = async (table: string, where = 'true') =>
  Number(
    (await database.pool.query<{ n: string }>(`select count(*) n from ${table} where ${where}`)).rows[0]?.n,
  );

/** Posts twice under one key and expects one answer, the second time from what was kept. */
async function twice(path: string, options: RequestOptions, key = newKey()): Promise<TestAnswer<Json>> {
  const headers = { ...options.headers, 'Idempotency-Key': key };
  const first = await api.request('POST', path, { ...options, headers });
  const second = await api.request('POST', path, { ...options, headers });
  expect([first.status < 300, isReplayed(first), isReplayed(second)]).toEqual([true, false, true]);
  expect([second.status, second.body]).toEqual([first.status, first.body]);
  return first;
}

test('every POST with a key takes an Idempotency-Key', () => {
  const without = endpoints.filter(
    ({ method, auth, idempotency }) => method === 'POST' && auth !== 'NONE' && idempotency === 'NONE',
  );
  expect(without.map(({ path }) => path)).toEqual([]);
});

describe('an answer that shows a record is given again until the record is deleted', () => {
  /** Then 404, and the repeat has done nothing. */
  async function goneAfter(record: string, path: string, body: Json, key: string): Promise<void> {
    expect((await tenant.delete(record)).status).toBe(204);
    const headers = { 'Idempotency-Key': key };
    expect(await tenant.post(path, body, { headers })).toMatchObject({ status: 404 });
    expect(await tenant.post(path, { ...body, other: 1 }, { headers })).toMatchObject({ status: 422 });
  }
  const sealerOf = async (key: string) => {
    const { rows } = await database.pool.query<Json>(
      'select sealed_by, sealed_by_id from idempotency_keys where key = $1',
      [key],
    );
    return rows[0];
  };

  test('a review', async () => {
    const [key, { id }] = [newKey(), await createTransaction(tenant)];
    await findOnList(api.db, id);
    const [path, body] = [`/transactions/${id}/review`, { decision: 'BLOCK', reason: 'a listed person' }];
    const { body: shown } = await twice(path, { key: tenant.apiKey, body }, key);
    expect(shown).toMatchObject({ id, status: 'CANCELLED' });
    expect(await sealerOf(key)).toEqual({ sealed_by: 'TRANSACTION', sealed_by_id: id });
    await goneAfter(`/transactions/${id}`, path, body, key);
  });

  test('a retry and a timer', async () => {
    const { id } = await createTransaction(tenant);
    await database.pool.query(`update transactions set routing_fault = 'VASP_NOT_FOUND' where id = $1`, [id]);
    const [key, path] = [newKey(), `/sandbox/transactions/${id}/fire-timer`];
    await twice(path, { key: tenant.apiKey, body: {} }, key);
    await failTransaction(api, tenant, id);
    await twice(`/transactions/${id}/retry`, { key: tenant.apiKey, body: {} });
    expect((await tenant.delete(`/transactions/${id}`)).status).toBe(204);
    expect((await tenant.post(path, {}, { headers: { 'Idempotency-Key': key } })).status).toBe(404);
  });

  test('a revocation', async () => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address });
    await submit(tenant, made.id, await signedFor(wallet, made));
    const [key, { id }] = [newKey(), made];
    const [path, body] = [`/wallet-verification/${id}/revoke`, { reason: 'lost' }];
    await twice(path, { key: tenant.apiKey, body }, key);
    expect(await sealerOf(key)).toEqual({ sealed_by: 'VERIFICATION', sealed_by_id: id });
    await goneAfter(`/wallet-verification/${id}`, path, body, key);
  });

  test('the timer of a verification', async () => {
    const { id } = await createVerification(tenant);
    const path = `/sandbox/wallet-verification/${id}/fire-timer`;
    await twice(path, { key: tenant.apiKey, body: {} });
  });

  test('a message of a test VASP', async () => {
    await ensureTestVasps(api.db, new Date());
    const address = evmAddress();
    const info = { blockchain: 'Ethereum', destination: address, destinationType: 'CUSTODIAL' };
    const body = { ...createBody({ blockchainInfo: info, originator: { name: 'Anna Keller' } }) };
    const key = newKey();
    const { body: shown } = await twice('/sandbox/incoming', { key: tenant.apiKey, body }, key);
    expect(await sealerOf(key)).toEqual({ sealed_by: 'TRANSACTION', sealed_by_id: shown['id'] });
    await goneAfter(`/transactions/${String(shown['id'])}`, '/sandbox/incoming', body, key);
  });

  test('a wallet, which its repeat does not register again', async () => {
    const body = { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum' };
    const key = newKey();
    const { body: shown } = await twice('/wallets', { key: tenant.apiKey, body }, key);
    await goneAfter(`/wallets/${String(shown['id'])}`, '/wallets', body, key);
    expect(await countOf('wallets', `address = '${body.address}'`)).toBe(0);
  });

  test('a suppression', async () => {
    await activateList(api.db.pool, 'OFAC_SDN', [listEntry('77', 'Grigori Rasputin')]);
    const subject = { type: 'NATURAL', name: 'Grigori Rasputin' };
    const { body: found } = await tenant.post<SanctionsScreening>('/sanctions/search', subject);
    const { listCode, listingId } = found.matches[0] ?? {};
    const body = { screeningId: found.id, listCode, listingId };
    const key = newKey();
    const { body: shown } = await twice('/sanctions/suppressions', { key: tenant.apiKey, body }, key);
    await goneAfter(`/sanctions/suppressions/${String(shown['id'])}`, '/sanctions/suppressions', body, key);
  });
});

test('a simulation is answered again as it was', async () => {
  const { id } = (await configurations(tenant)).OUTGOING;
  const body = { source: 'DRAFT', input: { amount: '5' } };
  await twice(`/rule-engine/${id}/simulate`, { key: tenant.apiKey, body });
});

test('a preflight is answered again as it was', async () => {
  await twice('/transactions/preflight', { key: tenant.apiKey, body: createBody() });
});

describe('an operator', () => {
  const by = () => ({ operatorKey: api.operatorKey });

  test('gets the first key of a new tenant again, and nobody else does', async () => {
    const [key, body] = [newKey(), { name: `Lost Answer ${newKey()}` }];
    const { body: made } = await twice('/operator/tenants', { ...by(), body }, key);
    expect(made).toMatchObject({ apiKey: { role: 'ADMIN', apiKey: expect.any(String) } });
    const headers = { 'Idempotency-Key': key };
    const other = { name: `Other ${newKey()}` };
    expect(await api.request('POST', '/operator/tenants', { ...by(), body: other, headers })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    const { rows } = await database.pool.query<{ body: Buffer }>(
      'select body from idempotency_keys where key = $1',
      [key],
    );
    expect(rows[0]?.body.toString('latin1')).not.toContain('wb_sandbox_');
    const id = (made['tenant'] as Json)['id'];
    await twice(`/operator/tenants/${String(id)}/api-keys`, { ...by(), body: {} });
    expect(await countOf('api_keys', `tenant_id = '${String(id)}'`)).toBe(2);
  });

  test('makes one tenant by many requests at once', async () => {
    const [headers, body] = [{ 'Idempotency-Key': newKey() }, { name: `Once ${newKey()}` }];
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () =>
        api.request('POST', '/operator/tenants', { ...by(), body, headers }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201 && !isReplayed(answer))).toHaveLength(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await countOf('tenants', `name = '${body.name}'`)).toBe(1);
  });

  test('imports labels and entities once', async () => {
    const labels = `address,label,type,blockchain\n${evmAddress()},Cold wallet,exchange,Ethereum\n`;
    const source = `source-${newKey()}`;
    const body = form([
      ['file', labels, 'labels.csv'],
      ['source', source],
    ]);
    await twice('/operator/labels', { ...by(), headers: FORM_TYPE, body });
    expect(await countOf('label_imports')).toBe(1);
    const file = form([['file', 'name,type\nRepeat Exchange,exchange\n', 'entities.csv']]);
    const made = await twice('/operator/entities/import', { ...by(), headers: FORM_TYPE, body: file });
    expect(made.body).toMatchObject({ total: 1, created: 1 });
  });
});

describe('a decision under a key is made once', () => {
  const PROCEED = { decision: 'PROCEED', reason: 'another person of that name' };
  async function held(): Promise<string> {
    const { id } = await createTransaction(tenant);
    await findOnList(api.db, id);
    return id;
  }
  const typesOf = async (path: string) =>
    (await tenant.get<Json[]>(`${path}/events`)).body.map(({ type }) => type);
  /** The process ends after the commit, before the answer is sent. */
  async function losing(post: () => Promise<TestAnswer<Json>>): Promise<void> {
    const lost = jest.spyOn(api.deps, 'notifyWorkflows').mockImplementation(() => {
      throw new Error('the process has ended');
    });
    expect((await post()).status).toBe(500);
    lost.mockRestore();
  }

  test('whose answer was lost: the repeat lets nothing pass that was found since', async () => {
    const id = await held();
    const headers = { 'Idempotency-Key': newKey() };
    const review = async () => await tenant.post<Json>(`/transactions/${id}/review`, PROCEED, { headers });
    await losing(review);
    await findOnList(api.db, id);
    const { body: before } = await tenant.get<Json>(`/transactions/${id}`);
    expect(before).toMatchObject({ subStatus: 'ON_HOLD' });
    const repeated = await review();
    expect([repeated.status, isReplayed(repeated)]).toEqual([200, true]);
    expect((await tenant.get<Json>(`/transactions/${id}`)).body).toEqual(before);
  });

  test('whose answer was lost: a retry, a timer, a revocation', async () => {
    const [{ id }, { id: pending }] = [await createTransaction(tenant), await createVerification(tenant)];
    await failTransaction(api, tenant, id);
    const wallet = evmWallet();
    const proven = await createVerification(tenant, { address: wallet.address });
    await submit(tenant, proven.id, await signedFor(wallet, proven));
    const acts: [path: string, body: Json, status: number][] = [
      [`/transactions/${id}/retry`, {}, 200],
      [`/sandbox/transactions/${id}/fire-timer`, {}, 202],
      [`/sandbox/wallet-verification/${pending}/fire-timer`, {}, 202],
      [`/wallet-verification/${proven.id}/revoke`, { reason: 'lost' }, 200],
    ];
    for (const [path, body, status] of acts) {
      const headers = { 'Idempotency-Key': newKey() };
      const post = async () => await tenant.post<Json>(path, body, { headers });
      await losing(post);
      const repeated = await post();
      expect([path, repeated.status, isReplayed(repeated)]).toEqual([path, status, true]);
    }
    expect(await typesOf(`/transactions/${id}`)).toEqual([
      'TIMER_FIRED',
      'RETRIED',
      'EXPIRED',
      'TIMER_FIRED',
      'CREATED',
    ]);
  });

  test('whose key an earlier version has leased: 409 while it may run, then the repeat decides', async () => {
    const [id, key] = [await held(), newKey()];
    const headers = { 'Idempotency-Key': key };
    const review = async () => await tenant.post<Json>(`/transactions/${id}/review`, PROCEED, { headers });
    expect((await review()).status).toBe(200);
    await findOnList(api.db, id);
    const lease = async (until: string) =>
      await database.pool.query(
        `update idempotency_keys set status = 0, body = null, leased_until = now() + $2::interval where key = $1`,
        [key, until],
      );
    await lease('1 minute');
    expect(await review()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await lease('-1 second');
    const decided = await review();
    expect([decided.status, isReplayed(decided)]).toEqual([200, false]);
    expect(isReplayed(await review())).toBe(true);
  });

  test('by many requests at once, which all get its answer', async () => {
    const id = await held();
    const headers = { 'Idempotency-Key': newKey() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => tenant.post(`/transactions/${id}/review`, PROCEED, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(answers.filter((answer) => !isReplayed(answer as TestAnswer<Json>))).toHaveLength(1);
    expect((await typesOf(`/transactions/${id}`)).filter((type) => type === 'REVIEWED')).toHaveLength(1);
  });
});

describe('a request that runs longer than its lease', () => {
  const RENEWAL_MS = 30;
  const start = (tenantId: string, key: string, run: () => Promise<void>) =>
    onceAnswerer(
      api.deps,
      RENEWAL_MS,
    )({
      call: { tenantId, key, fingerprint: Buffer.alloc(32) },
      kind: 'LEASE',
      requestId: key,
      async run() {
        await run();
        return { status: 201, body: { key } };
      },
    });
  const leaseOf = async (key: string) => {
    const { rows } = await database.pool.query<{ leased_until: Date | null; status: number }>(
      'select leased_until, status from idempotency_keys where key = $1',
      [key],
    );
    return rows[0];
  };
  /** A request that is running, and what ends it. */
  async function running(key: string) {
    let end = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      end = resolve;
    });
    const first = start(tenant.id, key, async () => await gate);
    const row = await eventually(
      async () => await leaseOf(key),
      (found) => found !== undefined,
    );
    return { first, lease: row?.leased_until, end };
  }

  test('keeps its key, and its answer', async () => {
    const key = newKey();
    const { first, lease, end } = await running(key);
    await eventually(
      async () => Number((await leaseOf(key))?.leased_until),
      (until) => until > Number(lease) + 2 * RENEWAL_MS,
    );
    await expect(start(tenant.id, key, async () => await Promise.resolve())).rejects.toMatchObject({
      code: 'conflict',
    });
    end();
    expect((await first).status).toBe(201);
    expect(await leaseOf(key)).toEqual({ leased_until: null, status: 201 });
    const repeated = await start(tenant.id, key, async () => await Promise.reject(new Error('ran again')));
    expect(repeated).toMatchObject({ status: 201, headers: { 'Idempotency-Replayed': 'true' } });
  });

  test('does not take the key back from one that has taken it over', async () => {
    const key = newKey();
    const { first, end } = await running(key);
    const other = new Date(Date.now() + 5_000);
    await database.pool.query('update idempotency_keys set leased_until = $2 where key = $1', [key, other]);
    end();
    await first;
    expect(await leaseOf(key)).toEqual({ leased_until: other, status: 0 });
  });
});
