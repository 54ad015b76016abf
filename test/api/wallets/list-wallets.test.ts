import type { Wallet } from '../../../domain/wallets/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createExchange, evmAddress } from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { RATE_LIMIT_WRITES: 0 } });
});
beforeEach(async () => {
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

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
  const { destination } = await createExchange(api, sender, tenant, { registered: false });
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
