import type { z } from 'zod';
import type { ConfiguredChain } from '../../../chains/chains-file.ts';
import { openAml } from '../../../aml/open-aml.ts';
import type { AmlCheck } from '../../../domain/aml/check.ts';
import type { HistoryEntry } from '../../../domain/aml/history.ts';
import { walletKeys } from '../../../domain/sanctions/wallet-key.ts';
import {
  AMLBOT_KEY,
  CRYSTAL_KEY,
  fakeAmlbot,
  fakeCrystal,
  fakeScorechain,
  SCORECHAIN_KEY,
} from '../../aml/vendors.ts';
import type { Json } from '../../api-client.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { evmAddress, evmHash } from '../../factories/transaction.ts';
import { fakeVendor, type FakeVendor } from '../../fakes/aml-vendor.ts';
import { useApi, useTenant } from '../../use-api.ts';

type Check = z.infer<typeof AmlCheck>;
type Key = { key: string | null; status: string; refusedStatus: number | null };

let vendors: FakeVendor[];
let node: FakeVendor;
let nowMs = Date.now() - 600_000;

const BITCOIN = 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh';
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const PAYEE = '0x00000000219ab540356cbb839cbe05303d7705fa';

const { api, database } = useApi(async () => {
  vendors = [await fakeAmlbot(), await fakeCrystal(), await fakeScorechain()];
  node = await fakeVendor(({ path, text }) => chainAnswer(path, text));
  const [AMLBOT_URL, CRYSTAL_URL, SCORECHAIN_URL] = vendors.map(({ url }) => url) as [string, string, string];
  const chains = [
    chainOf('Ethereum', { rpcUrl: [node.url] }),
    chainOf('Bitcoin', { esploraUrl: [node.url] }),
  ];
  return { config: { AMLBOT_URL, CRYSTAL_URL, SCORECHAIN_URL, chains } };
});
const tenant = useTenant(api);
beforeAll(() => {
  const { config } = api;
  api.deps.aml = openAml({
    db: api.db,
    settings: config,
    onTrouble: () => undefined,
    now: () => new Date(nowMs),
  });
});
afterAll(() => {
  for (const vendor of [...vendors, node]) vendor.stop();
});

const KEYS = { amlbot: AMLBOT_KEY, crystal: CRYSTAL_KEY, scorechain: SCORECHAIN_KEY };
const put = async (of: Pick<TestTenant, 'put'>, provider: string, key?: unknown) =>
  await of.put<Key>('/tenant/me/service-keys', {
    feature: 'aml_check',
    provider,
    ...(key !== undefined && { key }),
  });

async function tenantWith(provider: keyof typeof KEYS | 'builtin'): Promise<TestTenant> {
  const made = await createTenant(api);
  const { status } = await put(made, provider, provider === 'builtin' ? undefined : KEYS[provider]);
  expect(status).toBe(200);
  return made;
}

const walletPath = (address: string, chain = 'Ethereum') => `/aml/analysis/${chain}/wallet/${address}`;
const check = async (of: TestTenant, path: string) => (await of.get<Check>(path)).body;

