import type { Wallet } from '../../../domain/wallets/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { createTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  deliver,
  evmAddress,
  readTransaction,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });

describe('POST /wallets', () => {
  const ETH = '0x52908400098527886E0F7030069857D2E4169EE7';
  const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const WALLET = { address: ETH, asset: 'ETH', blockchain: 'Ethereum' };

  const tenant = useTenantPerTest(api);

  const post = async (body: unknown, headers = {}) =>
    await tenant.post<Wallet & Json>('/wallets', body, { headers });

  async function walletCount(): Promise<number> {
    const { rows } = await database.pool.query('select 1 from wallets where tenant_id = $1', [tenant.id]);
    return rows.length;
  }

  async function unconfirm(id: number): Promise<void> {
    await database.pool.query(
      `update wallets set status = 'UNCONFIRMED', confirmed_at = null where id = $1`,
      [id],
    );
  }

  describe('201', () => {
    test('a wallet is confirmed at once and comes back as it was sent', async () => {
      const { status, body } = await post({ ...WALLET, blockchain: 'eth', tag: '7', metadata: 'cold store' });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          id: expect.any(Number) as unknown,
          address: ETH,
          asset: 'ETH',
          blockchain: 'eth',
          tag: '7',
          metadata: 'cold store',
          holderName: null,
          status: 'CONFIRMED',
          source: 'MANUAL',
          version: 1,
          createdAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
          updatedAt: body.createdAt,
          confirmedAt: body.createdAt,
          warnings: [],
        },
      });
      expect((await tenant.get(`/wallets/${body.id}`)).body).toEqual(body);
    });

    test('an unknown blockchain with a name like that of a known one comes with a warning, this once', async () => {
      const { status, body } = await post({ ...WALLET, blockchain: 'Etherium' });
      expect({ status, body }).toMatchObject({
        status: 201,
        body: {
          blockchain: 'Etherium',
          warnings: [
            {
              code: 'UNKNOWN_BLOCKCHAIN',
              pointer: '/blockchain',
              message: expect.stringContaining('Ethereum was probably meant') as unknown,
            },
          ],
        },
      });
      expect((await tenant.get<Wallet>(`/wallets/${body.id}`)).body.warnings).toEqual([]);
      expect((await post({ ...WALLET, blockchain: 'Some New Chain' })).body.warnings).toEqual([]);
    });

    test.each([
      [{ ...WALLET, asset: '*' }],
      [{ ...WALLET, tag: '1' }],
      [{ ...WALLET, asset: 'USDC' }],
      [{ ...WALLET, blockchain: 'Base' }],
      [{ address: BTC, asset: 'BTC', blockchain: 'Bitcoin' }],
      [{ address: 'anything-printable', asset: 'XYZ', blockchain: 'Some New Chain' }],
    ])('%j is another wallet than the first', async (body) => {
      const first = await post(WALLET);
      const answer = await post(body);
      expect(answer).toMatchObject({ status: 201, body: { ...body, status: 'CONFIRMED' } });
      expect(answer.body.id).not.toBe(first.body.id);
    });

    test('two tenants may register the same wallet', async () => {
      const other = await createTenant(api);
      const [mine, theirs] = [await post(WALLET), await other.post<Wallet>('/wallets', WALLET)];
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect(mine.body.id).not.toBe(theirs.body.id);
    });

    test('one that is only UNCONFIRMED is confirmed under its id, with what was sent now', async () => {
      const { body: first } = await post({ ...WALLET, metadata: 'old note' });
      await unconfirm(first.id);
      const { status, body } = await post({
        ...WALLET,
        address: ETH.toLowerCase(),
        asset: 'eth',
        metadata: 'new note',
      });
      expect({ status, body }).toMatchObject({
        status: 201,
        body: {
          id: first.id,
          address: ETH.toLowerCase(),
          asset: 'eth',
          metadata: 'new note',
          status: 'CONFIRMED',
          source: 'MANUAL',
          createdAt: first.createdAt,
        },
      });
      expect(Date.parse(body.confirmedAt ?? '')).toBeGreaterThan(Date.parse(first.createdAt));
      expect(await walletCount()).toBe(1);
    });

    test('confirming without metadata keeps the metadata', async () => {
      const { body: first } = await post({ ...WALLET, metadata: 'old note' });
      await unconfirm(first.id);
      expect((await post(WALLET)).body).toMatchObject({ id: first.id, metadata: 'old note' });
    });

    test('the same request under the same Idempotency-Key is answered 201 again, with one wallet', async () => {
      const headers = { 'Idempotency-Key': 'wallet-1' };
      const answers = await Promise.all(
        Array.from({ length: 50 }, async () => await post({ ...WALLET, metadata: 'a' }, headers)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(
        49,
      );
      expect(await walletCount()).toBe(1);
    });

    test('a key whose first request was refused with 409 stays free', async () => {
      await post(WALLET);
      const headers = { 'Idempotency-Key': 'free' };
      expect((await post(WALLET, headers)).status).toBe(409);
      expect((await post({ ...WALLET, tag: '9' }, headers)).status).toBe(201);
    });
  });

  describe('400', () => {
    test.each<[Json, string]>([
      [{ address: ETH, asset: 'ETH' }, '/blockchain'],
      [{ address: ETH, blockchain: 'Ethereum' }, '/asset'],
      [{ asset: 'ETH', blockchain: 'Ethereum' }, '/address'],
      [{ ...WALLET, address: `${ETH.slice(0, -1)}e` }, '/address'],
      [{ ...WALLET, address: BTC }, '/address'],
      [{ ...WALLET, address: 'with space' }, '/address'],
      [{ ...WALLET, address: '' }, '/address'],
      [{ ...WALLET, address: 5 }, '/address'],
      [{ ...WALLET, asset: '**' }, '/asset'],
      [{ ...WALLET, asset: 'a b' }, '/asset'],
      [{ ...WALLET, metadata: 'x'.repeat(2_001) }, '/metadata'],
      [{ ...WALLET, metadata: 'nul\0' }, '/metadata'],
      [{ ...WALLET, status: 'UNCONFIRMED' }, '/status'],
      [{ ...WALLET, source: 'CSV' }, '/source'],
      [{ ...WALLET, id: 1 }, '/id'],
    ])('%j: nothing is stored', async (body, pointer) => {
      const answer = await post(body);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer }] },
      });
      expect(await walletCount()).toBe(0);
    });

    test('the refused address is not echoed', async () => {
      const { body } = await post({ ...WALLET, address: '0xdeadbeef' });
      expect(JSON.stringify(body)).not.toContain('deadbeef');
    });

    test('a refusal under an Idempotency-Key is kept: a corrected body needs a new key', async () => {
      const headers = { 'Idempotency-Key': 'faulty' };
      const faulty = { ...WALLET, address: 'x' };
      const first = await post(faulty, headers);
      expect(await post(faulty, headers)).toMatchObject({ status: 400, body: first.body });
      expect((await post(WALLET, headers)).status).toBe(422);
      expect(await walletCount()).toBe(0);
    });
  });

  test('401: without a key', async () => {
    expect((await api.request('POST', '/wallets', { body: WALLET })).status).toBe(401);
  });

  describe('403', () => {
    test('an OBSERVER registers nothing', async () => {
      const answer = await (await tenant.as('OBSERVER')).post('/wallets', WALLET);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await walletCount()).toBe(0);
    });

    test('COMPLIANCE is enough', async () => {
      expect((await (await tenant.as('COMPLIANCE')).post('/wallets', WALLET)).status).toBe(201);
    });
  });

  describe('409', () => {
    test.each([
      [WALLET],
      [{ ...WALLET, address: ETH.toLowerCase() }],
      [{ ...WALLET, asset: 'eth' }],
      [{ ...WALLET, blockchain: 'eip155:1' }],
      [{ ...WALLET, metadata: 'another note' }],
    ])('%j is the wallet that is there, and names its id', async (body) => {
      const first = await post(WALLET);
      expect(await post(body)).toMatchObject({ status: 409, body: { code: 'conflict', id: first.body.id } });
      expect((await tenant.get(`/wallets/${first.body.id}`)).body).toEqual(first.body);
      expect(await walletCount()).toBe(1);
    });

    test('of 50 equal registrations at once one makes the wallet', async () => {
      // A machine that is busy otherwise may answer 503 to some: a client then tries again.
      const register = async () =>
        await eventually(
          async () => await post(WALLET),
          ({ status }) => status !== 503,
        );
      const answers = await Promise.all(Array.from({ length: 50 }, register));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
      expect(await walletCount()).toBe(1);
    });
  });

  test('422: the Idempotency-Key of another wallet, and nothing is stored', async () => {
    const headers = { 'Idempotency-Key': 'taken' };
    await post(WALLET, headers);
    const answer = await post({ ...WALLET, tag: '2' }, headers);
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await walletCount()).toBe(1);
  });
});

