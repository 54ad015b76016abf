import { blockchains, findBlockchain, mainChainOf } from '../../domain/blockchains.ts';

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
