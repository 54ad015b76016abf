import { hexToBytes } from '@noble/hashes/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr, bech32, bech32m } from '@scure/base';
import { normalAddress } from '../../../domain/address.ts';
import { base58CheckText } from '../../../domain/addresses/base58.ts';
import { encodeCashAddr } from '../../../domain/addresses/cashaddr.ts';
import { registerBlockchains } from '../../../domain/blockchains.ts';
import { newWallet } from '../../../domain/wallets/schema.ts';
import { normalForms, otherSpellings } from './vectors.ts';

const hash = new Uint8Array(20).fill(7);
const versioned = (version: string) => base58CheckText(Uint8Array.from([...hexToBytes(version), ...hash]));
const segwit = (prefix: string) => bech32.encode(prefix, [0, ...bech32.toWords(hash)]);
const ofBytes = (prefix: string, bytes: number, coder = bech32) =>
  coder.encode(prefix, coder.toWords(new Uint8Array(bytes).fill(7)), false);
const monero = (network: number) => {
  const content = Uint8Array.from([network, ...new Uint8Array(64).fill(7)]);
  return base58xmr.encode(Uint8Array.from([...content, ...keccak_256(content).subarray(0, 4)]));
};

const OF_TEST_NETWORKS: [chain: string, address: string][] = [
  ...['6f', 'c4'].map((version): [string, string] => ['Bitcoin', versioned(version)]),
  ...['tb', 'bcrt'].map((prefix): [string, string] => ['Bitcoin', segwit(prefix)]),
  ['Bitcoin', segwit('tb').toUpperCase()],
  ...['6f', '3a', 'c4'].map((version): [string, string] => ['Litecoin', versioned(version)]),
  ...['tltc', 'rltc'].map((prefix): [string, string] => ['Litecoin', segwit(prefix)]),
  ...['6f', 'c4'].map((version): [string, string] => ['Bitcoin Cash', versioned(version)]),
  ...['bchtest', 'bchreg'].map((prefix): [string, string] => [
    'Bitcoin Cash',
    encodeCashAddr({ prefix, kind: 0, hash }),
  ]),
  ['Bitcoin Cash', encodeCashAddr({ prefix: 'bchtest', kind: 0, hash }).replace('bchtest:', '')],
  ...['71', 'c4'].map((version): [string, string] => ['Dogecoin', versioned(version)]),
  ...['8c', '13'].map((version): [string, string] => ['Dash', versioned(version)]),
  ...['1d25', '1cba'].map((version): [string, string] => ['Zcash', versioned(version)]),
  ['Zcash', ofBytes('textest', 20, bech32m)],
  ['Zcash', ofBytes('ztestsapling', 43)],
  ['Zcash', ofBytes('utest', 60, bech32m)],
  ...normalForms
    .filter(([, address]) => address.startsWith('addr_test') || address.startsWith('37btjr'))
    .map((pair) => [...pair] as [string, string]),
  // A Byron address with the magic of a test network; the one of the vectors has a derivation path before it.
  ['Cardano', '2cWKMJemoBajc46Wu4Z7e6bG48myZWfB7Z6pD77L6PrJQWt9HZ3Yv7o8CYZTBMqHTPTkv'],
  ['Near', 'alice.testnet'],
  ['Near', 'app.alice.testnet'],
  ['Near', 'testnet'],
  // The example of HIP-15 for its test network.
  ['Hedera', '0.0.123-esxsf'],
  ['XRP Ledger', 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ'],
  ['TON', 'kQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74pzE8'],
  ...[53, 63, 24, 36].map((network): [string, string] => ['Monero', monero(network)]),
];
const isOfMain = ([, address]: readonly [string, string]) =>
  !OF_TEST_NETWORKS.some(([, other]) => other === address);

function refusalOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('in production', () => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = registerBlockchains([], 'MAIN');
  });
  afterAll(() => takeBack());

  test('whose addresses are accepted is set once', () => {
    registerBlockchains([], 'MAIN');
    expect(() => registerBlockchains([])).toThrow('registered in this process already');
  });

  test.each(OF_TEST_NETWORKS)('%s takes no %s', (chain, address) => {
    expect(normalAddress(chain, address)).toEqual({
      ok: false,
      message: `is an address of a test network, not of ${chain}`,
    });
  });

  const all = [...normalForms, ...otherSpellings].map(([chain, address]) => [chain, address] as const);
  test.each(all.filter(isOfMain))('%s takes %s', (chain, address) => {
    expect(normalAddress(chain, address)).toMatchObject({ ok: true });
  });

  test.each([
    ['Hedera', '0.0.123-vfmkw'],
    ['Near', 'testnet.near'],
    ['Near', 'mytestnet'],
  ])('%s takes %s, which is of the main network', (chain, address) => {
    expect(normalAddress(chain, address)).toMatchObject({ ok: true });
  });

  test('a test network, a chain that is not named and one that is not known take them', () => {
    const address = segwit('tb');
    for (const chain of ['Bitcoin Testnet', null, 'Bitcoin Signet']) {
      expect(normalAddress(chain, address)).toEqual({ ok: true, normal: address });
    }
  });

  test('a wallet is refused at its address', () => {
    const wallet = { address: segwit('tb'), asset: 'BTC', blockchain: 'Bitcoin' };
    const pointer = '/address';
    expect(refusalOf(() => newWallet(wallet))).toMatchObject({ details: { errors: [{ pointer }] } });
  });
});

test.each(OF_TEST_NETWORKS)('in a sandbox %s takes %s', (chain, address) => {
  expect(normalAddress(chain, address)).toMatchObject({ ok: true });
});
