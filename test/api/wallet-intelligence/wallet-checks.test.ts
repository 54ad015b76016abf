import { openObserver } from '../../../wallet-intelligence/observe-wallet.ts';
import { readChains } from '../../../chains/chains-file.ts';
import type { WalletCheck } from '../../../domain/wallet-intelligence/schema.ts';
import { beginImport, copyLabels, activateImport } from '../../../db/labels/label-imports.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { labelPlace } from '../../../domain/labels/label-key.ts';
import type { Json } from '../../api-client.ts';
import { describeWithAnvil, startAnvil, type Anvil } from '../../chains/anvil.ts';
import { creationOf } from '../../chains/wallet-contracts.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { evmAddress, evmHash } from '../../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../../factories/verification.ts';
import { startFakeService, type FakeService, type Trouble } from '../../fakes/chain-services.ts';
import { useApi, useTenant } from '../../use-api.ts';
import { fileChains } from '../../chains/file-chains.ts';

/** Long enough for a busy machine: a service that answers late was in trouble, and is asked again. */
const LIMIT_MS = 3_000;
const BITCOIN = 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh';
const REGISTRY = `0x${'8004'.repeat(10)}`;
const EXCHANGE = '0xbe0eb53f46cd790cd13851d5eff43d12404d33e8';

let node: FakeService;
let indexer: FakeService;
let esplora: FakeService;

/** What the node says by method; what it does not know is 0x0. */
let state: Record<string, string>;
let calls: Json[];
let transfers: Json[];
let bitcoin: Json[];

const registerChains = fileChains();

const { api, database } = useApi(async () => {
  node = await startFakeService(({ body }) => {
    const { method } = JSON.parse(body) as { method: string };
    return { jsonrpc: '2.0', id: 1, result: state[method] ?? '0x0' };
  });
  indexer = await startFakeService(({ url }) => {
    const all = url.searchParams.get('action') === 'txlist' ? calls : transfers;
    const page = Number(url.searchParams.get('page'));
    return {
      status: all.length > 0 ? '1' : '0',
      message: 'OK',
      result: all.slice((page - 1) * 100, page * 100),
    };
  });
  esplora = await startFakeService(() => bitcoin);
  const evm = { kind: 'EVM', nativeAsset: 'ETH', decimals: 18 };
  const { chains, faults } = readChains(
    JSON.stringify([
      {
        ...evm,
        name: 'Watched',
        caip2: 'eip155:7001',
        rpcUrl: ['http://127.0.0.1:9', node.url],
        indexerUrl: `${indexer.url}/api?apikey=secret`,
        agentRegistry: REGISTRY,
      },
      { ...evm, name: 'Only Node', caip2: 'eip155:7002', rpcUrl: node.url },
      {
        name: 'Solana',
        caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        kind: 'SOLANA',
        nativeAsset: 'SOL',
        decimals: 9,
        rpcUrl: node.url,
      },
      {
        name: 'Bitcoin',
        caip2: 'bip122:000000000019d6689c085ae165831e93',
        kind: 'BITCOIN',
        nativeAsset: 'BTC',
        decimals: 8,
        indexerUrl: `${esplora.url}/api/`,
      },
    ]),
  );
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  registerChains(chains);
  return { config: { chains }, deps: { observeWallet: openObserver(chains, LIMIT_MS) } };
});
const tenant = useTenant(api);
const other = useTenant(api);
beforeAll(async () => await importLabel(EXCHANGE));
afterAll(async () => {
  await Promise.all([node.stop(), indexer.stop(), esplora.stop()]);
});
beforeEach(() => {
  state = { eth_chainId: '0x1b59', eth_getCode: '0x' };
  [calls, transfers, bitcoin] = [[], [], []];
  for (const service of [node, indexer, esplora]) Object.assign(service, { trouble: 'NONE', asked: [] });
});

async function importLabel(address: string): Promise<void> {
  const place = labelPlace('Ethereum', address);
  if (!place) throw new Error('no address');
  const importId = await beginImport(database.pool, { isBundled: false, now: new Date() });
  await inTransaction(database.pool, async (tx) => {
    const label = {
      ...place,
      label: 'Reserve',
      type: 'exchange',
      entityId: 'acme',
      entityName: 'Acme',
      confidence: 100,
      lastModified: null,
      reference: null,
    } as const;
    await copyLabels(tx, importId, [label]);
    await activateImport(tx, {
      importId,
      source: 'mine',
      version: null,
      labels: 1,
      sha256: null,
      now: new Date(),
    });
  });
}

