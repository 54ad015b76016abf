import type { Wallet } from '../../../domain/wallets/schema.ts';
import type { Json } from '../../api-client.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createMessagePair, evmAddress, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });

// Whatever is released is screened.
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});

describe('GET /wallets', () => {
  const tenant = useTenantPerTest(api);

  async function register(wallet: Json = {}): Promise<Wallet> {
    const body = { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum', ...wallet };
    const answer = await tenant.post<Wallet>('/wallets', body);
    if (answer.status !== 201) throw new Error(`not registered: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  const list = async (query = '', headers = {}) => {
    const { status, body, headers: answered } = await tenant.get<Wallet[]>(`/wallets${query}`, { headers });
    return { status, body, total: answered.get('X-Total-Count') };
  };
  const idsOf = ({ body }: { body: Wallet[] }) => body.map((wallet) => wallet.id);

  describe('pages', () => {
    test('the newest come first, each as it is read by its id; the count is of all', async () => {
      const [first, second, third] = [
        await register(),
        await register({ metadata: 'cold' }),
        await register({ tag: '7' }),
      ];
      expect(await list()).toEqual({ status: 200, body: [third, second, first], total: '3' });
      expect(await list('?_start=1&_end=2')).toEqual({ status: 200, body: [second], total: '3' });
      expect(await list('?_start=3')).toEqual({ status: 200, body: [], total: '3' });
    });

    test('a caller who does not want the count gets none', async () => {
      await register();
      expect(await list('', { Prefer: 'count=none' })).toMatchObject({ status: 200, total: null });
    });

    test.each([
      '?_end=101',
      '?_start=2&_end=1',
      '?_sort=tag',
      '?_order=up',
      '?_status=DONE',
      '?status=CONFIRMED',
      '?q=',
    ])('%s is 400 and names the parameter', async (query) => {
      const answer = await tenant.get<{ code: string; errors: { pointer: string }[] }>(`/wallets${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(answer.body.errors[0]?.pointer).toMatch(/^\/(_end|_start|_sort|_order|_status|status|q)$/);
    });
  });

  describe('order', () => {
    const wallets = [
      {
        address: '0xBb00000000000000000000000000000000000000'.toLowerCase(),
        asset: 'usdc',
        blockchain: 'Polygon',
      },
      { address: '0xaa00000000000000000000000000000000000000', asset: 'ETH', blockchain: 'Base' },
      { address: '0xcc00000000000000000000000000000000000000', asset: 'DAI', blockchain: 'Arbitrum' },
    ];

    test.each([
      ['createdAt', [0, 1, 2]],
      ['updatedAt', [1, 2, 0]],
      ['id', [0, 1, 2]],
      ['address', [1, 0, 2]],
      ['asset', [2, 1, 0]],
      ['blockchain', [2, 1, 0]],
      ['status', [1, 2, 0]],
    ])('by %s ascends when only the field is named, and descends on demand', async (field, order) => {
      const made: Wallet[] = [];
      for (const wallet of wallets) made.push(await register(wallet));
      await tenant.patch(`/wallets/${made[0]?.id}`, { status: 'UNCONFIRMED' });
      const ids = order.map((index) => made[index]?.id);
      expect(idsOf(await list(`?_sort=${field}`))).toEqual(ids);
      expect(idsOf(await list(`?_sort=${field}&_order=DESC`)).at(-1)).toBe(ids[0]);
    });

    test('equal values are ordered by id, so that pages neither repeat nor miss one', async () => {
      const made: number[] = [];
      for (let count = 0; count < 7; count += 1) made.push((await register()).id);
      const pages: number[] = [];
      for (let start = 0; start < 7; start += 2) {
        pages.push(...idsOf(await list(`?_sort=asset&_start=${start}&_end=${start + 2}`)));
      }
      expect(pages).toEqual(made);
    });
  });

  test('_status shows those of one state, a detected wallet among the unconfirmed', async () => {
    const confirmed = await register();
    const sender = await createTenant(api);
    const { destination } = await createMessagePair(api, sender, tenant, { registered: false });
    expect(idsOf(await list('?_status=CONFIRMED'))).toEqual([confirmed.id]);
    const unconfirmed = await list('?_status=UNCONFIRMED');
    expect(unconfirmed).toMatchObject({
      total: '1',
      body: [{ address: destination, source: 'DETECTED', status: 'UNCONFIRMED', confirmedAt: null }],
    });
  });

  describe('q finds', () => {
    const CHECKSUMMED = '0x52908400098527886E0F7030069857D2E4169EE7';
    const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

    test.each([
      ['an address as it was written', CHECKSUMMED],
      ['an address in another case', CHECKSUMMED.toLowerCase()],
      ['the beginning of an address', '0x529084'],
      ['an asset in another case', 'usdt'],
      ['the beginning of an asset', 'US'],
      ['a word of the metadata, accents and case folded', 'zurich'],
      ['the beginning of a word', 'kell'],
      ['words in any order', 'Zürich cold KELLER'],
    ])('%s', async (_, q) => {
      const wallet = await register({
        address: CHECKSUMMED,
        asset: 'USDT',
        metadata: 'Cold store Zürich, Keller 7',
      });
      await register({ address: BTC, asset: 'BTC', blockchain: 'Bitcoin', metadata: 'warm' });
      expect(await list(`?q=${encodeURIComponent(q)}`)).toMatchObject({
        total: '1',
        body: [{ id: wallet.id }],
      });
    });

    test.each([
      ['a part in the middle of an address', '908400098527'],
      ['a word that is not there', 'warmer'],
      ['only some of the words', 'cold attic'],
      ['two letters of a longer word', 'ke'],
      ['a wildcard', '%'],
      ['a character that stands for any', '_x52'],
      ['nothing but punctuation', '!?'],
    ])('nothing by %s', async (_, q) => {
      await register({ address: CHECKSUMMED, asset: 'USDT', metadata: 'Cold store Zürich, Keller 7' });
      expect(await list(`?q=${encodeURIComponent(q)}`)).toMatchObject({ status: 200, total: '0', body: [] });
    });

    test('all assets by *', async () => {
      const { id } = await register({ asset: '*' });
      await register();
      expect(idsOf(await list('?q=*'))).toEqual([id]);
    });

    test('within a state only', async () => {
      const { id } = await register({ metadata: 'cold' });
      expect(idsOf(await list('?q=cold&_status=CONFIRMED'))).toEqual([id]);
      expect(idsOf(await list('?q=cold&_status=UNCONFIRMED'))).toEqual([]);
    });

    test('the metadata as it is after an update, by PATCH and by registering again, and no longer as it was', async () => {
      const wallet = await register({ metadata: 'first' });
      await tenant.patch(`/wallets/${wallet.id}`, { metadata: 'second' });
      expect([idsOf(await list('?q=first')), idsOf(await list('?q=second'))]).toEqual([[], [wallet.id]]);
      await tenant.patch(`/wallets/${wallet.id}`, { status: 'UNCONFIRMED' });
      await register({ address: wallet.address, metadata: 'third' });
      expect([idsOf(await list('?q=second')), idsOf(await list('?q=third'))]).toEqual([[], [wallet.id]]);
      await tenant.patch(`/wallets/${wallet.id}`, { metadata: null });
      expect(idsOf(await list('?q=third'))).toEqual([]);
      expect((await tenant.get(`/wallets/${wallet.id}`)).body).toMatchObject({ metadata: null });
    });

    test('nothing of another tenant', async () => {
      await register({ metadata: 'cold' });
      const stranger = await createTenant(api);
      for (const q of ['cold', 'ETH', '0x']) {
        expect((await stranger.get<Wallet[]>(`/wallets?q=${q}`)).body).toEqual([]);
      }
    });
  });

  test('metadata and its words are stored in no readable form', async () => {
    const { id } = await register({ metadata: 'Zanarrio vault' });
    const { rows } = await database.pool.query<{ text: string }>(
      'select w::text as text from wallets w where id = $1',
      [id],
    );
    const hex = Buffer.from('Zanarrio').toString('hex');
    expect(rows[0]?.text).not.toMatch(new RegExp(`zanarrio|${hex}`, 'i'));
  });
});

