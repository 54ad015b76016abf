import { utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { base58CheckText } from '../../../domain/addresses/base58.ts';
import {
  decodeTravelAddress,
  encodeTravelAddress,
  type TravelAddressRules,
} from '../../../domain/travel-address/travel-address.ts';

const production: TravelAddressRules = { environment: 'production', allowedHosts: [] };
const sandbox: TravelAddressRules = {
  environment: 'sandbox',
  allowedHosts: ['127.0.0.1', 'localhost', '::1'],
};

/** Travel addresses that were published: TRP 3.2.1, 21 Analytics, TRISA. */
const PUBLISHED = [
  ['ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv', 'beneficiary.com/x/12345?t=i'],
  [
    'ta6MNBj2u4art71gN99C6xniYrNfDUF26QgZHdXwd6zzYsvk1S6M5A15K2REHRULnZHnJs88',
    'beneficiary.com/implementation/defined/path?t=i',
  ],
] as const;

const travelAddressOf = (payload: string) => `ta${base58CheckText(utf8ToBytes(payload))}`;

function codeOf(text: string, rules = production): string {
  const decoded = decodeTravelAddress(text, rules);
  if (decoded.ok) return decoded.url.href;
  expect(decoded.message).toMatch(/^[A-Z].*\.$/);
  return decoded.code;
}

describe('published travel addresses', () => {
  test.each(PUBLISHED)('%s is %s', (travelAddress, bare) => {
    expect(codeOf(travelAddress)).toBe(`https://${bare}`);
    expect(encodeTravelAddress(new URL(`https://${bare}`), production)).toEqual({ ok: true, travelAddress });
  });

  test('that of this machine is asked by http in a sandbox that allows it, and refused elsewhere', () => {
    expect(codeOf('ta226rAKyTmMxzsmkda5U2Vhw1', sandbox)).toBe('http://localhost/?t=i');
    expect(codeOf('ta226rAKyTmMxzsmkda5U2Vhw1', { ...sandbox, allowedHosts: [] })).toBe(
      'address_not_allowed',
    );
    expect(codeOf('ta226rAKyTmMxzsmkda5U2Vhw1')).toBe('address_not_allowed');
    expect(codeOf('ta42ZEr7rdvSpGnVvnttK1bWYQU4f4f')).toBe('https://192.22.123.12/?t=i');
  });
});

describe('a checksum', () => {
  const [[whole]] = PUBLISHED;

  test('tells every wrong, missing or swapped character', () => {
    for (let index = 2; index < whole.length; index += 1) {
      const other = whole[index] === 'z' ? 'y' : 'z';
      expect(codeOf(whole.slice(0, index) + other + whole.slice(index + 1))).toBe('checksum_wrong');
      expect(codeOf(whole.slice(0, index) + whole.slice(index + 1))).toBe('checksum_wrong');
      const swapped =
        whole.slice(0, index) + (whole[index + 1] ?? '') + (whole[index] ?? '') + whole.slice(index + 2);
      if (swapped !== whole) expect(codeOf(swapped)).toBe('checksum_wrong');
    }
  });

  test('is right around white space that was copied along', () => {
    expect(codeOf(` ${whole}\n`)).toBe('https://beneficiary.com/x/12345?t=i');
  });
});

describe('what is refused', () => {
  test.each([
    ['', 'required'],
    ['  ', 'required'],
    ['ta', 'invalid_format'],
    ['TA2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv', 'invalid_format'],
    ['2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv', 'invalid_format'],
    ['https://beneficiary.com/x/12345?t=i', 'invalid_format'],
    ['ta0OIl', 'invalid_format'],
    ['ta1', 'checksum_wrong'],
    ['ta11111', 'checksum_wrong'],
    [`ta${'z'.repeat(1_999)}`, 'too_long'],
    [`ta${'z'.repeat(10_000_000)}`, 'too_long'],
    [`ta${'z'.repeat(1_998)}`, 'checksum_wrong'],
  ])('%.60s: %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  test.each([
    ['https://beneficiary.com/x?t=i', 'scheme_not_allowed'],
    ['file:///etc/passwd?t=i', 'scheme_not_allowed'],
    ['beneficiary.com/x', 'inquiry_tag_missing'],
    ['beneficiary.com/x?t=', 'inquiry_tag_missing'],
    ['beneficiary.com/x?t=i&t=i', 'inquiry_tag_missing'],
    ['beneficiary.com/x?T=i', 'inquiry_tag_missing'],
    ['beneficiary.com/x?q=t=i', 'inquiry_tag_missing'],
    ['beneficiary.com/x?t=i#y', 'fragment_not_allowed'],
    ['user:secret@beneficiary.com/x?t=i', 'credentials_not_allowed'],
    ['beneficiary.com@10.0.0.1/x?t=i', 'credentials_not_allowed'],
    ['beneficiary.com\\@10.0.0.1/x?t=i', 'credentials_not_allowed'],
    ['beneficiary.com\\x?t=i', 'invalid_url'],
    ['/x?t=i', 'invalid_url'],
    ['?t=i', 'invalid_url'],
    ['//beneficiary.com/x?t=i', 'invalid_url'],
    ['javascript:alert(1)?t=i', 'invalid_url'],
    ['beneficiary.com:99999/x?t=i', 'invalid_url'],
    ['beneficiary.com/a b?t=i', 'invalid_url'],
    ['beneficiary.com/x\r\nHost: other?t=i', 'invalid_url'],
    ['bücher.example/x?t=i', 'invalid_url'],
    ['beneficiary.com/\0?t=i', 'invalid_url'],
    ['localhost/x?t=i', 'address_not_allowed'],
    ['db.internal:5432/x?t=i', 'address_not_allowed'],
    ['127.0.0.1/x?t=i', 'address_not_allowed'],
    ['127.1/x?t=i', 'address_not_allowed'],
    ['2130706433/x?t=i', 'address_not_allowed'],
    ['0x7f.1/x?t=i', 'address_not_allowed'],
    ['10.0.0.1/x?t=i', 'address_not_allowed'],
    ['169.254.169.254/latest/meta-data?t=i', 'address_not_allowed'],
    ['[::1]/x?t=i', 'address_not_allowed'],
    ['[::ffff:10.0.0.1]/x?t=i', 'address_not_allowed'],
    ['[fd00::1]:8443/x?t=i', 'address_not_allowed'],
  ])('%j: %s', (payload, code) => {
    expect(codeOf(travelAddressOf(payload))).toBe(code);
  });

  test('bytes that are no text', () => {
    expect(codeOf(`ta${base58CheckText(Uint8Array.of(0xff, 0xfe, 0x00, 0x80))}`)).toBe('invalid_url');
  });

  test('any text is decoded or refused, never thrown', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof codeOf(`ta${text}`)).toBe('string');
        expect(typeof codeOf(travelAddressOf(text))).toBe('string');
      }),
    );
  });
});

