import { normalAddress } from '../../domain/address.ts';
import {
  blockchains,
  findBlockchain,
  knownBlockchains,
  mainChainOf,
  registerBlockchains,
  type Blockchain,
} from '../../domain/blockchains.ts';
import { blockchainKey } from '../../domain/normalised-places.ts';

const fold = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '');

test('no name, alias, CAIP-2 id or chain id means two chains', () => {
  const words = blockchains.flatMap(({ name, aliases, caip2, evmChainId }) => [
    ...new Set([name, ...aliases, caip2, String(evmChainId ?? name)].map(fold)),
  ]);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});

test('every chain is found by everything it is listed with', () => {
  for (const chain of blockchains) {
    const words = [chain.name, ...chain.aliases, chain.caip2, String(chain.evmChainId ?? chain.name)];
    expect(words.map((word) => findBlockchain(word)?.name)).toEqual(words.map(() => chain.name));
  }
});

test('CAIP-2 ids have the form of the standard, and those of EVM chains carry the chain id', () => {
  for (const { caip2, evmChainId, addressFormat } of blockchains) {
    expect(caip2).toMatch(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/);
    expect(caip2 === `eip155:${evmChainId}`).toBe(addressFormat === 'EVM');
  }
});

test.each([
  ['ethereum', 'Ethereum'],
  ['ETH', 'Ethereum'],
  ['1', 'Ethereum'],
  ['0x1', 'Ethereum'],
  ['EIP155:137', 'Polygon'],
  ['137', 'Polygon'],
  ['0xa4b1', 'Arbitrum'],
  ['arbitrum_one', 'Arbitrum'],
  ['bnb-smart-chain', 'BNB Smart Chain'],
  ['BinanceSmartChain', 'BNB Smart Chain'],
  ['Avalanche', 'Avalanche C-Chain'],
  ['bitcoin', 'Bitcoin'],
  ['bip122:000000000019d6689c085ae165831e93', 'Bitcoin'],
  ['bitcoin_cash', 'Bitcoin Cash'],
  ['ripple', 'XRP Ledger'],
  ['TRC-20', 'Tron'],
  ['Toncoin', 'TON'],
])('%s is %s', (text, name) => {
  expect(findBlockchain(text)?.name).toBe(name);
});

test.each(['', 'Nowhere', '999999999', '01', 'constructor', '__proto__', 'UNKNOWN'])(
  '%p is no known chain',
  (text) => {
    expect(findBlockchain(text)).toBeUndefined();
  },
);

test.each([
  ['BTC', 'Bitcoin'],
  ['eth', 'Ethereum'],
  ['POL', 'Polygon'],
  ['BNB', 'BNB Smart Chain'],
  ['AVAX', 'Avalanche C-Chain'],
  ['LTC', 'Litecoin'],
  ['BCH', 'Bitcoin Cash'],
  ['DOGE', 'Dogecoin'],
  ['DASH', 'Dash'],
  ['ZEC', 'Zcash'],
  ['TRX', 'Tron'],
  ['SOL', 'Solana'],
  ['XRP', 'XRP Ledger'],
  ['XLM', 'Stellar'],
  ['ADA', 'Cardano'],
  ['DOT', 'Polkadot'],
  ['ATOM', 'Cosmos Hub'],
  ['TON', 'TON'],
  ['ALGO', 'Algorand'],
  ['NEAR', 'Near'],
  ['APT', 'Aptos'],
  ['SUI', 'Sui'],
])('the main chain of %s is %s', (asset, name) => {
  expect(mainChainOf(asset)?.name).toBe(name);
});

test.each(['USDT', 'USDC', '', '*', 'toString'])('%p is native to no chain', (asset) => {
  expect(mainChainOf(asset)).toBeUndefined();
});

test('no test network is the main chain of anything', () => {
  const main = blockchains.map(({ nativeAsset }) => mainChainOf(nativeAsset)?.name ?? '');
  expect(main.filter((name) => /test|sepolia|amoy|devnet/i.test(name))).toEqual([]);
});