const check = async (blockchain: string, address: string, by = tenant, query = '') =>
  (await by.get<WalletCheck>(`/kyw/${encodeURIComponent(blockchain)}/${address}${query}`)).body;
const register = async (address: string, by: TestTenant, status?: string) => {
  const { body } = await by.post<{ id: number }>('/wallets', { address, asset: '*', blockchain: 'Ethereum' });
  if (status) await by.patch(`/wallets/${body.id}`, { status });
};

const attest = async (address: string, { id }: TestTenant) => {
  const body = { address, blockchain: 'Ethereum', reason: 'seen in the audit' };
  const path = `/operator/tenants/${id}/attested-addresses`;
  const { status } = await api.request('POST', path, { operatorKey: api.operatorKey, body });
  expect(status).toBe(201);
};

describe('from own data', () => {
  test('an own wallet, while it is confirmed', async () => {
    const [mine, taken] = [evmAddress(), evmAddress()];
    await register(mine, tenant);
    await register(taken, tenant, 'UNCONFIRMED');
    expect(await check('ETH', mine)).toMatchObject({
      classification: 'CUSTODIAL',
      source: 'OWN_REGISTRY',
      confidence: 1,
      blockchain: 'Ethereum',
      address: mine,
    });
    expect(await check('ETH', taken)).toMatchObject({ classification: 'UNKNOWN', source: null });
    expect(await check('Base', mine)).toMatchObject({ classification: 'UNKNOWN' });
  });

  test('a wallet that is attested for another tenant is custodial, and nobody is named', async () => {
    const address = evmAddress();
    await attest(address, other);
    expect(await check('Ethereum', address)).toMatchObject({ classification: 'UNKNOWN', signals: [] });
    await register(address, other);
    const told = await check('Ethereum', address);
    expect(told).toMatchObject({
      classification: 'CUSTODIAL',
      source: 'NETWORK',
      confidence: 0.97,
      entity: null,
    });
    expect(JSON.stringify(told)).not.toContain(other.id);
    expect(JSON.stringify(told)).not.toContain(other.name);
    const third = await createTenant(api);
    await register(address, third);
    const again = await check('Ethereum', address);
    expect({ ...again, id: '', checkedAt: '' }).toEqual({ ...told, id: '', checkedAt: '' });
  });

  test('a wallet that another tenant has only registered is shown as such, and that decides nothing', async () => {
    const address = evmAddress();
    const unknown = await check('Ethereum', address);
    await register(address, other);
    await attest(address, tenant);
    const told = await check('Ethereum', address);
    expect(told.signals.map(({ code, contribution }) => [code, contribution])).toEqual([
      ['network_claimed', 0],
    ]);
    const { classification, confidence, source } = unknown;
    expect(told).toMatchObject({ classification, confidence, source });
    expect(told.reason).toContain('which nobody has checked');
    expect(await check('Ethereum', address, other)).toMatchObject({ source: 'OWN_REGISTRY' });
  });

  test("a wallet proven to this tenant is its owner's; another tenant learns nothing of the proof", async () => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address });
    expect((await submit(tenant, made.id, await signedFor(wallet, made))).status).toBe(200);
    expect(await check('Ethereum', wallet.address)).toMatchObject({
      classification: 'NON_CUSTODIAL',
      source: 'OWN_VERIFICATION',
      signals: [{ code: 'ownership_proven', evidence: [made.id] }],
    });
    expect(await check('Ethereum', wallet.address, other)).toMatchObject({
      classification: 'UNKNOWN',
      signals: [],
    });
    await tenant.post(`/wallet-verification/${made.id}/revoke`, { reason: 'sold' });
    expect(await check('Ethereum', wallet.address)).toMatchObject({ classification: 'UNKNOWN' });
  });

  test('a labelled wallet, on every chain that writes addresses so, in any case', async () => {
    const expected = {
      classification: 'CUSTODIAL',
      source: 'LABELS',
      confidence: 0.9,
      entity: { id: null, name: 'Acme', type: 'exchange' },
    };
    expect(await check('Ethereum', EXCHANGE)).toMatchObject(expected);
    expect(await check('Polygon', EXCHANGE.toUpperCase().replace('0X', '0x'))).toMatchObject(expected);
    expect((await check('Ethereum', EXCHANGE)).sources).toContainEqual({
      source: 'LABELS',
      status: 'CONSULTED',
      reason: 'The labels of this release are still being loaded.',
    });
  });

  test('a label names its entity by the id in the directory: of its own source before the bundled one, and the master', async () => {
    const entityOf = async () => (await check('Ethereum', EXCHANGE)).entity;
    const insert = async (source: string, masterId: string | null = null) => {
      const id = newId(new Date());
      await database.pool.query(
        `insert into entities (id, name, name_folded, type, risk_severity, master_entity_id, source, source_id, created_at, updated_at)
         values ($1, 'Acme', 'acme', 'exchange', 'low', $2, $3, 'acme', now(), now())`,
        [id, masterId, source],
      );
      return id;
    };
    await insert('another source');
    expect(await entityOf()).toEqual({ id: null, name: 'Acme', type: 'exchange' });
    const bundled = await insert('BUNDLED');
    expect(await entityOf()).toMatchObject({ id: bundled });
    expect((await tenant.get(`/entities/${bundled}`)).status).toBe(200);
    await insert('mine', bundled);
    expect(await entityOf()).toMatchObject({ id: bundled });
    await database.pool.query(`update entities set master_entity_id = null where source = 'mine'`);
    expect((await entityOf())?.id).not.toBe(bundled);
    await database.pool.query(`delete from entities where source_id = 'acme'`);
  });

  test('heuristicOnly asks nothing of what is known', async () => {
    const told = await check('Ethereum', EXCHANGE, tenant, '?heuristicOnly=true');
    expect(told).toMatchObject({ classification: 'UNKNOWN', heuristicOnly: true, entity: null, signals: [] });
    expect(told.sources.slice(0, 4).map(({ status }) => status)).toEqual(Array(4).fill('SKIPPED'));
  });
});