describe('our own travel addresses', () => {
  test.each([
    ['https://vasp.example/trp/4711', production, 'https://vasp.example/trp/4711?t=i'],
    ['https://vasp.example:8443/trp?wallet=7', production, 'https://vasp.example:8443/trp?wallet=7&t=i'],
    ['http://127.0.0.1:3000/trp/4711', sandbox, 'http://127.0.0.1:3000/trp/4711?t=i'],
    ['http://[::1]:3000/trp/4711', sandbox, 'http://[::1]:3000/trp/4711?t=i'],
    ['http://localhost/trp/4711', sandbox, 'http://localhost/trp/4711?t=i'],
    ['https://vasp.example/trp/4711', sandbox, 'https://vasp.example/trp/4711?t=i'],
  ])('%s', (url, rules, asked) => {
    const encoded = encodeTravelAddress(new URL(url), rules);
    expect(encoded).toMatchObject({
      ok: true,
      travelAddress: expect.stringMatching(/^ta[1-9A-HJ-NP-Za-km-z]+$/),
    });
    expect(codeOf(encoded.ok ? encoded.travelAddress : '', rules)).toBe(asked);
  });

  test.each([
    ['http://vasp.example/trp', production, 'scheme_not_allowed'],
    ['http://vasp.example/trp', sandbox, 'scheme_not_allowed'],
    ['http://127.0.0.1/trp', production, 'scheme_not_allowed'],
    ['https://127.0.0.1/trp', sandbox, 'scheme_not_allowed'],
    ['ftp://vasp.example/trp', production, 'scheme_not_allowed'],
    ['https://user@vasp.example/trp', production, 'credentials_not_allowed'],
    ['https://vasp.example/trp#a', production, 'fragment_not_allowed'],
    ['https://10.0.0.1/trp', production, 'address_not_allowed'],
    [`https://vasp.example/${'a'.repeat(1_500)}`, production, 'too_long'],
  ])('%.40s is none: %#', (url, rules, code) => {
    expect(encodeTravelAddress(new URL(url), rules)).toMatchObject({ ok: false, code });
  });

  test('leave the given URL as it was', () => {
    const url = new URL('https://vasp.example/trp');
    encodeTravelAddress(url, production);
    expect(url.href).toBe('https://vasp.example/trp');
  });
});
