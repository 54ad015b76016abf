import { randomBytes } from 'node:crypto';
import { endpoints } from '../../api/endpoints.ts';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import type { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { Json, RequestOptions, TestAnswer } from '../api-client.ts';
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
    await database.pool.query(`update transactions set status = 'FAILED' where id = $1`, [id]);
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
