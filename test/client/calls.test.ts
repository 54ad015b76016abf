import { once } from 'node:events';
import { createServer, request as sendHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ConflictProblem,
  Forbidden,
  IdempotencyKeyReused,
  InvalidTransition,
  NotFound,
  Unauthenticated,
  ValidationProblem,
  Waybill,
  type CreateTransaction,
} from '@waybill/client';
import { eventually } from '../eventually.ts';
import { evmAddress } from '../factories/transaction.ts';
import { useFourEyes } from '../factories/people.ts';
import { createTenant } from '../factories/tenant.ts';
import { useApi, useTenantPerTest } from '../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);
let waybill: Waybill;
beforeEach(() => {
  waybill = new Waybill({ baseUrl: api.url, apiKey: tenant.apiKey, operatorKey: api.operatorKey });
});

const transfer = (overrides: Partial<CreateTransaction> = {}): CreateTransaction => ({
  asset: 'ETH',
  amount: '1.000000000000000001',
  blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
  originator: { type: 'NATURAL', name: 'Anna Keller' },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  ...overrides,
});
const wallet = () => ({ blockchain: 'Ethereum', asset: 'ETH', address: evmAddress() });

test('what waits for a second person is listed, approved, refused and withdrawn', async () => {
  const [{ accessToken }] = await useFourEyes(api, tenant, { rules: true });
  const second = new Waybill({ baseUrl: api.url, accessToken });
  const [configuration] = await waybill.rules.list();
  const propose = async () => await waybill.rules.publish(configuration?.id ?? '', { comment: 'why' });
  const first = (await propose()).proposal?.id ?? '';
  await expect(waybill.workItems.list().first(9)).resolves.toMatchObject([
    { kind: 'PROPOSAL', why: 'RULES' },
  ]);
  await expect(second.proposals.refuse(first)).resolves.toMatchObject({ status: 'REFUSED' });
  await propose();
  const [waiting] = await waybill.proposals.list({ _kind: ['RULES'] }).first(1);
  await expect(waybill.proposals.withdraw(waiting?.id ?? '')).resolves.toMatchObject({ status: 'WITHDRAWN' });
  const last = (await propose()).proposal?.id ?? '';
  await expect(waybill.proposals.approve(last)).rejects.toBeInstanceOf(Forbidden);
  await expect(second.proposals.approve(last)).resolves.toMatchObject({ status: 'CARRIED_OUT' });
});

test('amounts keep all their digits', async () => {
  const { id } = await waybill.transactions.create(transfer());
  const { amountDecimal } = await waybill.transactions.get(id);
  expect(amountDecimal).toBe('1.000000000000000001');
});

describe('a user', () => {
  const account = { email: 'lena.frei@calls.example', password: 'seven quiet otters juggle' };

  test('signs in, acts, refreshes and signs out', async () => {
    const { user } = await waybill.users.create({ ...account, role: 'COMPLIANCE' });
    const nobody = new Waybill({ baseUrl: api.url });
    const { accessToken, refreshToken } = await nobody.auth.signIn(account);
    const mine = new Waybill({ baseUrl: api.url, accessToken });
    await expect(mine.users.me()).resolves.toMatchObject({ id: user.id });
    const { id } = await mine.transactions.create(transfer());
    const [created] = await mine.transactions.events(id);
    expect(created).toMatchObject({ actor: 'USER', userId: user.id });
    await expect(
      mine.users.create({ email: 'x@calls.example', password: 'nine loud walruses' }),
    ).rejects.toBeInstanceOf(Forbidden);
    const next = await mine.auth.refresh(refreshToken);
    await mine.auth.logOut(next.accessToken);
    await expect(mine.users.me()).rejects.toBeInstanceOf(Unauthenticated);
  });

  test('is listed and changed by an administrator, and changes the password', async () => {
    const made = await waybill.users.create({ ...account, email: 'jonas.brandt@calls.example' });
    const mine = new Waybill({ baseUrl: api.url, accessToken: made.accessToken });
    await mine.users.changePassword({
      currentPassword: account.password,
      password: 'nine loud walruses whistle',
    });
    await expect(waybill.users.patch(made.user.id, { disabled: true })).resolves.toMatchObject({
      disabledAt: expect.any(String),
    });
    expect((await waybill.users.list().first(1))[0]?.id).toBe(made.user.id);
    await expect(mine.users.me()).rejects.toBeInstanceOf(Unauthenticated);
  });

  test('and an API key do not act together', () => {
    expect(() => new Waybill({ baseUrl: api.url, apiKey: 'a', accessToken: 'b' })).toThrow(TypeError);
  });
});

test('a transaction is made, changed, read with its log, and deleted', async () => {
  const { id } = await waybill.transactions.create(transfer());
  await expect(waybill.transactions.patch(id, { internalNote: 'seen' })).resolves.toBeUndefined();
  expect((await waybill.transactions.get(id)).internalNote).toBe('seen');
  expect((await waybill.transactions.events(id)).map(({ type }) => type)).toContain('CREATED');
  await expect(waybill.transactions.delete(id)).resolves.toBeUndefined();
  await expect(waybill.transactions.get(id)).rejects.toBeInstanceOf(NotFound);
});

