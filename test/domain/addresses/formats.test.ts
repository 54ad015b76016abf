import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { normalAddress } from '../../../domain/address.ts';
import { FORMAT_RULES } from '../../../domain/addresses/format-rules.ts';
import { blockchains } from '../../../domain/blockchains.ts';
import { DomainError } from '../../../domain/errors.ts';
import { addressAt } from '../../../domain/normalised-places.ts';
import { normalForms, otherSpellings } from './vectors.ts';

const refusal = { ok: false, message: expect.any(String) as string };
const withPrefix = (prefix: string, bytes: number, coder = bech32) =>
  coder.encode(prefix, coder.toWords(new Uint8Array(bytes).fill(7)), false);

test('every format has a vector', () => {
  const formatOf = new Map(blockchains.map(({ name, addressFormat }) => [name, addressFormat]));
  const covered = new Set(normalForms.map(([name]) => formatOf.get(name)));
  expect(Object.keys(FORMAT_RULES).filter((format) => !covered.has(format as never))).toEqual([]);
});

test.each(normalForms)(
  '%s: %s is its own normal form, with and without the chain named',
  (chain, address) => {
    expect(normalAddress(chain, address)).toEqual({ ok: true, normal: address });
    expect(normalAddress(null, address)).toEqual({ ok: true, normal: address });
  },
);

test.each(otherSpellings)(
  '%s: %s is the same wallet as its normal form, with and without the chain named',
  (chain, spelling, normal) => {
    expect(normalAddress(chain, spelling)).toEqual({ ok: true, normal });
    expect(normalAddress(null, spelling)).toEqual({ ok: true, normal });
  },
);

const checksummed = [...normalForms, ...otherSpellings.map(([chain, text]) => [chain, text] as const)].filter(
  // Without a checksum an error cannot be told; with Polkadot's two bytes one in 65,536 is not.
  ([chain, address]) => !/^(Near|Aptos|Sui|Solana|Polkadot)$/.test(chain) && !/^(0x|0[.:]|41)/i.test(address),
);

test.each(checksummed)('%s: one wrong character in %s is noticed', (chain, address) => {
  const at = fc.integer({ min: 1, max: address.length - 1 });
  const other = fc.constantFrom(
    ...Array.from('qpzry9x8gf2tvdw0s3jn54khce6mua7lABCDEFGHJKLMNPQRSTUVWXYZ234567'),
  );
  fc.assert(
    fc.property(at, other, (index, character) => {
      fc.pre(address[index] !== character);
      const changed = address.slice(0, index) + character + address.slice(index + 1);
      expect(normalAddress(chain, changed)).toEqual(refusal);
    }),
    { numRuns: 60 },
  );
});

