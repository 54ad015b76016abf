import { readChains } from '../../../chains/chains-file.ts';
import { blockchains } from '../../../domain/blockchains.ts';
import type { Json } from '../../api-client.ts';
import { useApi, useTenant } from '../../use-api.ts';
import { fileChains } from '../../chains/file-chains.ts';

const token = { asset: 'USDC', address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 };
const { chains } = readChains(
  JSON.stringify([
    {
      name: 'Ethereum',
      aliases: ['Main'],
      caip2: 'eip155:1',
      kind: 'EVM',
      nativeAsset: 'ETH',
      decimals: 18,
      rpcUrl: 'https://user:hunter2@node.example/secret-path',
      indexerUrl: 'https://indexer.example/?key=hunter2',
      tokens: [token],
    },
    {
      name: 'Local Chain',
      aliases: ['dev'],
      caip2: 'eip155:31337',
      kind: 'EVM',
      nativeAsset: 'ETH',
      decimals: 18,
    },
  ]),
);

const registerChains = fileChains();
const { api } = useApi(() => {
  registerChains(chains);
  return { config: { chains } };
});
const tenant = useTenant(api);

const list = async () => (await tenant.get<Json[]>('/blockchains')).body;

test('200: every built-in chain in its order, then those of the deployment', async () => {
  const names = (await list()).map(({ name }) => name);
  expect(names).toEqual([...blockchains.map(({ name }) => name), 'Local Chain']);
});

test('200: what is known of a chain', async () => {
  const found = await list();
  expect(found.find(({ name }) => name === 'XRP Ledger')).toEqual({
    name: 'XRP Ledger',
    aliases: ['XRP', 'XRPL', 'Ripple'],
    caip2: 'xrpl:0',
    evmChainId: null,
    nativeAsset: 'XRP',
    decimals: 6,
    addressFormat: 'XRP',
    canScan: false,
    tokens: [],
  });
  expect(found.find(({ name }) => name === 'Local Chain')).toMatchObject({
    aliases: ['dev'],
    evmChainId: 31_337,
    canScan: false,
  });
});

test('200: a chain with a node can be scanned, but the address of the node stays here', async () => {
  const found = await list();
  expect(found.filter(({ canScan }) => canScan)).toMatchObject([
    { name: 'Ethereum', aliases: ['ETH', 'Ethereum Mainnet', 'ERC20', 'Main'], tokens: [token] },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/hunter2|secret-path|node\.example|indexer/);
});

test('a wallet on a chain of the deployment is one wallet under all of its names', async () => {
  const wallet = { address: token.address, asset: 'ETH', blockchain: 'Local Chain' };
  expect((await tenant.post('/wallets', wallet)).status).toBe(201);
  for (const blockchain of ['local-chain', 'DEV', 'eip155:31337', '31337', '0x7a69']) {
    const again = { ...wallet, blockchain, address: token.address.toLowerCase() };
    expect((await tenant.post('/wallets', again)).status).toBe(409);
  }
});

test.each(['COMPLIANCE', 'OBSERVER'] as const)('200: %s may look', async (role) => {
  expect((await (await tenant.as(role)).get('/blockchains')).status).toBe(200);
});

test('400: there are no query parameters', async () => {
  expect(await tenant.get('/blockchains?_start=0')).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/_start' }] },
  });
});

test('401: without a key', async () => {
  expect((await api.request('GET', '/blockchains')).status).toBe(401);
});