describe('GET /wallets/{id}', () => {
  const WALLET = { address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', asset: 'XRP', blockchain: 'XRP Ledger' };

  const tenant = useTenant(api);

  test('200: to every role of the tenant', async () => {
    const { body } = await tenant.post<Wallet>('/wallets', WALLET);
    expect(body).toMatchObject({ tag: null, metadata: null });
    const observer = await tenant.as('OBSERVER');
    expect(await observer.get(`/wallets/${body.id}`)).toMatchObject({ status: 200, body });
  });

  test('404: the wallet of another tenant', async () => {
    const other = await createTenant(api);
    const { body } = await other.post<Wallet>('/wallets', WALLET);
    expect(await tenant.get(`/wallets/${body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await other.get(`/wallets/${body.id}`)).status).toBe(200);
  });

  test.each(['9007199254740991', '99999999999999999999', '0', '-1', '1.5', 'abc', '1e3', '%00', '007'])(
    '404: %s',
    async (id) => {
      expect(await tenant.get(`/wallets/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );

  test('401: without a key', async () => {
    expect((await api.request('GET', '/wallets/1')).status).toBe(401);
  });
});

describe('PATCH /wallets/{id}', () => {
  const sender = useTenant(api);
  const tenant = useTenantPerTest(api);

  const patch = async (id: number | string, body: unknown) =>
    await tenant.patch<Wallet & Json>(`/wallets/${id}`, body);
  const register = async (address = evmAddress()) =>
    (
      await tenant.post<Wallet>('/wallets', {
        address,
        asset: 'ETH',
        blockchain: 'Ethereum',
        metadata: 'cold',
      })
    ).body;

  /** A message to the address arrives; the tenant's record of it. */
  async function receive(destination: string) {
    const parties = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
    const sent = await createTransaction(sender, { ...parties, blockchainInfo: { destination } });
    return await readTransaction(tenant, await deliver(api, sender, tenant, sent.id));
  }

  describe('200', () => {
    test('UNCONFIRMED takes the confirmation back, CONFIRMED gives it again', async () => {
      const wallet = await register();
      const taken = await patch(wallet.id, { status: 'UNCONFIRMED' });
      expect(taken).toMatchObject({
        status: 200,
        body: {
          ...wallet,
          status: 'UNCONFIRMED',
          confirmedAt: null,
          version: 2,
          updatedAt: expect.any(String) as unknown,
        },
      });
      const given = await patch(wallet.id, { status: 'CONFIRMED' });
      expect(given).toMatchObject({
        status: 200,
        body: { status: 'CONFIRMED', source: 'MANUAL', confirmedAt: expect.any(String) as unknown },
      });
      expect((await tenant.get(`/wallets/${wallet.id}`)).body).toEqual(given.body);
    });

    test('the same status again changes nothing, not even the time', async () => {
      const wallet = await register();
      expect((await patch(wallet.id, { status: 'CONFIRMED' })).body).toEqual(wallet);
    });

    test('what arrived before keeps its data, what arrives after is hidden until the wallet is confirmed again', async () => {
      const wallet = await register();
      const earlier = await receive(wallet.address);
      await patch(wallet.id, { status: 'UNCONFIRMED' });
      expect(await readTransaction(tenant, earlier.id)).toEqual(earlier);
      const later = await receive(wallet.address);
      expect([earlier.blockchainInfo.isDestinationConfirmed, earlier.originator?.name]).toEqual([
        true,
        'Anna Keller',
      ]);
      expect([later.blockchainInfo.isDestinationConfirmed, later.originator]).toEqual([false, null]);
      await patch(wallet.id, { status: 'CONFIRMED' });
      expect(await readTransaction(tenant, later.id)).toMatchObject({
        originator: { name: 'Anna Keller' },
        blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: wallet.id },
      });
      expect(await readTransaction(tenant, earlier.id)).toEqual(earlier);
    });

    test('a registered wallet routes only while it is confirmed', async () => {
      const wallet = await register();
      await patch(wallet.id, { status: 'UNCONFIRMED' });
      const sent = await createTransaction(sender, { blockchainInfo: { destination: wallet.address } });
      await database.pool.query(
        `update transactions set routing_fault = 'VASP_NOT_FOUND', wake_at = now() + interval '1 day' where id = $1`,
        [sent.id],
      );
      const told = api.outbox.length;
      await patch(wallet.id, { status: 'CONFIRMED' });
      expect(api.outbox.slice(told)).toMatchObject([
        { workflow: 'transactionLifecycle', subjectId: sent.id },
      ]);
    });

    test('metadata can be set and cleared, with the status or alone', async () => {
      const { id } = await register();
      expect((await patch(id, { metadata: 'warm' })).body).toMatchObject({
        metadata: 'warm',
        status: 'CONFIRMED',
      });
      expect((await patch(id, { metadata: null, status: 'UNCONFIRMED' })).body).toMatchObject({
        metadata: null,
        status: 'UNCONFIRMED',
      });
    });
  });

  test.each([
    ['nothing', {}, ''],
    ['an unknown status', { status: 'DELETED' }, '/status'],
    ['a status of null', { status: null }, '/status'],
    ['a field that is fixed', { status: 'CONFIRMED', address: '0x1' }, '/address'],
    ['empty metadata', { metadata: '' }, '/metadata'],
    ['an array', [1], ''],
  ])('400: %s', async (_, body, pointer) => {
    const { id } = await register();
    expect(await patch(id, body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    expect((await tenant.get(`/wallets/${id}`)).body).toMatchObject({
      status: 'CONFIRMED',
      metadata: 'cold',
    });
  });

  test.each([0, -1, 'x', 1.5, 999_999_999, '9'.repeat(30)])('404: the wallet %s', async (id) => {
    for (const body of [{ status: 'CONFIRMED' }, { status: 'UNCONFIRMED' }, { metadata: 'x' }]) {
      expect(await patch(id, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('403: an observer changes nothing', async () => {
    const { id } = await register();
    const observer = await tenant.as('OBSERVER');
    expect((await observer.patch(`/wallets/${id}`, { status: 'UNCONFIRMED' })).status).toBe(403);
    expect((await observer.delete(`/wallets/${id}`)).status).toBe(403);
    expect((await observer.get<Wallet[]>('/wallets')).body).toMatchObject([{ id, status: 'CONFIRMED' }]);
  });

  test('a record that was not delivered to the wallet is not touched by it', async () => {
    const other = await createMessagePair(api, sender, tenant, { registered: false });
    const sealed = await readTransaction(tenant, other.incomingId);
    const wallet = await register();
    await patch(wallet.id, { status: 'UNCONFIRMED' });
    await patch(wallet.id, { status: 'CONFIRMED' });
    expect(await readTransaction(tenant, other.incomingId)).toEqual(sealed);
  });
});