describe('refusals are classes', () => {
  test('400 names the field', async () => {
    const refused = waybill.transactions.create(transfer({ asset: '' }));
    await expect(refused).rejects.toBeInstanceOf(ValidationProblem);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [expect.objectContaining({ pointer: '/asset' })],
      requestId: expect.any(String),
      message: expect.stringMatching(
        /^POST \/transactions: 400 validation_failed: \/asset: .* \(request .+\)$/,
      ),
    });
  });

  test('401 and 403', async () => {
    const stranger = new Waybill({ baseUrl: api.url, apiKey: 'unknown' });
    await expect(stranger.tenant.get()).rejects.toBeInstanceOf(Unauthenticated);
    const { apiKey } = await tenant.as('OBSERVER');
    const observer = new Waybill({ baseUrl: api.url, apiKey });
    await expect(observer.transactions.create(transfer())).rejects.toBeInstanceOf(Forbidden);
  });

  test('409 has the record that exists, or the moves that are allowed', async () => {
    const { id } = await waybill.transactions.create(transfer({ reference: 'w-1' }));
    const again = await waybill.transactions
      .create(transfer({ reference: 'w-1' }))
      .catch((error: unknown) => error);
    expect(again).toBeInstanceOf(ConflictProblem);
    expect((again as ConflictProblem).existingId).toBe(id);
    const made = await waybill.wallets.create(wallet());
    const { address } = made;
    const known = await waybill.wallets.create({ ...wallet(), address }).catch((error: unknown) => error);
    expect((known as ConflictProblem).existingId).toBe(String(made.id));
    const move = await waybill.transactions
      .patch(id, { status: 'DECLINED' })
      .catch((error: unknown) => error);
    expect(move).toBeInstanceOf(InvalidTransition);
    expect(move).toBeInstanceOf(ConflictProblem);
    expect((move as InvalidTransition).allowed).toEqual(['CANCELLED']);
  });

  test('422: a key of another request', async () => {
    await waybill.transactions.create(transfer(), { idempotencyKey: 'k-1' });
    const reused = waybill.transactions.create(transfer(), { idempotencyKey: 'k-1' });
    await expect(reused).rejects.toBeInstanceOf(IdempotencyKeyReused);
  });
});

describe('lists', () => {
  test('are read page by page, in the order that was asked for', async () => {
    const made: number[] = [];
    for (let index = 0; index < 5; index += 1) made.push((await waybill.wallets.create(wallet())).id);
    const listing = waybill.wallets.list({ _sort: 'id', _order: 'ASC' });
    const pages: number[][] = [];
    for await (const page of listing.pages(2)) pages.push(page.map(({ id }) => id));
    expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
    const all: number[] = [];
    for await (const { id } of listing) all.push(id);
    expect(all).toEqual(made);
    expect((await listing.first(3)).map(({ id }) => id)).toEqual(made.slice(0, 3));
    expect(await listing.count()).toBe(5);
    expect(await waybill.wallets.list({ _status: 'UNCONFIRMED' }).count()).toBe(0);
  });

  test('a page has 1 to 100 items', async () => {
    for (const items of [0, 101, NaN])
      await expect(waybill.wallets.list().pages(items).next()).rejects.toBeInstanceOf(RangeError);
    await expect(waybill.wallets.list().first(0)).rejects.toBeInstanceOf(RangeError);
  });

  test('by offset', async () => {
    for (let index = 0; index < 3; index += 1)
      await waybill.walletIntelligence.check('Ethereum', evmAddress(), { heuristicOnly: 'true' });
    const pages: number[] = [];
    for await (const page of waybill.walletIntelligence.history().pages(2)) pages.push(page.length);
    expect(pages).toEqual([2, 1]);
    expect(await waybill.walletIntelligence.history().count()).toBe(3);
  });

  test('the change feed goes on from a cursor', async () => {
    // The feed shows an entry once every older transaction of the server, also those of other tests, has ended.
    const readSince = async (cursor?: string) =>
      await eventually(
        async () => {
          const found = [];
          for await (const event of waybill.events.since(cursor)) found.push(event);
          return found;
        },
        ({ length }) => length > 0,
      );
    const first = await waybill.wallets.create(wallet());
    const before = await readSince();
    expect(before.map(({ id }) => id)).toEqual([String(first.id)]);
    const second = await waybill.wallets.create(wallet());
    const after = await readSince(before[0]?.cursor);
    expect(after.map(({ id }) => id)).toEqual([String(second.id)]);
    await expect(waybill.events.since('no cursor').next()).rejects.toBeInstanceOf(ValidationProblem);
  });
});

test('the low-level request reaches what has no call with a name', async () => {
  const name = `Made by ${Date.now()}`;
  const { tenant: made, apiKey } = await waybill.request('POST', '/operator/tenants', { body: { name } });
  expect(made.name).toBe(name);
  const own = await new Waybill({ baseUrl: api.url, apiKey: apiKey.apiKey }).tenant.get();
  expect(own.id).toBe(made.id);
  await expect(waybill.request('GET', '/metrics')).resolves.toContain('# HELP');
});

/** A proxy that passes a request on, and drops the connection in place of the answer, the first times. */
async function loseAnswers(times: number): Promise<{ url: string; server: Server }> {
  let left = times;
  const server = createServer((request, response) => {
    const { port } = new URL(api.url);
    const { method, url: path, headers } = request;
    const passed = sendHttp({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      left -= 1;
      if (left >= 0) {
        answer.resume();
        answer.on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('lost answers make nothing twice', async () => {
  const { url, server } = await loseAnswers(2);
  try {
    const retry = { baseMs: 5 };
    const client = new Waybill({ baseUrl: url, apiKey: tenant.apiKey, retry });
    const { id } = await client.transactions.create(transfer());
    expect((await waybill.transactions.list().first(10)).map((transaction) => transaction.id)).toEqual([id]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('another tenant sees nothing', async () => {
  const { id } = await waybill.transactions.create(transfer());
  const other = await createTenant(api);
  const stranger = new Waybill({ baseUrl: api.url, apiKey: other.apiKey });
  await expect(stranger.transactions.get(id)).rejects.toBeInstanceOf(NotFound);
  expect(await stranger.transactions.list().count()).toBe(0);
});