describe('service keys', () => {
  test('PUT answers the key in encrypted form; nobody gets to see it again, in store or in the log', async () => {
    const own = await createTenant(api);
    for (const [provider, key] of Object.entries(KEYS)) {
      const { status, body } = await put(own, provider, key);
      expect([status, body]).toMatchObject([200, { feature: 'aml_check', provider, status: 'ACTIVE' }]);
      expect(body.key).toMatch(/^v1\.[\w-]{40,}$/);
      const usage = { checks: 0, credits: 0 };
      expect((await own.get('/tenant/me/service-keys')).body).toEqual([{ ...body, usage }]);
    }
    const { rows } = await database.pool.query<Json>('select s::text from service_keys s');
    const everything = JSON.stringify([rows, api.log]);
    for (const secret of [AMLBOT_KEY.accessKey, AMLBOT_KEY.accessId, CRYSTAL_KEY, SCORECHAIN_KEY]) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
      ]) {
        expect(everything).not.toContain(form);
      }
    }
  });

  test('DELETE switches off: 204, then 404, and checks are 409', async () => {
    const own = await tenantWith('crystal');
    expect((await own.delete('/tenant/me/service-keys/aml_check')).status).toBe(204);
    expect((await own.delete('/tenant/me/service-keys/aml_check')).status).toBe(404);
    expect((await own.delete('/tenant/me/service-keys/other')).status).toBe(404);
    expect(await own.get(walletPath(evmAddress()))).toMatchObject({ status: 409 });
    expect(await own.get('/tenant/me/service-keys')).toMatchObject({ status: 200, body: [] });
  });

  test('GET tells that the provider refused the key', async () => {
    const own = await createTenant(api);
    await put(own, 'crystal', 'not-the-key');
    expect(await own.get(walletPath(evmAddress()))).toMatchObject({
      status: 502,
      body: { code: 'provider_error' },
    });
    const { body } = await own.get<Key[]>('/tenant/me/service-keys');
    expect(body).toMatchObject([{ status: 'REFUSED', refusedStatus: 401 }]);
    expect((await put(own, 'crystal', CRYSTAL_KEY)).body).toMatchObject({
      status: 'ACTIVE',
      refusedStatus: null,
    });
  });

  test.each<[string, Json, string]>([
    ['an unknown provider', { provider: 'elliptic', key: 'k' }, '/provider'],
    ['an unknown feature', { feature: 'kyt', provider: 'crystal', key: 'k' }, '/feature'],
    ['half a key', { provider: 'amlbot', key: { accessId: 'a' } }, '/key/accessKey'],
    ['a string for amlbot', { provider: 'amlbot', key: 'k' }, '/key'],
    ['an object for crystal', { provider: 'crystal', key: AMLBOT_KEY }, '/key'],
    ['no key', { provider: 'scorechain' }, '/key'],
    ['a key that breaks out of a header', { provider: 'crystal', key: 'a\r\nX: b' }, '/key'],
    ['a key for builtin', { provider: 'builtin', key: 'k' }, '/key'],
    ['an unknown field', { provider: 'crystal', key: 'k', url: 'http://x' }, '/url'],
  ])('400: %s', async (_what, fields, pointer) => {
    const { status, body } = await tenant.put<{ errors: { pointer: string }[] }>('/tenant/me/service-keys', {
      feature: 'aml_check',
      ...fields,
    });
    expect([status, body.errors[0]?.pointer]).toEqual([400, pointer]);
    expect((await tenant.get('/tenant/me/service-keys')).body).toEqual([]);
  });
});

