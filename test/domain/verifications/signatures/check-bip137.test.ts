import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64, createBase58check, hex } from '@scure/base';
import { p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer/payment.js';
import { TEST_NETWORK } from '@scure/btc-signer/utils.js';
import { encodeCashAddr } from '../../../../domain/addresses/cashaddr.ts';
import { hash160 } from '../../../../domain/addresses/bitcoin-destination.ts';
import { checkSignature } from '../../../../domain/verifications/signatures/check-signature.ts';
import { signBip137 } from './bip137-signer.ts';
import { chainNamed, refusalCode, refusalOfProof } from './refusal-of-proof.ts';

const blockchain = chainNamed('Bitcoin');
const privateKey = sha256(Buffer.from('a test key'));
const publicKey = secp256k1.getPublicKey(privateKey);
const longKey = secp256k1.getPublicKey(privateKey, false);
const message = 'I own this wallet. Ž 🐎';
const base58check = createBase58check(sha256);
const versioned = (version: number[], hash: Uint8Array) =>
  base58check.encode(Uint8Array.from([...version, ...hash]));

const addresses: Record<string, string> = {
  p2pkh: p2pkh(publicKey).address ?? '',
  'p2pkh of the long key': versioned([0], hash160(longKey)),
  'p2sh-p2wpkh': p2sh(p2wpkh(publicKey)).address ?? '',
  p2wpkh: p2wpkh(publicKey).address ?? '',
  'p2wpkh in upper case': (p2wpkh(publicKey).address ?? '').toUpperCase(),
  p2tr: p2tr(publicKey.subarray(1)).address ?? '',
  'p2wpkh of the test network': p2wpkh(publicKey, TEST_NETWORK).address ?? '',
};
const headers = [27, 31, 35, 39];
const combinations = Object.keys(addresses).flatMap((kind) =>
  headers.map((header) => [kind, header] as const),
);
const proofFor = (address: string, signature: Uint8Array) => ({
  blockchain,
  address,
  message,
  signature: base64.encode(signature),
});

test.each(combinations)('%s verifies with a header from %i on, as wallets disagree', async (kind, header) => {
  const signature = signBip137(privateKey, message, header);
  expect(await checkSignature(proofFor(addresses[kind] ?? '', signature))).toEqual({
    scheme: 'BIP137',
    warnings: [],
  });
});

test.each(combinations)('%s with a header from %i on is not proven by another key', async (kind, header) => {
  const signature = signBip137(sha256(privateKey), message, header);
  expect(await refusalCode(proofFor(addresses[kind] ?? '', signature))).toBe('signature_mismatch');
});

test('the examples that other programs document verify', async () => {
  const documented = [
    // bitcoinjs-message, README
    [
      '1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV',
      'This is an example of a signed message.',
      'H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=',
    ],
  ];
  for (const [address = '', text = '', signature = ''] of documented)
    expect((await checkSignature({ blockchain, address, message: text, signature })).scheme).toBe('BIP137');
});

test('hex is read as well as base64', async () => {
  const signature = hex.encode(signBip137(privateKey, message, 31));
  for (const text of [signature, `0x${signature}`])
    expect(
      (await checkSignature({ blockchain, address: addresses['p2pkh'] ?? '', message, signature: text }))
        .scheme,
    ).toBe('BIP137');
});

test('texts beyond the lengths where the count of bytes changes verify', async () => {
  for (const text of ['a'.repeat(252), 'a'.repeat(253), 'é'.repeat(5_000)]) {
    const signature = base64.encode(signBip137(privateKey, text, 31));
    const proof = { blockchain, address: addresses['p2pkh'] ?? '', message: text, signature };
    expect((await checkSignature(proof)).scheme).toBe('BIP137');
  }
});

const good = base64.encode(signBip137(privateKey, message, 31));

test.each([
  ['without its padding', good.slice(0, -1), 'signature_malformed'],
  ['with a line break', `${good}\n`, 'signature_malformed'],
  [
    'in the alphabet of URLs',
    good.replaceAll('+', '-').replaceAll('/', '_').replace('=', ''),
    'signature_malformed',
  ],
  [
    'one byte short',
    base64.encode(signBip137(privateKey, message, 31).subarray(0, 64)),
    'signature_malformed',
  ],
  ['with a header of 26', base64.encode(signBip137(privateKey, message, 26 - 1)), 'signature_malformed'],
  ['with a header of 43 or 44', base64.encode(signBip137(privateKey, message, 43)), 'signature_malformed'],
  [
    'with r of 0',
    base64.encode(Uint8Array.from([31, ...new Uint8Array(32), ...new Uint8Array(32).fill(1)])),
    'signature_malformed',
  ],
  [
    'with s of 0',
    base64.encode(Uint8Array.from([31, ...new Uint8Array(32).fill(1), ...new Uint8Array(32)])),
    'signature_malformed',
  ],
  ['behind the prefix of BIP-322', `smp${good}`, 'signature_malformed'],
  ['of an EVM wallet', `0x${'11'.repeat(65)}`, 'signature_malformed'],
])('a signature %s is refused', async (_what, signature, code) => {
  expect(await refusalCode({ blockchain, address: addresses['p2pkh'] ?? '', message, signature })).toBe(code);
});

const keyHash = hash160(publicKey);
const relatives: [string, string, string][] = [
  ['Litecoin', versioned([0x30], keyHash), 'Litecoin Signed Message:\n'],
  ['Dogecoin', versioned([0x1e], keyHash), 'Dogecoin Signed Message:\n'],
  ['Dash', versioned([0x4c], keyHash), 'DarkCoin Signed Message:\n'],
  ['Zcash', versioned([0x1c, 0xb8], keyHash), 'Zcash Signed Message:\n'],
  ['Bitcoin Cash', versioned([0x00], keyHash), 'Bitcoin Signed Message:\n'],
  [
    'Bitcoin Cash',
    encodeCashAddr({ prefix: 'bitcoincash', kind: 0, hash: keyHash }),
    'Bitcoin Signed Message:\n',
  ],
];

test.each(relatives)('%s verifies %s with its own prefix only', async (name, address, prefix) => {
  const given = { blockchain: chainNamed(name), address, message };
  const signature = base64.encode(signBip137(privateKey, message, 31, prefix));
  expect((await checkSignature({ ...given, signature })).scheme).toBe('BIP137');
  const foreign = base64.encode(signBip137(privateKey, message, 31, 'Other Signed Message:\n'));
  expect(await refusalCode({ ...given, signature: foreign })).toBe('signature_mismatch');
});

test('an address of another chain is refused, whoever owns its key', async () => {
  for (const [, address] of relatives.slice(0, 4))
    expect(await refusalCode({ blockchain, address, message, signature: good })).toBe('validation_failed');
});

test('on a chain without segregated witness no key owns a nested address', async () => {
  const nested = hash160(Uint8Array.from([0, 20, ...keyHash]));
  const chains: [string, string, string][] = [
    ['Dogecoin', versioned([0x16], nested), 'Dogecoin Signed Message:\n'],
    ['Bitcoin Cash', versioned([0x05], nested), 'Bitcoin Signed Message:\n'],
  ];
  for (const [name, address, prefix] of chains) {
    const signature = base64.encode(signBip137(privateKey, message, 35, prefix));
    const proof = { blockchain: chainNamed(name), address, message, signature };
    expect(await refusalCode(proof)).toBe('signature_mismatch');
  }
});

test('an address of a kind that has no signatures is refused as such', async () => {
  const zcash = { blockchain: chainNamed('Zcash'), address: `u1${'q'.repeat(60)}`, message, signature: good };
  const { code, details } = await refusalOfProof(zcash);
  expect([code, details.errors?.[0]?.code]).toEqual(['validation_failed', 'flow_not_supported']);
});
