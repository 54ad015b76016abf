import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { decodeCashAddr, encodeCashAddr } from '../../../domain/addresses/cashaddr.ts';

/** "Larger test vectors" of the CashAddr specification: prefix, kind, hash, address. */
const vectors: [string, number, string, string][] = [
  [
    'bitcoincash',
    0,
    'f5bf48b397dae70be82b3cca4793f8eb2b6cdac9',
    'qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
  ],
  ['bchtest', 1, 'f5bf48b397dae70be82b3cca4793f8eb2b6cdac9', 'pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t'],
  ['pref', 1, 'f5bf48b397dae70be82b3cca4793f8eb2b6cdac9', 'pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5'],
  [
    'bitcoincash',
    0,
    '7adbf6c17084bc86c1706827b41a56f5ca32865925e946ea',
    'q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0',
  ],
  [
    'bchtest',
    1,
    '3a84f9cf51aae98a3bb3a78bf16a6183790b18719126325bfc0c075b',
    'pgagf7w02x4wnz3mkwnchut2vxphjzccwxgjvvjmlsxqwkcvs7md7wt',
  ],
  [
    'bitcoincash',
    0,
    '3173ef6623c6b48ffd1a3dcc0cc6489b0a07bb47a37f47cfef4fe69de825c060',
    'qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake',
  ],
  [
    'pref',
    1,
    'c07138323e00fa4fc122d3b85b9628ea810b3f381706385e289b0b25631197d194b5c238beb136fb',
    'pnq8zwpj8cq05n7pytfmskuk9r4gzzel8qtsvwz79zdskftrzxtar994cgutavfklv0vx5z0w3',
  ],
  [
    'bitcoincash',
    0,
    'e361ca9a7f99107c17a622e047e3745d3e19cf804ed63c5c40c6ba763696b98241223d8ce62ad48d863f4cb18c930e4c',
    'qh3krj5607v3qlqh5c3wq3lrw3wnuxw0sp8dv0zugrrt5a3kj6ucysfz8kxwv2k53krr7n933jfsunqex2w82sl',
  ],
  [
    'bchtest',
    1,
    'd9fa7c4c6ef56dc4ff423baae6d495dbff663d034a72d1dc7d52cbfe7d1e6858f9d523ac0a7a5c34077638e4dd1a701bd017842789982041',
    'pmvl5lzvdm6km38lgga64ek5jhdl7e3aqd9895wu04fvhlnare5937w4ywkq57juxsrhvw8ym5d8qx7sz7zz0zvcypqs6kgdsg2g',
  ],
  [
    'bitcoincash',
    0,
    'd0f346310d5513d9e01e299978624ba883e6bda8f4c60883c10f28c2967e67ec77ecc7eeeaeafc6da89fad72d11ac961e164678b868aeeec5f2c1da08884175b',
    'qlg0x333p4238k0qrc5ej7rzfw5g8e4a4r6vvzyrcy8j3s5k0en7calvclhw46hudk5flttj6ydvjc0pv3nchp52amk97tqa5zygg96mtky5sv5w',
  ],
];

test.each(vectors)('%s, kind %i, hash %s', (prefix, kind, hash, payload) => {
  const decoded = decodeCashAddr(`${prefix}:${payload}`);
  expect(decoded && { ...decoded, hash: bytesToHex(decoded.hash) }).toEqual({ prefix, kind, hash });
  expect(encodeCashAddr({ prefix, kind, hash: hexToBytes(hash) })).toBe(`${prefix}:${payload}`);
});

test.each([
  'prefix:x64nx6hz',
  'p:gpf8m4h7',
  'bitcoincash:qpzry9x8gf2tvdw0s3jn54khce6mua7lcw20ayyn',
  'bchtest:spectestnetaddressrealrealaddressqpan2k9lh',
  'bchreg:555555555555555555555555555555555555555555555udxmlmrz',
])('%s has a valid checksum over an invalid payload', (address) => {
  expect(decodeCashAddr(address)).toBeUndefined();
});

test('any one wrong character is noticed', () => {
  const address = 'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2';
  const at = fc.integer({ min: 12, max: address.length - 1 });
  fc.assert(
    fc.property(
      at,
      fc.constantFrom(...Array.from('qpzry9x8gf2tvdw0s3jn54khce6mua7l1bo!')),
      (index, character) => {
        const changed = address.slice(0, index) + character + address.slice(index + 1);
        expect(decodeCashAddr(changed) !== undefined).toBe(changed === address);
      },
    ),
  );
});
