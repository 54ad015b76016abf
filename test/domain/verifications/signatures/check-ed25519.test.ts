import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, base64, hex } from '@scure/base';
import { checkSignature } from '../../../../domain/verifications/signatures/check-signature.ts';
import { chainNamed, refusalCode } from './refusal-of-proof.ts';

const blockchain = chainNamed('Solana');
const secretKey = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secretKey);
const address = base58.encode(publicKey);
const message = 'I own this wallet.';
const text = Buffer.from(message);
const proof = { blockchain, address, message };
const signed = (bytes: Uint8Array) => ed25519.sign(bytes, secretKey);
const accepted = async (given: Uint8Array, of = message) =>
  (await checkSignature({ ...proof, message: of, signature: base58.encode(given) })).scheme;

test('test 2 of RFC 8032 verifies', async () => {
  const rfc = {
    blockchain,
    address: base58.encode(hex.decode('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c')),
    message: 'r',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  };
  expect(await checkSignature(rfc)).toEqual({ scheme: 'ED25519', warnings: [] });
});

test('base58, base64 and hex say the same', async () => {
  const bytes = signed(text);
  for (const signature of [
    base58.encode(bytes),
    base64.encode(bytes),
    hex.encode(bytes),
    `0x${hex.encode(bytes)}`,
  ])
    expect((await checkSignature({ ...proof, signature })).scheme).toBe('ED25519');
});

const domain = Buffer.from('\xffsolana offchain', 'latin1');
const u16 = (value: number) => Uint8Array.of(value & 0xff, value >> 8);
const short = (body: Buffer, format: number) =>
  Buffer.concat([domain, Uint8Array.of(0, format), u16(body.length), body]);
const full = (body: Buffer, format: number, application = Buffer.alloc(32), signers = [publicKey]) =>
  Buffer.concat([
    domain,
    Uint8Array.of(0),
    application,
    Uint8Array.of(format, signers.length),
    ...signers,
    u16(body.length),
    body,
  ]);

test('the frames in which Ledger signs verify: ASCII, other text, long text', async () => {
  const other = 'Ž 🐎';
  const long = 'a'.repeat(2_000);
  expect([
    await accepted(signed(short(text, 0))),
    await accepted(signed(full(text, 0))),
    await accepted(signed(short(Buffer.from(other), 1)), other),
    await accepted(signed(full(Buffer.from(other), 1)), other),
    await accepted(signed(short(Buffer.from(long), 2)), long),
    await accepted(signed(full(Buffer.from(long), 2)), long),
  ]).toEqual(Array(6).fill('ED25519'));
});

test.each([
  ['another version', Buffer.concat([domain, Uint8Array.of(9, 0), u16(text.length), text])],
  ['the format of other text', short(text, 1)],
  ['a second signer', full(text, 0, Buffer.alloc(32), [publicKey, publicKey])],
  ['the name of an application', full(text, 0, Buffer.alloc(32, 1))],
  ['another length', Buffer.concat([domain, Uint8Array.of(0, 0), u16(text.length + 1), text])],
])('a frame with %s does not match', async (_what, bytes) => {
  expect(await refusalCode({ ...proof, signature: base58.encode(signed(bytes)) })).toBe('signature_mismatch');
});

test('a key of small order proves nothing, though looser rules accept it for every message', async () => {
  const identity = Uint8Array.from([1, ...new Uint8Array(31)]);
  const forged = Uint8Array.from([...identity, ...new Uint8Array(32)]);
  expect(ed25519.verify(forged, text, identity)).toBe(true);
  const given = { ...proof, address: base58.encode(identity), signature: base58.encode(forged) };
  expect(await refusalCode(given)).toBe('signature_mismatch');
});

test('the twin with s beyond the order does not match', async () => {
  const bytes = signed(text);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${hex.encode(bytes.slice(32).toReversed())}`) + order;
  const twin = Uint8Array.from([
    ...bytes.slice(0, 32),
    ...hex.decode(s.toString(16).padStart(64, '0')).toReversed(),
  ]);
  expect(await refusalCode({ ...proof, signature: base58.encode(twin) })).toBe('signature_mismatch');
});

test.each([
  ['empty', ''],
  ['of 63 bytes', base58.encode(signed(text).subarray(0, 63))],
  ['of 65 bytes', `0x${'11'.repeat(65)}`],
  ['with a letter that base58 has not', `${base58.encode(signed(text)).slice(0, -1)}0`],
  ['with a line break', `${base58.encode(signed(text))}\n`],
  ['as a list of numbers', JSON.stringify([...signed(text)])],
])('a signature %s is malformed', async (_what, signature) => {
  expect(await refusalCode({ ...proof, signature })).toBe('signature_malformed');
});

test('another message, another address', async () => {
  const signature = base58.encode(signed(text));
  expect(await refusalCode({ ...proof, message: `${message} `, signature })).toBe('signature_mismatch');
  const other = base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(8)));
  expect(await refusalCode({ ...proof, address: other, signature })).toBe('signature_mismatch');
});