test.each([
  // SEP-23: a muxed account carries an id; the others are not valid
  ['Stellar', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'],
  ['Stellar', 'GAAAAAAAACGC6'],
  ['Stellar', 'G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I'],
  ['Stellar', 'ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz'],
  ['Stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ===='],
  // XLS-5: with the tag 1
  ['XRP Ledger', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu'],
  ['Cardano', withPrefix('addr', 29)],
  ['Cardano', 'stake1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'],
  ['Cardano', bech32.encode('addr', bech32.toWords(Uint8Array.of(0x60, ...Array<number>(28))), false)],
  ['Cardano', bech32m.encode('addr', bech32.toWords(Uint8Array.of(0x61, ...Array<number>(28))), false)],
  ['Cardano', bech32.encode('addr', bech32.toWords(Uint8Array.of(0x61, ...Array<number>(29))), false)],
  ['Cardano', bech32.encode('addr', bech32.toWords(Uint8Array.of(0x91, ...Array<number>(28))), false)],
  ['Cardano', bech32.encode('stake', bech32.toWords(Uint8Array.of(0x61, ...Array<number>(28))), false)],
  ['Cardano', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['Polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp6'],
  ['Polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Spa'],
  ['Polkadot', '16oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  // 32 bytes without prefix and checksum, as Solana writes keys
  ['Polkadot', 'Ds9iTf1dhM3DAwsFPJzYkg7pyGgvJs8UBibvcWaJ98BM'],
  ['Polkadot', '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'],
  ['Cosmos Hub', withPrefix('osmo', 20)],
  ['Cosmos Hub', withPrefix('cosmosvaloper', 20)],
  ['Cosmos Hub', withPrefix('cosmos', 21)],
  ['Cosmos Hub', withPrefix('cosmos', 20, bech32m)],
  ['Algorand', 'vcmjkwoy5p5p7skmzffoceropjczotijmniynuckh7lro45jmjp6uybija'],
  // The bits after the checksum are not 0
  ['Algorand', 'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJB'],
  ...['a', 'A', 'Abc', '-near', 'near-', '-near-', 'near.', '.near', 'near@', '@near', '_____'].map(
    (name) => ['Near', name],
  ),
  ...['0__0', '0_-_0', '..', 'a..near', 'nEar', '_bowen', 'bo__wen', 'a'.repeat(65)].map((name) => [
    'Near',
    name,
  ]),
  ['Near', '98793CD91A3F870FB126F66285808C7E094AFCFC4EDA8A970F6648CDF0DBD6DE'],
  ['Tezos', 'KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn%default'],
  // A public key instead of its hash
  ['Tezos', 'edpkuBknW28nW72KG6RoHtYW7p12T6GKc7nAbwYX5m8Wd9sDVC9yav'],
  ['Hedera', '0.0.123-abcde'],
  ['Hedera', '0.0.0123'],
  ['Hedera', '0.0'],
  ['Hedera', '0.0.123-VFMKW'],
  // With a payment id
  [
    'Monero',
    '4LL9oSLmtpccfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2bYXZKKQePHES9khPK',
  ],
  ['Zcash', withPrefix('zs', 42)],
  ['Zcash', withPrefix('u', 20, bech32m)],
  ['Zcash', withPrefix('u', 60)],
  ['Zcash', withPrefix('tex', 21, bech32m)],
  ['Tron', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
])('%s refuses %s', (chain, address) => {
  expect(normalAddress(chain ?? '', address ?? '')).toEqual(refusal);
});

/** HIP-15, for the main network. */
test.each(['1-dfkxr', '4-cjcuq', '5-ktach', '6-tcxjy', '12-uuuup', '123-vfmkw', '1234567890-zbhlt'])(
  'Hedera: 0.0.%s is the same with and without its checksum',
  (text) => {
    expect(normalAddress('HBAR', `0.0.${text}`)).toEqual({ ok: true, normal: `0.0.${text.split('-')[0]}` });
  },
);

test('Hedera: an account number written as an EVM address is that number', () => {
  expect(normalAddress('HBAR', `0x${'0'.repeat(38)}7B`)).toEqual({ ok: true, normal: '0.0.123' });
});

test('Cosmos Hub: accounts of modules and contracts have 32 bytes', () => {
  expect(normalAddress('ATOM', withPrefix('cosmos', 32))).toMatchObject({ ok: true });
});

const samples = [...normalForms.map(([, address]) => address), ...otherSpellings.map(([, text]) => text)];
/** Any text, and true addresses with something done to them. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdefxXAF1:.-_%=+/')), maxLength: 100 }),
  fc.constantFrom(...samples),
  fc
    .tuple(fc.constantFrom(...samples), fc.nat(120), fc.nat(3), fc.string({ maxLength: 3 }))
    .map(([text, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut)),
);
const chains = fc.constantFrom(null, 'Chain of Tomorrow', ...blockchains.map(({ name }) => name));

test('the normal form is its own normal form, whatever the text and the chain', () => {
  fc.assert(
    fc.property(chains, texts, (chain, text) => {
      const first = normalAddress(chain, text);
      if (first.ok) expect(normalAddress(chain, first.normal)).toEqual(first);
    }),
    { numRuns: 3_000 },
  );
});

test('no text makes anything else of a check than an address or a refusal of the field', () => {
  fc.assert(
    fc.property(chains, texts, (chain, text) => {
      try {
        expect(typeof addressAt('/address', chain, text)).toBe('string');
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
        expect(JSON.stringify((error as DomainError).details)).toContain('"/address"');
      }
    }),
    { numRuns: 3_000 },
  );
});
