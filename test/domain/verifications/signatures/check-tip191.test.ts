import { bytesToHex, hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { checkSignature } from '../../../../domain/verifications/signatures/check-signature.ts';
import { chainNamed, refusalCode } from './refusal-of-proof.ts';
import { signTip191, tronAddress } from './tip191-signer.ts';

const blockchain = chainNamed('Tron');
const privateKey = new Uint8Array(32).fill(7);
const address = tronAddress(privateKey);
const message = 'I own this wallet. Ž 🐎';
const signature = bytesToHex(await signTip191(privateKey, message));
const proof = { blockchain, address, message, signature };

test('the address of a known key is the one that Tron writes', () => {
  // The key 1 has the EVM address 0x7e5f…5bdf.
  expect(tronAddress(Uint8Array.from([...new Uint8Array(31), 1]))).toBe('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC');
});

test('with 0x and without, v of 27 and of 0', async () => {
  const bytes = hexToBytes(signature);
  const small = bytesToHex(Uint8Array.from([...bytes.subarray(0, 64), (bytes[64] ?? 0) - 27]));
  for (const given of [signature, signature.slice(2), small])
    expect(await checkSignature({ ...proof, signature: given })).toEqual({ scheme: 'TIP191', warnings: [] });
});

test('the length in the prefix counts bytes, not characters', () => {
  // Guards the message above: with ASCII alone the two counts are equal.
  expect(message.length).not.toBe(Buffer.byteLength(message));
});

test.each([
  ['another message', { message: `${message} ` }],
  ['another address', { address: tronAddress(new Uint8Array(32).fill(8)) }],
])('%s does not match', async (_what, change) => {
  expect(await refusalCode({ ...proof, ...change })).toBe('signature_mismatch');
});

test('a signature with the prefix of Ethereum does not match', async () => {
  const account = privateKeyToAccount(bytesToHex(privateKey));
  const evm = await account.signMessage({ message });
  expect(await refusalCode({ ...proof, signature: evm })).toBe('signature_mismatch');
});

test.each([
  ['v of 29', `${signature.slice(0, -2)}1d`],
  ['0X', `0X${signature.slice(2)}`],
  ['64 bytes', signature.slice(0, -2)],
  ['no hex', `${signature.slice(0, -1)}g`],
])('%s is malformed', async (_what, given) => {
  expect(await refusalCode({ ...proof, signature: given })).toBe('signature_malformed');
});
