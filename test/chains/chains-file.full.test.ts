import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canScan, readChains } from '../../chains/chains-file.ts';
import { readSettings } from '../../process/settings.ts';
import { projectRoot } from '../../standalone/project-root.ts';

const ethereum = {
  name: 'Ethereum',
  aliases: ['Main'],
  caip2: 'eip155:1',
  kind: 'EVM',
  nativeAsset: 'ETH',
  decimals: 18,
  confirmations: 6,
  rpcUrl: 'https://user:hunter2@node.example/key',
  pollMs: 1_000,
  tokens: [{ asset: 'USDC', address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 }],
};
const regtest = {
  name: 'Bitcoin Regtest',
  caip2: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
  kind: 'BITCOIN',
  nativeAsset: 'BTC',
  decimals: 8,
  bitcoindUrl: ['http://a.example:8332', 'http://b.example:8332'],
};
const read = (...chains: unknown[]) => readChains(JSON.stringify(chains));
const faultsOf = (...chains: unknown[]) =>
  read(...chains).faults.map(({ pointer, message }) => `${pointer}: ${message}`);

test('a built-in chain keeps its name and aliases and gets the rest from the file', () => {
  const { chains, faults } = read({ ...ethereum, name: 'ETHEREUM' });
  expect(faults).toEqual([]);
  expect(chains).toEqual([
    {
      ...ethereum,
      aliases: ['ETH', 'Ethereum Mainnet', 'ERC20', 'Main'],
      evmChainId: 1,
      addressFormat: 'EVM',
      rpcUrl: [ethereum.rpcUrl],
      esploraUrl: [],
      bitcoindUrl: [],
    },
  ]);
});

test('a new chain has what the file says, and usual figures for what it does not', () => {
  const { chains, faults } = read(regtest);
  expect(faults).toEqual([]);
  expect(chains).toEqual([
    {
      ...regtest,
      aliases: [],
      addressFormat: 'BITCOIN',
      confirmations: 1,
      pollMs: 5_000,
      tokens: [],
      rpcUrl: [],
      esploraUrl: [],
    },
  ]);
});

test('a chain can be scanned where it has a node, and only there', () => {
  const { rpcUrl: _, ...without } = ethereum;
  expect(
    read(ethereum, regtest, { ...without, name: 'Local', caip2: 'eip155:31337' }).chains.map(canScan),
  ).toEqual([true, true, false]);
});

test('a chain of another coin of the same family keeps its own addresses', () => {
  const litecoin = { ...regtest, name: 'Litecoin', caip2: 'bip122:12a765e31ffd4059bada1e25190f6e98' };
  expect(read({ ...litecoin, nativeAsset: 'LTC' }).chains).toMatchObject([{ addressFormat: 'LITECOIN' }]);
});

test.each(['', '{', '{}', 'null'])('%j is no list of chains', (text) => {
  expect(readChains(text)).toEqual({
    chains: [],
    faults: [{ pointer: '', message: 'a JSON array of chains is expected' }],
  });
});

test.each([
  ['/0/kind', { kind: 'COSMOS' }],
  ['/0/name', { name: '' }],
  ['/0/name', { name: 'Größe' }],
  ['/0/caip2', { caip2: '1' }],
  ['/0/caip2', { caip2: 'bip122:0' }],
  ['/0/caip2', { caip2: 'eip155:one' }],
  ['/0/decimals', { decimals: 18.5 }],
  ['/0/confirmations', { confirmations: -1 }],
  ['/0/pollMs', { pollMs: 0 }],
  ['/0/rpcUrl', { rpcUrl: 'node.example' }],
  ['/0/rpcUrl', { rpcUrl: 'wss://node.example' }],
  ['/0/rpcUrl', { rpcUrl: [] }],
  ['/0/rpcUrl', { rpcUrl: ['https://a.example', 7] }],
  ['/0/esploraUrl', { esploraUrl: 'https://a.example' }],
  ['/0/bitcoindUrl', { bitcoindUrl: 'https://a.example' }],
  ['/0', { rpcUrls: 'https://a.example' }],
  ['/0/tokens/0/address', { tokens: [{ asset: 'USDC', address: '0x1', decimals: 6 }] }],
  [
    '/0/tokens/1/asset',
    { tokens: [...ethereum.tokens, { ...ethereum.tokens[0], address: `0x${'1'.repeat(40)}` }] },
  ],
  ['/0/tokens/1/address', { tokens: [...ethereum.tokens, { ...ethereum.tokens[0], asset: 'USDX' }] }],
  ['/0/priceId', { priceId: 'a,b' }],
  ['/0/tokens/0/priceId', { priceId: 'ethereum', tokens: [{ ...ethereum.tokens[0], priceId: '' }] }],
  ['/0/tokens/0/asset', { tokens: [{ ...ethereum.tokens[0], asset: 'eth' }] }],
])('%s is named when it is wrong: %j', (pointer, change) => {
  expect(read({ ...ethereum, ...change }).faults.map((fault) => fault.pointer)).toEqual([pointer]);
});