/** Six deposits from as many, each forwarded to the labelled exchange. */
function deposits(address: string): Json[] {
  const entry = (n: number, from: string, to: string) => ({
    hash: evmHash(),
    timeStamp: String(1_700_000_000 + n * 3_600),
    blockNumber: String(1_000 + n * 300),
    from,
    to,
    value: '1000000000000000000',
    gas: '21000',
    gasPrice: String(10 ** 9 + n),
    input: '0x',
    isError: '0',
  });
  return Array.from({ length: 6 }, (_, n) => [
    entry(2 * n, evmAddress(), address),
    entry(2 * n + 1, address, EXCHANGE),
  ])
    .flat()
    .toReversed();
}

describe('by what a wallet does', () => {
  test('an EVM wallet by its indexer, whose address stays a secret', async () => {
    const address = evmAddress();
    calls = deposits(address);
    const told = await check('Watched', address);
    expect(told).toMatchObject({
      classification: 'CUSTODIAL',
      source: 'BEHAVIOUR',
      signals: [{ code: 'deposit_forwarder', evidence: [EXCHANGE] }, { code: 'single_out_counterparty' }],
      dataWindow: {
        transactions: 12,
        firstSeen: '2023-11-14T22:13:20.000Z',
        truncated: false,
        providers: ['NODE', 'INDEXER'],
      },
    });
    expect(indexer.asked).toHaveLength(2);
    expect(indexer.asked[0]).toContain('apikey=secret');
    expect(JSON.stringify([told, api.log])).not.toMatch(/secret|127\.0\.0\.1/);
    // Nobody's labels are asked: the exchange is an address like any other.
    const blind = await check('Watched', address, tenant, '?heuristicOnly=1');
    expect(blind).toMatchObject({
      classification: 'UNKNOWN',
      signals: [{ code: 'single_out_counterparty' }],
    });
  });

  test('at most three pages are read, and the rest is said to be left out', async () => {
    const address = evmAddress();
    calls = Array.from({ length: 50 }, () => deposits(address)).flat();
    transfers = [];
    expect(await check('Watched', address)).toMatchObject({
      dataWindow: { transactions: 200, truncated: true },
    });
    expect(indexer.asked).toHaveLength(3);
  });

  test('a Bitcoin wallet by Esplora', async () => {
    const place = (who: string, value = 9) => ({
      scriptpubkey_address: who,
      scriptpubkey_type: 'v0_p2wpkh',
      value,
    });
    bitcoin = Array.from({ length: 6 }, (_, n) => ({
      txid: String(n).repeat(64),
      fee: 500,
      weight: 800,
      vin: [{ prevout: place(n % 2 ? BITCOIN : `from${n}`) }],
      vout: n % 2 ? Array.from({ length: 25 }, (_each, m) => place(`to${m}`, m)) : [place(BITCOIN)],
      status: { confirmed: true, block_height: 10 - n, block_time: 1_700_000_000 - n },
    }));
    expect(await check('bitcoin', BITCOIN)).toMatchObject({
      classification: 'CUSTODIAL',
      signals: [{ code: 'batched_payouts' }],
      dataWindow: { transactions: 6, providers: ['INDEXER'] },
    });
    expect(esplora.asked).toEqual([`/api/address/${BITCOIN}/txs `]);
  });

  test('is looked at once: for questions at one time, and again for some minutes', async () => {
    const address = evmAddress();
    await Promise.all(Array.from({ length: 5 }, async () => await check('Watched', address)));
    await check('Watched', address);
    expect(indexer.asked).toHaveLength(2);
    await check('Watched', address, other);
    expect(indexer.asked).toHaveLength(4);
    // What the deployment knows is never kept.
    await register(address, tenant);
    expect(await check('Ethereum', address)).toMatchObject({ source: 'OWN_REGISTRY' });
  });

  test('a registered agent', async () => {
    state['eth_call'] = `0x${'1'.padStart(64, '0')}`;
    expect(await check('Watched', evmAddress())).toMatchObject({
      agentic: { detected: true, kind: 'registered_agent' },
    });
    expect(node.asked.some((text) => text.includes(REGISTRY))).toBe(true);
  });

  test.each([
    ['no node at all', 'Ethereum', 'No node of this blockchain is configured.'],
    [
      'a node without an indexer',
      'Only Node',
      'No indexer of this blockchain is configured, so the history of the wallet is unknown.',
    ],
  ])('200 UNKNOWN with the reason: %s', async (_what, chain, reason) => {
    state['eth_chainId'] = '0x1b5a';
    expect(await check(chain, evmAddress())).toMatchObject({
      classification: 'UNKNOWN',
      reason,
      agentic: { detected: null, reason },
    });
  });

  test('200 UNKNOWN with the reason: a chain whose wallets are not read', async () => {
    const told = await check('Solana', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
    expect(told).toMatchObject({
      classification: 'UNKNOWN',
      reason: 'The history of wallets is not read on blockchains of this kind.',
    });
    expect(node.asked).toEqual([]);
  });

  test.each<[Trouble]>([
    ['SILENT'],
    ['HUGE'],
    ['ENDLESS'],
    ['GARBAGE'],
    ['WRONG_TYPES'],
    ['REDIRECT'],
    ['REFUSAL'],
    ['ERROR'],
  ])(
    '200 UNKNOWN with the reason, in time, and tried again: node and indexers that are %s',
    async (trouble) => {
      const address = evmAddress();
      calls = deposits(address);
      for (const service of [node, indexer, esplora]) service.trouble = trouble;
      // SILENT and ENDLESS never end by themselves: any answer at all is in time.
      const [evm, utxo] = await Promise.all([check('Watched', address), check('Bitcoin', BITCOIN, other)]);
      expect(evm).toMatchObject({
        classification: 'UNKNOWN',
        reason:
          'The indexer of this blockchain does not answer. The node of this blockchain does not answer.',
      });
      expect(utxo).toMatchObject({
        classification: 'UNKNOWN',
        reason: 'The indexer of this blockchain does not answer.',
      });
      expect(node.asked.concat(indexer.asked).some((text) => text.startsWith('/elsewhere'))).toBe(false);
      for (const service of [node, indexer, esplora]) service.trouble = 'NONE';
      expect(await check('Watched', address)).toMatchObject({
        classification: 'CUSTODIAL',
        source: 'BEHAVIOUR',
      });
    },
  );

  test('a node of another chain is not believed', async () => {
    state['eth_chainId'] = '0x1';
    expect((await check('Watched', evmAddress())).reason).toContain(
      'The node of this blockchain does not answer.',
    );
  });
});

describe('statuses', () => {
  test.each([
    ['an unknown chain', '/kyw/Nowhere/abc', '/blockchain', 'unknown_blockchain'],
    ['an address of another chain', `/kyw/Bitcoin/${EXCHANGE}`, '/address', 'address_invalid'],
    [
      'an address with a typing error',
      `/kyw/Ethereum/${EXCHANGE.slice(0, -1)}`,
      '/address',
      'address_invalid',
    ],
    ['an address with spaces', '/kyw/Ethereum/a%20b', '/address', 'address_invalid'],
    [
      'a flag that is none',
      `/kyw/Ethereum/${EXCHANGE}?heuristicOnly=maybe`,
      '/heuristicOnly',
      'invalid_value',
    ],
    ['an unknown parameter', `/kyw/Ethereum/${EXCHANGE}?x=1`, '/x', 'unknown_field'],
    ['a page that is too large', '/kyw/history?limit=101', '/limit', 'too_big'],
    ['an empty page', '/kyw/history?limit=0', '/limit', 'too_small'],
    ['a page before the first', '/kyw/history?offset=-1', '/offset', 'invalid_type'],
  ])('400: %s', async (_what, path, pointer, code) => {
    const before = await tenant.get<Json[]>('/kyw/history?limit=1');
    expect(await tenant.get(path)).toMatchObject({ status: 400, body: { errors: [{ pointer, code }] } });
    expect((await tenant.get<Json[]>('/kyw/history?limit=1')).body).toEqual(before.body);
  });

  test('401: without a key; 200: to every role; 429: over the budget of screening', async () => {
    expect((await api.request('GET', `/kyw/Ethereum/${EXCHANGE}`)).status).toBe(401);
    const limited = await createTenant(api);
    await api.request('PATCH', `/operator/tenants/${limited.id}`, {
      operatorKey: api.operatorKey,
      body: { rateLimits: { screening: 2 } },
    });
    const observer = await limited.as('OBSERVER');
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await observer.get(`/kyw/Ethereum/${EXCHANGE}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('history', () => {
  test('each check is kept exactly as it was answered, sealed, newest first, for its tenant only', async () => {
    const [mine, stranger] = [await createTenant(api), await createTenant(api)];
    const address = evmAddress();
    const checks: WalletCheck[] = [];
    for (let n = 0; n < 4; n += 1) checks.unshift(await check('ETH', address, mine));
    await register(address, mine);
    const page = await mine.get<WalletCheck[]>('/kyw/history?offset=1&limit=2');
    expect(page.body).toEqual(checks.slice(1, 3));
    expect(page.headers.get('X-Total-Count')).toBe('4');
    expect((await mine.get<WalletCheck[]>('/kyw/history')).body).toEqual(checks);
    for (const kept of checks) expect((await mine.get(`/kyw/history/${kept.id}`)).body).toEqual(kept);
    expect((await stranger.get<Json[]>('/kyw/history')).body).toEqual([]);
    expect((await stranger.get(`/kyw/history/${checks[0]?.id}`)).status).toBe(404);
    const { rows } = await database.pool.query('select t::text as text from wallet_checks t');
    expect(JSON.stringify(rows)).not.toContain(address.slice(2));
  });
});

describeWithAnvil('code on a real chain', () => {
  let anvil: Anvil;
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 7_003 });
  });
  afterAll(async () => await anvil.stop());

  test.each([
    ['an account of ERC-4337', '6319822f7c00', 'erc4337_account'],
    ['a contract like any other', '6000', undefined],
  ])('%s', async (_what, code, expected) => {
    const [chain] = readChains(
      JSON.stringify([
        {
          name: 'Real',
          kind: 'EVM',
          nativeAsset: 'ETH',
          decimals: 18,
          caip2: 'eip155:7003',
          rpcUrl: anvil.url,
        },
      ]),
    ).chains;
    if (!chain) throw new Error('no chain');
    const hash = await anvil.send({ from: anvil.accounts[0] ?? '', data: creationOf(code) });
    await anvil.mine();
    const { contractAddress } = await anvil.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', [
      hash,
    ]);
    const observed = await openObserver([chain])(tenant.id, {
      chain,
      address: contractAddress,
      addressNormal: contractAddress,
    });
    expect(observed.evm?.code).toBe(`0x${code}`);
    const { detectAgent } = await import('../../../domain/wallet-intelligence/agentic.ts');
    const { signals } = detectAgent({
      address: contractAddress,
      acts: [],
      state: observed.evm,
      isLabelledBot: false,
      lack: null,
    });
    expect(signals[0]?.code).toBe(expected);
  });
});