describe('history', () => {
  test('is paged, filtered by type, newest first and by tenant', async () => {
    const own = await tenantWith('scorechain');
    const first = await check(own, walletPath(evmAddress()));
    nowMs += 1_000;
    const second = await check(own, `/aml/analysis/Ethereum/transaction/${evmHash()}`);
    const ids = async (query: string) =>
      (await own.get<HistoryEntry[]>(`/aml/search/history${query}`)).body.map(({ id }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('?type=wallet')).toEqual([first.id]);
    expect(await ids('?offset=1&limit=1')).toEqual([first.id]);
    expect((await tenant.get('/aml/search/history')).body).toEqual([]);
    for (const [query, pointer] of [
      ['?limit=101', '/limit'],
      ['?limit=0', '/limit'],
      ['?offset=-1', '/offset'],
      ['?type=tx', '/type'],
      ['?page=1', '/page'],
    ]) {
      expect(await own.get(`/aml/search/history${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
    }
  });

  test('amlbot: by the stored reference, for nothing, and the entry is updated', async () => {
    const [own, amlbot] = [await tenantWith('amlbot'), vendors[0] as FakeVendor];
    const made = await check(own, walletPath(evmAddress()));
    const again = await check(own, `/aml/search/history/${made.id}`);
    expect(again).toMatchObject({
      id: made.id,
      providerRef: made.providerRef,
      recheckOf: null,
      cost: { credits: 0 },
    });
    expect(amlbot.seen.at(-1)).toMatchObject({ path: '/recheck', form: { uid: made.providerRef } });
    expect((await own.get<Json[]>('/aml/search/history')).body).toHaveLength(1);
  });

  test('amlbot: an entry without a reference is paid once more, and never again', async () => {
    const [own, amlbot] = [await tenantWith('amlbot'), vendors[0] as FakeVendor];
    const made = await check(own, walletPath(evmAddress()));
    await database.pool.query('update aml_checks set provider_ref = null where id = $1', [made.id]);
    const refetched = await check(own, `/aml/search/history/${made.id}`);
    expect(refetched).toMatchObject({ id: made.id, cost: { credits: 1, repeated: false } });
    expect(refetched.providerRef).not.toBe(made.providerRef);
    expect(await check(own, `/aml/search/history/${made.id}`)).toMatchObject({
      providerRef: refetched.providerRef,
      cost: { credits: 0 },
    });
    expect(amlbot.seen.slice(-2).map(({ path }) => path)).toEqual(['/', '/recheck']);
  });

  test('others: a fresh request, an entry of its own; a repeat within half a minute gets the same', async () => {
    const own = await tenantWith('crystal');
    const made = await check(own, walletPath(evmAddress()));
    nowMs += 40_000;
    const again = await check(own, `/aml/search/history/${made.id}`);
    expect(again).toMatchObject({ recheckOf: made.id, cost: { credits: 1, cached: false } });
    expect(again.id).not.toBe(made.id);
    const repeated = await check(own, `/aml/search/history/${made.id}`);
    expect(repeated).toMatchObject({ id: again.id, cost: { credits: 0, cached: true } });
    const { body: keys } = await own.get('/tenant/me/service-keys');
    expect(keys).toMatchObject([{ usage: { checks: 2, credits: 2 } }]);
    expect((await own.get<Json[]>('/aml/search/history')).body).toHaveLength(2);
  });

  test("404: another tenant's entry, and none", async () => {
    const made = await check(await tenantWith('scorechain'), walletPath(evmAddress()));
    for (const id of [made.id, made.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'x']) {
      expect(await tenant.get(`/aml/search/history/${id}`)).toMatchObject({ status: 404 });
    }
  });

  test('what is stored can be read by the tenant only', async () => {
    const own = await tenantWith('crystal');
    await check(own, walletPath(evmAddress()));
    const { rows } = await database.pool.query<{ sealed: Buffer }>(
      'select sealed from aml_checks where tenant_id = $1',
      [own.id],
    );
    expect(rows[0]?.sealed.toString('latin1')).not.toContain('Blender');
  });
});

describe('builtin', () => {
  test('a listed wallet is 100, one with labels as bad as the worst, the own one low, another not known', async () => {
    const own = await tenantWith('builtin');
    const [listed, mixer, exchange, unknown] = [evmAddress(), evmAddress(), evmAddress(), evmAddress()];
    await label([
      [mixer, 'exchange'],
      [mixer, 'mixing_service'],
      [exchange, 'exchange'],
    ]);
    const notSure = await check(own, walletPath(exchange));
    expect(notSure).toMatchObject({ riskScore: null, reason: 'NO_SANCTIONS_LIST', sanctioned: null });
    await list(listed);
    expect(await check(own, walletPath(listed))).toMatchObject({
      provider: 'builtin',
      riskScore: 100,
      riskSeverity: 'high',
      sanctioned: true,
      entity: { type: 'sanction_list', name: 'LISTED PERSON' },
      evidence: [{ source: 'OFAC_SDN', reference: '4711', score: 100 }],
      cost: { credits: 0 },
    });
    expect(await check(own, walletPath(mixer))).toMatchObject({
      riskScore: 85,
      sanctioned: false,
      evidence: [{ type: 'mixing_service', source: 'test' }, { type: 'exchange' }],
    });
    expect(await check(own, walletPath(exchange))).toMatchObject({ riskScore: 10, riskSeverity: 'low' });
    expect(await check(own, walletPath(unknown))).toMatchObject({
      riskScore: null,
      riskSeverity: null,
      status: 'UNSUPPORTED',
      reason: 'NOT_FOUND',
      sanctioned: false,
    });
    await own.post('/wallets', { address: unknown, asset: 'ETH', blockchain: 'Ethereum' });
    expect(await check(own, walletPath(unknown))).toMatchObject({
      riskScore: 10,
      evidence: [{ source: 'OWN_REGISTRY' }],
    });
    const path = `/aml/analysis/Ethereum/transaction/${evmHash()}`;
    expect(await check(own, `${path}?address=${mixer}`)).toMatchObject({
      riskScore: 85,
      contextAddress: mixer.toLowerCase(),
    });
    expect(await check(own, path)).toMatchObject({
      riskScore: null,
      riskSeverity: null,
      reason: 'ADDRESS_NEEDED',
    });
  });

  async function label(labels: [address: string, type: string][]): Promise<void> {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into label_imports (source, is_bundled, is_active, started_at) values ('test', false, true, now()) returning id`,
    );
    for (const [address, type] of labels) {
      await database.pool.query(
        `insert into labels (import_id, address_key, label, type, confidence) values ($1, $2, $3, $3, 90)`,
        [rows[0]?.id, address.toLowerCase(), type],
      );
    }
  }

  async function list(address: string): Promise<void> {
    await database.pool.query(`
        insert into sanctions_lists (code, active_version, last_version, created_at) values ('OFAC_SDN', 1, 1, now());
        insert into sanctions_versions (code, version, state, source, format, sha256, received_at, entries, names, wallets,
          added, changed, removed, faults, parser_version)
        values ('OFAC_SDN', 1, 'ACTIVE', 'UPLOAD', 'CSV', '', now(), 1, 1, 1, 1, 0, 0, 0, '1');
        insert into sanctions_entries (code, source_id, row_hash, entry, version_added)
        values ('OFAC_SDN', '4711', '', '{"names": [{"text": "LISTED PERSON", "kind": "primary"}]}', 1);
      `);
    await database.pool.query(
      `insert into sanctions_wallets (entry_id, asset, address, address_key) select id, 'ETH', $1, key from sanctions_entries, unnest($2::text[]) as key`,
      [address, walletKeys(address)],
    );
  }
});

describe('search', () => {
  test('names every chain that a text fits, checked ones first', async () => {
    const [own, address] = [await tenantWith('scorechain'), evmAddress()];
    const made = await check(own, walletPath(address, 'Polygon'));
    const { body } = await own.get<{ items: Json[]; total: number }>(`/aml/search?q=${address}&limit=2`);
    expect(body.items).toMatchObject([
      {
        type: 'wallet',
        blockchain: 'Polygon',
        entity: { name: 'Dark Bazaar' },
        lastCheck: { id: made.id, riskScore: 95 },
      },
      { type: 'wallet', blockchain: 'Ethereum', value: address.toLowerCase(), lastCheck: null },
    ]);
    expect(body.total).toBeGreaterThan(10);
    const hash = await own.get<{ items: Json[] }>(`/aml/search?q=${evmHash()}`);
    expect(hash.body.items.map(({ type }) => type)).toContain('transaction');
    expect((await own.get(`/aml/search?q=no%20body!`)).body).toEqual({ items: [], total: 0 });
    expect((await own.get('/aml/search')).body).toMatchObject({ errors: [{ pointer: '/q' }] });
    expect((await tenant.get(`/aml/search?q=${BITCOIN}`)).status).toBe(409);
  });
});

describe('what the chain tells', () => {
  const txid = 'ab'.repeat(32);

  test('receivers: outputs without change, recipients of tokens; 200 with a reason where nothing can be told', async () => {
    const own = await tenantWith('builtin');
    const receivers = async (chain: string, hash: string) =>
      (await own.get(`/aml/analysis/${chain}/transaction/${hash}/receivers`)).body;
    expect(await receivers('Bitcoin', txid)).toMatchObject({
      supported: true,
      source: 'CHAIN_NODE',
      items: [{ address: BITCOIN, amount: '0.5', asset: 'BTC' }],
    });
    expect(await receivers('Ethereum', `0x${txid}`)).toMatchObject({
      items: [
        { address: PAYEE, amount: '1.5', asset: 'ETH' },
        { address: PAYEE, amount: '2.5', asset: 'USDT' },
        { address: PAYEE, amount: null, asset: `0x${'99'.repeat(20)}` },
      ],
    });
    expect(await receivers('Ethereum', `0x${'00'.repeat(32)}`)).toMatchObject({
      reason: 'NOT_FOUND',
      items: [],
    });
    expect(await receivers('Bitcoin', '00'.repeat(32))).toMatchObject({ reason: 'NOT_FOUND', items: [] });
    expect(await receivers('Bitcoin', 'ff'.repeat(32))).toMatchObject({
      reason: 'SOURCE_UNAVAILABLE',
      items: [],
    });
    expect(await receivers('Tron', txid)).toMatchObject({
      supported: false,
      reason: 'NO_CHAIN_SOURCE',
      items: [],
    });
    expect((await tenant.get(`/aml/analysis/Tron/transaction/${txid}/receivers`)).status).toBe(409);
  });

  test('transactions of a wallet', async () => {
    const own = await tenantWith('builtin');
    const path = `${walletPath(BITCOIN, 'Bitcoin')}/transactions`;
    expect((await own.get(path)).body).toMatchObject({
      supported: true,
      items: [
        {
          hash: txid,
          direction: 'incoming',
          amount: '0.5',
          asset: 'BTC',
          counterparty: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
        },
      ],
    });
    expect((await own.get(`${path}?offset=1`)).body).toMatchObject({ items: [] });
    expect((await own.get(`${walletPath(evmAddress())}/transactions`)).body).toMatchObject({
      supported: false,
      items: [],
    });
    expect((await own.get(`${path}?limit=1000`)).status).toBe(400);
  });
});

function chainOf(name: string, urls: Json) {
  const isEvm = name === 'Ethereum';
  return {
    name,
    aliases: [],
    caip2: '',
    kind: isEvm ? 'EVM' : 'BITCOIN',
    nativeAsset: isEvm ? 'ETH' : 'BTC',
    decimals: isEvm ? 18 : 8,
    addressFormat: isEvm ? 'EVM' : 'BITCOIN',
    confirmations: 1,
    rpcUrl: [],
    esploraUrl: [],
    bitcoindUrl: [],
    pollMs: 5_000,
    tokens: isEvm ? [{ asset: 'USDT', address: USDT, decimals: 6 }] : [],
    ...urls,
  } as unknown as ConfiguredChain;
}

/** A node of Ethereum and an Esplora in one. */
function chainAnswer(path: string, text: string) {
  if (path === '/') return { json: rpcAnswer(JSON.parse(text) as { method: string; params: [string] }) };
  const payer = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
  const transaction = {
    txid: 'ab'.repeat(32),
    fee: 100,
    weight: 400,
    vin: [{ prevout: { scriptpubkey_address: payer, scriptpubkey_type: 'p2pkh', value: 60_000_100 } }],
    vout: [
      { scriptpubkey_address: BITCOIN, scriptpubkey_type: 'v0_p2wpkh', value: 50_000_000 },
      { scriptpubkey_address: payer, scriptpubkey_type: 'p2pkh', value: 10_000_000 },
    ],
    status: { confirmed: true, block_height: 800_000, block_time: 1_700_000_000 },
  };
  if (path.includes('00'.repeat(32))) return { status: 404, text: 'Transaction not found' };
  if (path.includes('ff'.repeat(32))) return { status: 500, text: 'oops' };
  return { json: path.startsWith('/tx/') ? transaction : [transaction] };
}

function rpcAnswer({ method, params: [hash] }: { method: string; params: [string] }) {
  if (hash === `0x${'00'.repeat(32)}`) return { result: null };
  if (method === 'eth_getTransactionByHash') return { result: { to: PAYEE, value: '0x14d1120d7b160000' } };
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`;
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const topics = [transfer, word('1'), word(PAYEE.slice(2))];
  const logs = [USDT, `0x${'99'.repeat(20)}`].map((address) => ({ address, topics, data: word('2625a0') }));
  return { result: { logs } };
}