test('a Bitcoin node is asked in one way', () => {
  expect(faultsOf({ ...regtest, rpcUrl: 'https://a.example' })).toEqual([
    '/0/rpcUrl: a BITCOIN chain has esploraUrl or bitcoindUrl',
  ]);
  expect(faultsOf({ ...regtest, esploraUrl: 'https://a.example' })).toEqual([
    '/0/bitcoindUrl: either esploraUrl or bitcoindUrl is expected, not both',
  ]);
});

test('a built-in chain stays of its kind', () => {
  expect(faultsOf({ ...ethereum, name: 'Solana', caip2: 'eip155:5', tokens: [] })).toEqual([
    '/0/kind: Solana is no chain of this kind',
  ]);
});

describe('no word means two chains', () => {
  const local = { ...ethereum, name: 'Local', aliases: [], caip2: 'eip155:31337' };

  test.each([
    ['/0/name: already means Bitcoin', { name: 'btc' }],
    ['/0/aliases: already means Polygon', { aliases: ['MATIC'] }],
    ['/0/aliases: already means Polygon', { aliases: ['137'] }],
    ['/0/caip2: already means Base', { caip2: 'eip155:8453' }],
    ['/0/name: already means a chain that is not known', { name: 'Unknown' }],
  ])('%s', (fault, change) => {
    expect([...new Set(faultsOf({ ...local, ...change }))]).toEqual([fault]);
  });

  test('within the file', () => {
    expect(faultsOf(local, { ...local, name: 'Far', aliases: ['LOCAL'], caip2: 'eip155:31338' })).toEqual([
      '/1/aliases: already means Local',
    ]);
    expect(faultsOf(ethereum, ethereum)).toContain('/1/name: already means Ethereum');
  });

  test('words that a chain gave up are free', () => {
    expect(
      faultsOf({ ...ethereum, caip2: 'eip155:31337' }, { ...local, name: 'Second', caip2: 'eip155:1' }),
    ).toEqual([]);
  });
});

describe('as a setting', () => {
  let folder: string;
  const file = (content: unknown) => {
    const path = join(folder, 'chains.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'chains-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('the chains are part of the configuration; none without the setting', () => {
    expect(readSettings({ CHAINS_FILE: file([ethereum, regtest]) }).chains.map(({ name }) => name)).toEqual([
      'Ethereum',
      'Bitcoin Regtest',
    ]);
    expect(readSettings({}).chains).toEqual([]);
  });

  test('a file that is not there is named with the setting', () => {
    expect(() => readSettings({ CHAINS_FILE: join(folder, 'none') })).toThrow(
      /^CHAINS_FILE: the file .* cannot be read$/,
    );
  });

  test('each fault is a line with setting and place, and no value', () => {
    const wrong = { ...ethereum, rpcUrl: 'ftp://user:hunter2@node.example', decimals: -1 };
    const path = file([regtest, wrong]);
    let message = '';
    try {
      readSettings({ CHAINS_FILE: path });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^CHAINS_FILE: \/1\/decimals: /),
      'CHAINS_FILE: /1/rpcUrl: an http or https address is expected',
    ]);
    expect(message).not.toContain('hunter2');
  });

  test.each(['api', 'worker'])('the %s does not start with a wrong one', (name) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [`dist/${name}/main.js`], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], CHAINS_FILE: file([{ ...regtest, name: 'btc' }]) },
    });
    expect({ status, stderr, stdout }).toEqual({
      status: 1,
      stderr: 'CHAINS_FILE: /0/name: already means Bitcoin\n',
      stdout: '',
    });
  });
});
