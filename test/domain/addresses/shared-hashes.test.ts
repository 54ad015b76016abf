import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { normalAddress } from '../../../domain/address.ts';
import { base58CheckText } from '../../../domain/addresses/base58.ts';
import { encodeCashAddr } from '../../../domain/addresses/cashaddr.ts';
import { sharedSpellings, shareHashes } from '../../../domain/addresses/shared-hashes.ts';
import { labelKeys, labelPlace } from '../../../domain/labels/label-key.ts';

const hashes = fc.uint8Array({ minLength: 20, maxLength: 20 });
const base58 = (version: string, hash: Uint8Array) =>
  base58CheckText(hexToBytes(`${version}${bytesToHex(hash)}`));
const cash = (prefix: string, kind: number, hash: Uint8Array) => encodeCashAddr({ prefix, kind, hash });

/** Published with a chain, one with another, one with a name that is not listed, one with none. */
const PUBLISHED = ['Bitcoin', 'Bitcoin Cash', 'Litecoin', 'Some New Coin', null];

/** The spellings of a hash by its kind; of those that an address of a test network has, too. */
const ACCOUNTS: [string, (hash: Uint8Array) => string[]][] = [
  [
    'a key hash',
    (hash) => [
      base58('00', hash),
      base58('1c', hash),
      cash('bitcoincash', 0, hash),
      cash('bitcoincash', 2, hash),
    ],
  ],
  [
    'a script hash',
    (hash) => [
      ...['05', '28', '32'].map((version) => base58(version, hash)),
      cash('bitcoincash', 1, hash),
      cash('bitcoincash', 3, hash),
    ],
  ],
  [
    'a key hash of a test network',
    (hash) => [base58('6f', hash), cash('bchtest', 0, hash), cash('bchreg', 0, hash)],
  ],
  [
    'a script hash of a test network',
    (hash) => [base58('c4', hash), base58('3a', hash), cash('bchtest', 1, hash), cash('bchreg', 1, hash)],
  ],
];

describe.each(ACCOUNTS)('%s', (_, spell) => {
  test('has the same spellings, whichever is given, and Bitcoin’s first', () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const spellings = spell(hash);
        for (const one of spellings) {
          expect(sharedSpellings(one)).toEqual(sharedSpellings(spellings[0] ?? ''));
          expect(sharedSpellings(one)[0]).toBe(spellings[0]);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is found by every spelling, in whichever it was labelled', () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const spellings = spell(hash).flatMap((text) => [text, text.replace(/^[a-z]+:/, '')]);
        for (const published of spellings) {
          for (const chain of PUBLISHED) {
            const place = labelPlace(chain, published);
            // The name without prefix of a chain that is not listed is no spelling of Bitcoin Cash.
            if (!place) continue;
            for (const asked of spellings) expect(labelKeys(asked)).toContain(place.addressKey);
          }
        }
      }),
      { numRuns: 5 },
    );
  });
});

test.each([
  ['of Dogecoin', 'D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD'],
  ['of segregated witness', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['of Ethereum', '0x52908400098527886e0f7030069857d2e4169ee7'],
  ['with a wrong checksum', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggv'],
  ['no address', ''],
])('an address has no other chain’s spelling: %s', (_, address) => {
  expect(sharedSpellings(address)).toEqual([]);
});

test('another account of the same hash has other keys: a script is not a key', () => {
  const hash = hexToBytes('76a04053bda0a88bda5177b86a15c3b29f559873');
  const [key, script] = ['00', '05'].map((version) => labelKeys(base58(version, hash)));
  expect(key?.filter((each) => script?.includes(each))).toEqual([]);
});

test('the keys of the formats that are evident without a chain stay', () => {
  for (const text of ['0X52908400098527886E0F7030069857D2E4169EE7', 'near.account', 'a'.repeat(40)]) {
    const checked = normalAddress(null, text);
    expect(labelKeys(` ${text} `)).toContain((checked.ok ? checked.normal : text).toLowerCase());
  }
});

test('only Bitcoin, Bitcoin Cash and Litecoin share spellings', () => {
  expect(shareHashes('BITCOIN', 'LITECOIN')).toBe(true);
  expect(shareHashes('BITCOIN_CASH', 'DOGECOIN')).toBe(false);
  expect(shareHashes('EVM', 'BITCOIN')).toBe(false);
});