describe('PATCH and DELETE /wallets', () => {
  const sender = useTenant(api);
  const tenant = useTenantPerTest(api, { webhookUrl: 'https://hooks.receiver.example/' });

  const ENDED = '999999999';
  const METHODS = ['PATCH', 'DELETE'] as const;
  const bulk = async <T = Json>(method: (typeof METHODS)[number], body: unknown, key = tenant.apiKey) =>
    await api.request<T>(method, '/wallets', { key, body });

  /** A wallet that a message has arrived for, with the record that is sealed because of it. */
  async function detect(): Promise<{ wallet: number; record: string; address: string }> {
    const { incomingId, destination } = await createMessagePair(api, sender, tenant, { registered: false });
    const { blockchainInfo } = await readTransaction(tenant, incomingId);
    return { wallet: blockchainInfo.destinationWalletId ?? 0, record: incomingId, address: destination };
  }

  const register = async (wallet: Json = {}) =>
    (
      await tenant.post<Wallet>('/wallets', {
        address: evmAddress(),
        asset: 'ETH',
        blockchain: 'Ethereum',
        ...wallet,
      })
    ).body;
  const readWallet = async (id: number) => await tenant.get<Wallet>(`/wallets/${id}`);

  describe.each(METHODS)('%s /wallets', (method) => {
    test('with an unknown id is 404, names the ids that are unknown, and changes nothing', async () => {
      const { wallet, record } = await detect();
      const foreign = (await detectFor(await createTenant(api))).wallet;
      const before = await readTransaction(tenant, record);
      const answer = await bulk(method, [wallet, Number(ENDED), foreign]);
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'not_found', ids: [Number(ENDED), foreign] },
      });
      expect((await readWallet(wallet)).body.status).toBe('UNCONFIRMED');
      expect(await readTransaction(tenant, record)).toEqual(before);
    });

    test.each([
      ['no ids', [], '', 'too_small'],
      ['more than 1,000', Array.from({ length: 1_001 }, (_, index) => index + 1), '', 'too_big'],
      ['an object', { ids: [1] }, '', 'invalid_type'],
      ['text for a number', [1, '2'], '/1', 'invalid_type'],
      ['a fraction', [1.5], '/0', 'invalid_type'],
      ['zero', [0], '/0', 'too_small'],
      ['a number beyond all ids', [2 ** 60], '/0', 'too_big'],
      ['null', [null], '/0', 'invalid_type'],
    ])('with %s is 400', async (_, body, pointer, code) => {
      expect(await bulk(method, body)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer, code }] },
      });
    });

    test('without a body is 400, with another content type 415', async () => {
      expect(await api.request(method, '/wallets', { key: tenant.apiKey })).toMatchObject({
        status: 400,
        body: { code: 'malformed_json' },
      });
      const headers = { 'Content-Type': 'text/plain' };
      const answer = await api.request(method, '/wallets', { key: tenant.apiKey, body: '[1]', headers });
      expect(answer.status).toBe(415);
    });

    test('is not for observers', async () => {
      const { wallet } = await detect();
      const { apiKey } = await tenant.as('OBSERVER');
      expect(await bulk(method, [wallet], apiKey)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
      expect((await readWallet(wallet)).body.status).toBe('UNCONFIRMED');
    });

    test('of 1,000 wallets at once is one call', async () => {
      await database.pool.query(
        `insert into wallets (tenant_id, address, address_normal, asset, blockchain, blockchain_key, status, source,
           created_at, updated_at)
         select $1, 'a' || n, 'a' || n, 'ETH', 'x', 'x', 'UNCONFIRMED', 'DETECTED', now(), now()
         from generate_series(1, 1000) n`,
        [tenant.id],
      );
      const { rows } = await database.pool.query<{ id: string }>(
        'select id from wallets where tenant_id = $1',
        [tenant.id],
      );
      const answer = await bulk(
        method,
        rows.map(({ id }) => Number(id)),
      );
      expect(answer.status).toBe(method === 'PATCH' ? 200 : 204);
      const left = await tenant.get<Wallet[]>('/wallets?_status=UNCONFIRMED');
      expect(left.headers.get('X-Total-Count')).toBe('0');
    });
  });

  async function detectFor(other: TestTenant) {
    const { incomingId } = await createMessagePair(api, sender, other, { registered: false });
    const { blockchainInfo } = await readTransaction(other, incomingId);
    return { wallet: blockchainInfo.destinationWalletId ?? 0 };
  }

  describe('PATCH /wallets', () => {
    test('answers the wallets in the order of their ids, confirmed, one that is named twice once', async () => {
      const [a, b] = [await detect(), await detect()];
      const registered = await register();
      const answer = await bulk<Wallet[]>('PATCH', [b.wallet, registered.id, a.wallet, b.wallet]);
      expect(answer).toMatchObject({
        status: 200,
        body: [
          {
            id: b.wallet,
            status: 'CONFIRMED',
            source: 'DETECTED',
            confirmedAt: expect.any(String) as unknown,
          },
          registered,
          { id: a.wallet, status: 'CONFIRMED' },
        ],
      });
      expect((await readWallet(a.wallet)).body).toEqual(answer.body[2]);
    });

    test('shows the personal data at the next read, in the record, the list and the search', async () => {
      const detected = [await detect(), await detect()];
      expect((await tenant.get<Json[]>('/transactions?q=keller')).body).toEqual([]);
      await bulk(
        'PATCH',
        detected.map(({ wallet }) => wallet),
      );
      for (const { record, wallet } of detected) {
        expect(await readTransaction(tenant, record)).toMatchObject({
          originator: { name: 'Anna Keller' },
          subStatus: 'ON_HOLD',
          blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: wallet },
        });
      }
      expect((await tenant.get<Json[]>('/transactions?q=keller')).body).toHaveLength(2);
    });

    test('again changes nothing and sends nothing', async () => {
      const { wallet, record } = await detect();
      const first = await bulk('PATCH', [wallet]);
      const before = await readTransaction(tenant, record);
      const told = api.outbox.length;
      expect((await bulk('PATCH', [wallet])).body).toEqual(first.body);
      expect(await readTransaction(tenant, record)).toEqual(before);
      expect(api.outbox).toHaveLength(told);
    });

    test('of a detected wallet does not make messages route to it; registering it does', async () => {
      const { wallet, address } = await detect();
      await bulk('PATCH', [wallet]);
      const holders = async () =>
        (
          await database.pool.query<{ tenant_id: string }>(
            `select tenant_id from wallets
             where address_normal = $1 and status = 'CONFIRMED' and source <> 'DETECTED'`,
            [address],
          )
        ).rows;
      expect(await holders()).toEqual([]);
      const answer = await tenant.post('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' });
      expect([answer.status, await holders()]).toEqual([201, [{ tenant_id: tenant.id }]]);
    });
  });

  describe('deletion', () => {
    test('before the confirmation leaves the data hidden, and registering the wallet shows it after all', async () => {
      const { wallet, record, address } = await detect();
      const sealed = await readTransaction(tenant, record);
      expect((await bulk('DELETE', [wallet])).status).toBe(204);
      expect((await readWallet(wallet)).status).toBe(404);
      expect(await readTransaction(tenant, record)).toEqual(sealed);
      expect(sealed).toMatchObject({ originator: null, beneficiary: null });
      expect(await bulk('PATCH', [wallet])).toMatchObject({ status: 404 });
      const { body } = await tenant.post<Wallet>('/wallets', {
        address,
        asset: 'ETH',
        blockchain: 'Ethereum',
      });
      expect(await readTransaction(tenant, record)).toMatchObject({
        originator: { name: 'Anna Keller' },
        blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: body.id },
      });
    });

    test('after the confirmation changes nothing that was visible', async () => {
      const { wallet, record } = await detect();
      await bulk('PATCH', [wallet]);
      const visible = await readTransaction(tenant, record);
      expect((await tenant.delete(`/wallets/${wallet}`)).status).toBe(204);
      expect(await readTransaction(tenant, record)).toEqual(visible);
      expect(visible.originator).toMatchObject({ name: 'Anna Keller' });
    });

    test('of one wallet answers 404 the second time', async () => {
      const { id } = await register();
      expect((await tenant.delete(`/wallets/${id}`)).status).toBe(204);
      expect(await tenant.delete(`/wallets/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    });
  });
});
