import {
  hashMessage,
  keccak256,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { checkSignature } from '../../../../domain/verifications/signatures/check-signature.ts';
import { chainNamed, refusalCode, refusalOfProof } from './refusal-of-proof.ts';

const blockchain = chainNamed('Ethereum');
const key = keccak256('0x01');
const account = privateKeyToAccount(key);
const message = 'I own this wallet.\r\nŽluťoučký 🐎 ';
const signature = await account.signMessage({ message });
const proof = { blockchain, address: account.address, message, signature };

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const { r, s } = parseSignature(signature);
const v = signature.slice(-2);
const withV = (last: string) => signature.slice(0, -2) + last;
const otherV = v === '1b' ? '1c' : '1b';
const twin = `${r}${word(ORDER - BigInt(s))}${otherV}`;

test('the example that Ethereum documents for personal_sign verifies', async () => {
  // EIP-191 text signed by eth-account's documented key 0xb25c…2364.
  const address = '0x5ce9454909639D2D17A3F753ce7d93fa0b9aB12E';
  const documented = {
    blockchain,
    address,
    message: 'I♥SF',
    signature:
      '0xe6ca9bba58c88611fad66a6ce8f996908195593807c4b38bd528d2cff09d4eb33e5bfbbf4d3e39b1a2fd816a7680c19ebebaf3a141b239934ad43cb33fcec8ce1c',
  };
  expect(await checkSignature(documented)).toEqual({ scheme: 'EIP191', warnings: [] });
});

test.each([
  ['v of 27 or 28', signature],
  ['v of 0 or 1', withV(v === '1b' ? '00' : '01')],
  ['upper-case digits', `0x${signature.slice(2).toUpperCase()}`],
  [
    'the compact form of EIP-2098',
    serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))),
  ],
])('a signature with %s verifies', async (_what, given) => {
  expect(await checkSignature({ ...proof, signature: given })).toEqual({ scheme: 'EIP191', warnings: [] });
});

test.each(['Ethereum', 'Polygon', 'Base', 'Ethereum Classic'])(
  '%s takes the same signature',
  async (name) => {
    expect((await checkSignature({ ...proof, blockchain: chainNamed(name) })).scheme).toBe('EIP191');
  },
);

test('the address may be written in any case', async () => {
  for (const address of [account.address.toLowerCase(), `0x${account.address.slice(2).toUpperCase()}`])
    expect((await checkSignature({ ...proof, address })).scheme).toBe('EIP191');
});

test.each([
  ['empty', ''],
  ['0x alone', '0x'],
  ['without 0x', signature.slice(2)],
  ['with 0X', `0X${signature.slice(2)}`],
  ['with a digit that is none', `${signature.slice(0, -1)}g`],
  ['one digit short', signature.slice(0, -1)],
  ['two bytes short', signature.slice(0, -4)],
  ['of 66 bytes', `${signature}00`],
  ['of 565 bytes', `0x${'ab'.repeat(565)}`],
  ['of 200 kB', `0x${'ab'.repeat(100_000)}`],
  ['with a line break at the end', `${signature}\n`],
  ['with a space before', ` ${signature}`],
  ['with v of 2', withV('02')],
  ['with v of 26', withV('1a')],
  ['with v of 29', withV('1d')],
  ['with v of 37', withV('25')],
  ['with v of 38', withV('26')],
  ['with r of 0', `0x${word(0n)}${signature.slice(66)}`],
  ['with s of 0', `${signature.slice(0, 66)}${word(0n)}${v}`],
  ['with r of the order', `0x${word(ORDER)}${signature.slice(66)}`],
  ['with s of the order', `${signature.slice(0, 66)}${word(ORDER)}${v}`],
  ['with a high s (the twin)', twin],
  ['with an r that is on no point', `0x${word(5n)}${signature.slice(66)}`],
  ['of zeros', `0x${'00'.repeat(65)}`],
  ['of zeros in compact form', `0x${'00'.repeat(64)}`],
])('a signature %s is malformed', async (_what, given) => {
  expect(await refusalCode({ ...proof, signature: given })).toBe('signature_malformed');
});

test('the high-s twin would recover the same address, so it is refused by its form', async () => {
  const { recoverMessageAddress } = await import('viem');
  expect(await recoverMessageAddress({ message, signature: twin as `0x${string}` })).toBe(account.address);
  expect((await refusalOfProof({ ...proof, signature: twin })).message).toContain('high s');
});

test.each([
  ['line breaks', message.replace('\r\n', '\n')],
  ['a space at the end', message.trimEnd()],
  ['the composition of letters', message.normalize('NFD')],
  ['the case', message.toLowerCase()],
  ['a prefix of their own', `\x19Ethereum Signed Message:\n${message.length}${message}`],
])('a message that differs in %s is another message', async (_what, changed) => {
  expect(await refusalCode({ ...proof, message: changed })).toBe('signature_mismatch');
});

test('a signature of another key, and one for another address, do not match', async () => {
  const other = privateKeyToAccount(keccak256('0x02'));
  const foreign = await other.signMessage({ message });
  expect(await refusalCode({ ...proof, signature: foreign })).toBe('signature_mismatch');
  expect(await refusalCode({ ...proof, address: other.address })).toBe('signature_mismatch');
});

test('a signature over the bare hash of the text, or over a hash given as the message, does not match', async () => {
  const hash = keccak256('0x1234');
  const overHash = await sign({ hash, privateKey: key, to: 'hex' });
  expect(await refusalCode({ ...proof, message: hash, signature: overHash })).toBe('signature_mismatch');
  const overBytes = await account.signMessage({ message: { raw: hash } });
  const refusal = await refusalOfProof({ ...proof, message: hash, signature: overBytes });
  expect([refusal.code, refusal.message]).toEqual([
    'signature_mismatch',
    expect.stringMatching(/^A hash was given/),
  ]);
  const prefixed = await sign({ hash: hashMessage(message), privateKey: key, to: 'hex' });
  expect(await refusalCode({ ...proof, message: hashMessage(message), signature: prefixed })).toBe(
    'signature_mismatch',
  );
});

test('a text that looks like a hash verifies when it was signed as text', async () => {
  const hash = keccak256('0x1234');
  const asText = await account.signMessage({ message: hash });
  expect((await checkSignature({ ...proof, message: hash, signature: asText })).scheme).toBe('EIP191');
});

test('hexadecimal whose bytes were signed is told from a plain mismatch', async () => {
  const bytes = await account.signMessage({ message: { raw: '0x68656c6c6f' } });
  const refusal = await refusalOfProof({ ...proof, message: '0x68656c6c6f', signature: bytes });
  expect([refusal.code, refusal.message]).toEqual([
    'signature_mismatch',
    expect.stringContaining('hexadecimal'),
  ]);
  expect((await checkSignature({ ...proof, message: 'hello', signature: bytes })).scheme).toBe('EIP191');
});