describe('chains of a deployment', () => {
  const local: Blockchain = {
    name: 'Local Chain',
    aliases: ['devnet-1'],
    caip2: 'eip155:31337',
    evmChainId: 31_337,
    nativeAsset: 'ETH',
    decimals: 18,
    addressFormat: 'EVM',
  };

  const takenBack: (() => void)[] = [];
  const takeAllBack = () => takenBack.splice(0).forEach((takeBack) => takeBack());
  afterEach(takeAllBack);

  /** What a process knows that has registered these chains and no others. */
  function processWith(...own: Blockchain[]) {
    takeAllBack();
    const register = (chains: readonly Blockchain[]) => {
      const takeBack = registerBlockchains(chains);
      takenBack.push(takeBack);
      return takeBack;
    };
    const takeBack = register(own);
    return {
      knownBlockchains,
      findBlockchain,
      mainChainOf,
      normalAddress,
      blockchainKey,
      registerBlockchains: register,
      takeBack,
    };
  }

  test('a new one is found by all of its words, comes last, and takes no asset from its main chain', () => {
    const other = {
      name: 'Other',
      aliases: [],
      caip2: 'eip155:31338',
      evmChainId: 31_338,
      nativeAsset: 'own',
    };
    const known = processWith(local, { ...local, ...other });
    for (const word of ['local-chain', 'Devnet 1', 'EIP155:31337', '31337', '0x7a69'])
      expect(known.blockchainKey(word)).toBe('Local Chain');
    expect(known.knownBlockchains().slice(blockchains.length)).toMatchObject([
      { name: 'Local Chain' },
      { name: 'Other' },
    ]);
    expect([known.mainChainOf('ETH')?.name, known.mainChainOf('OWN')?.name]).toEqual(['Ethereum', 'Other']);
  });

  test('addresses of a new one are checked', () => {
    const without = processWith();
    expect(without.normalAddress('Local Chain', 'anything')).toEqual({ ok: true, normal: 'anything' });
    const known = processWith(local);
    expect(known.normalAddress('Local Chain', 'anything')).toMatchObject({ ok: false });
  });

  test('one with the name of a built-in chain takes its place', () => {
    const known = processWith({ ...local, name: 'Ethereum', aliases: ['ETH'] });
    expect(known.knownBlockchains()).toHaveLength(blockchains.length);
    expect(known.findBlockchain('ethereum')).toMatchObject({ evmChainId: 31_337 });
    expect(known.mainChainOf('ETH')).toMatchObject({ evmChainId: 31_337 });
    expect(known.findBlockchain('1')).toBeUndefined();
  });

  test('are registered once: the same again change nothing, others are refused and change nothing', () => {
    const known = processWith(local);
    known.registerBlockchains([{ ...local }]);
    const other = { ...local, name: 'Other', aliases: [], caip2: 'eip155:5', evmChainId: 5 };
    for (const others of [[], [other], [local, other], [{ ...local, decimals: 6 }]])
      expect(() => known.registerBlockchains(others)).toThrow('registered in this process already');
    expect(known.knownBlockchains()).toEqual([...blockchains, local]);
    const without = processWith();
    expect(() => without.registerBlockchains([local])).toThrow('registered in this process already');
    expect(without.knownBlockchains()).toEqual(blockchains);
  });

  test('can be taken back, for the next test file of a process', () => {
    const known = processWith(local);
    known.registerBlockchains([{ ...local }])();
    expect(known.findBlockchain('local chain')).toBeDefined();
    known.takeBack();
    expect(known.knownBlockchains()).toEqual(blockchains);
    known.registerBlockchains([{ ...local, name: 'Next' }]);
    expect(known.findBlockchain('next')).toBeDefined();
  });

  test('cannot be changed, neither by who reads them nor by who has registered them', () => {
    const given = { ...local, aliases: ['devnet-1'] };
    const known = processWith(given);
    given.aliases.push('Ethereum');
    const found = known.findBlockchain('Local Chain');
    expect(found).toEqual(local);
    expect(() => Object.assign(found ?? {}, { evmChainId: 1 })).toThrow(TypeError);
    expect(() => (found as unknown as { aliases: string[] }).aliases.push('ETH')).toThrow(TypeError);
    expect(() => (known.knownBlockchains() as Blockchain[]).pop()).toThrow(TypeError);
    expect(() => (blockchains as Blockchain[]).pop()).toThrow(TypeError);
    expect(() => Object.assign(blockchains[0] ?? {}, { decimals: 1 })).toThrow(TypeError);
  });

  test('say nothing of the nodes that they were configured with', () => {
    const known = processWith({ ...local, rpcUrl: ['https://node.example/secret'] } as Blockchain);
    expect(JSON.stringify(known.knownBlockchains())).not.toContain('secret');
  });
});

test('the blockchains that every deployment accepts are there', () => {
  const promised =
    'Bitcoin, Ethereum, Arbitrum, Base, Optimism, Polygon, BNB Smart Chain, Avalanche C, Linea, zkSync, Litecoin, ' +
    'Bitcoin Cash, Dogecoin, Dash, Zcash, Tron, Solana, XRP Ledger, Stellar, Cardano, Polkadot, Cosmos Hub, TON, ' +
    'Algorand, Near, Aptos, Sui';
  expect(promised.split(', ').filter((name) => !findBlockchain(name))).toEqual([]);
});
