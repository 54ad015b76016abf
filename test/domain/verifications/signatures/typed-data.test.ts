import { inspect } from 'node:util';
import {
  concat,
  hashStruct,
  hashTypedData,
  keccak256,
  parseSignature,
  recoverMessageAddress,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { checkSignature } from '../../../../domain/verifications/signatures/check-signature.ts';
import { looksLikeTypedData } from '../../../../domain/verifications/signatures/looks-like-typed-data.ts';
import { chainNamed, refusalOfProof } from './refusal-of-proof.ts';

const blockchain = chainNamed('Ethereum');
const account = privateKeyToAccount(keccak256('0x01'));
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const { address } = account;

/** A live token permit (EIP-2612): whoever reads its signature may take the tokens. */
const permit = {
  domain: {
    name: 'USD Coin',
    version: '2',
    chainId: 1,
    verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' as Hex,
  },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: {
    owner: address,
    spender: `0x${'11'.repeat(20)}`,
    value: 10n ** 12n,
    nonce: 0n,
    deadline: 2n ** 40n,
  },
} as const;
const permitSignature = await account.signTypedData(permit);

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const whole = { ...permit, types: { ...permit.types, EIP712Domain: domainTypes } };
const json = JSON.stringify(whole, (_key, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value,
);
const separator = hashStruct({
  data: permit.domain,
  primaryType: 'EIP712Domain',
  types: { EIP712Domain: domainTypes },
});
const struct = hashStruct({ data: permit.message, primaryType: 'Permit', types: permit.types });
const encoded = concat(['0x1901', separator, struct]);
const digest = hashTypedData(permit);

test('the encoding in this test is the one that was signed', () => {
  expect(keccak256(encoded)).toBe(digest);
});

const named: [string, string][] = [
  ['its JSON', json],
  ['its JSON, indented', JSON.stringify(JSON.parse(json), null, 2)],
  ['its JSON behind spaces and a byte order mark', `\uFEFF \n${json}\n`],
  ['its JSON as a JSON string', JSON.stringify(json)],
  ['the parameters of the call', JSON.stringify([address, json])],
  ['the whole call', JSON.stringify({ method: 'eth_signTypedData_v4', params: [address, json] })],
  ['its JSON without the message', JSON.stringify({ types: permit.types, primaryType: 'Permit' })],
  ['its encoding', encoded],
  ['its encoding in upper case', `0x${encoded.slice(2).toUpperCase()}`],
  ['its first form', '[{"type":"string","name":"Message","value":"Hi"}]'],
];

test.each(named)('a permit submitted as %s is named as typed data', async (_what, message) => {
  const refusal = await refusalOfProof({ blockchain, address, message, signature: permitSignature });
  expect(refusal.code).toBe('signature_typed_data');
  expect(refusal.message).toContain('personal_sign');
});

const unnamed: [string, string][] = [
  ['its digest', digest],
  ['its digest without 0x', digest.slice(2)],
  ['its domain separator', separator],
  ['its structure hash', struct],
  ['the bytes of its digest as Latin text', Buffer.from(digest.slice(2), 'hex').toString('latin1')],
  ['the message alone', JSON.stringify({ owner: address, value: '1' })],
  ['innocent words', 'I own this wallet.'],
];

test.each(unnamed)('a permit submitted as %s does not match', async (_what, message) => {
  const refusal = await refusalOfProof({ blockchain, address, message, signature: permitSignature });
  expect(refusal.code).toBe('signature_mismatch');
});

test('typed data whose JSON was signed as a plain text is a plain text', async () => {
  const signature = await account.signMessage({ message: json });
  expect((await checkSignature({ blockchain, address, message: json, signature })).scheme).toBe('EIP191');
});

test.each([
  '',
  'I own this wallet.',
  '{"domain":"example.org","text":"not typed data"}',
  '{"types": {"Permit": [], "primaryType": "Permit"',
  '[]',
  '[1,2]',
  '"a quoted word"',
  '{}',
  'null',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  '0x1901',
])('%s is not taken for typed data', (text) => {
  expect(looksLikeTypedData(text)).toBe(false);
});

const malformed: [string, string][] = [
  ['another v', `${permitSignature.slice(0, -2)}25`],
  ['no 0x', permitSignature.slice(2)],
  ['a byte too many', `${permitSignature}ab`],
  ['a byte too few', permitSignature.slice(0, -4)],
  ['a stray letter', `${permitSignature.slice(0, -1)}z`],
  ['an r on no point', `0x${'5'.padStart(64, '0')}${permitSignature.slice(66)}`],
];
const chains = ['Ethereum', 'Bitcoin', 'Litecoin', 'Solana', 'Tron', 'XRP'];

/** Everything that a log, a response or a debugger could show of an error. */
function shown(error: Error): string {
  return [
    error.message,
    error.stack,
    String(error),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspect(error, { showHidden: true, depth: Infinity, getters: true }),
  ].join('\n');
}

test.each(chains)(
  '%s: no refusal shows any part of the signature, the message or the address',
  async (chain) => {
    const submissions = [
      ...[...named, ...unnamed].map(([, message]) => ({ message, signature: permitSignature as string })),
      ...malformed.map(([, signature]) => ({ message: json, signature })),
      { message: `${json}${'x'.repeat(10_240)}`, signature: permitSignature },
      { message: `${json}\ud800`, signature: permitSignature },
      { message: '', signature: permitSignature },
    ];
    for (const submission of submissions) {
      const refusal = await refusalOfProof({ blockchain: chainNamed(chain), address, ...submission });
      const text = shown(refusal).toLowerCase();
      const digits = submission.signature.toLowerCase();
      const parts = Array.from({ length: digits.length - 8 }, (_, at) => digits.slice(at, at + 8));
      expect(parts.filter((part) => text.includes(part))).toEqual([]);
      // Libraries print the two numbers of a signature in decimal.
      const numbers = [digits.slice(2, 66), digits.slice(66, 130)].map((hex) =>
        String(BigInt(`0x0${hex.replace(/[^0-9a-f]/g, '')}`)),
      );
      expect(numbers.filter((number) => number.length > 8 && text.includes(number))).toEqual([]);
      expect(text).not.toContain(address.toLowerCase());
      expect(text).not.toContain(address.slice(2, 10).toLowerCase());
      expect(text).not.toContain('usd coin');
      expect(refusal.cause).toBeUndefined();
    }
  },
);

test('the canary would be seen: an error of the library shows numbers of the signature', async () => {
  const { r, s, yParity } = parseSignature(permitSignature);
  const outOfRange: Hex = `0x${(BigInt(r) + ORDER).toString(16)}`;
  const thrown: unknown = await recoverMessageAddress({
    message: 'x',
    signature: { r: outOfRange, s, yParity },
  }).catch((error: unknown) => error);
  expect(shown(thrown as Error)).toContain(String(BigInt(outOfRange)));
});
