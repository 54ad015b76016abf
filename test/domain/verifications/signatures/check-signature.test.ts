import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, base64 } from '@scure/base';
import { p2wpkh } from '@scure/btc-signer/payment.js';
import fc from 'fast-check';
import { bytesToHex, hexToBytes, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { blockchains } from '../../../../domain/blockchains.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { checkSignature } from '../../../../domain/verifications/signatures/check-signature.ts';
import { signatureSchemesOf } from '../../../../domain/verifications/signatures/signature-schemes.ts';
import { signBip137 } from './bip137-signer.ts';
import { signBip322 } from './bip322-signer.ts';
import { chainNamed, refusalCode, refusalOfProof } from './refusal-of-proof.ts';
import { signTip191, tronAddress } from './tip191-signer.ts';

const account = privateKeyToAccount(keccak256('0x01'));
const message = 'I own this wallet.';
const proof = {
  blockchain: chainNamed('Ethereum'),
  address: account.address,
  message,
  signature: await account.signMessage({ message }),
};

test('an empty message has a code of its own, and a space is a message', async () => {
  expect(await refusalCode({ ...proof, message: '' })).toBe('message_empty');
  const signature = await account.signMessage({ message: ' ' });
  expect((await checkSignature({ ...proof, message: ' ', signature })).scheme).toBe('EIP191');
});

test('lone surrogates are refused: two texts would have the same signer', async () => {
  for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
    const signature = await account.signMessage({ message: text });
    const { code, details } = await refusalOfProof({ ...proof, message: text, signature });
    expect([code, details.errors?.[0]?.pointer, details.errors?.[0]?.code]).toEqual([
      'validation_failed',
      '/message',
      'malformed_unicode',
    ]);
  }
});

test('a message may have 10 kB in UTF-8 and not a byte more', async () => {
  for (const text of ['a'.repeat(10_240), 'é'.repeat(5_120)]) {
    const signature = await account.signMessage({ message: text });
    expect((await checkSignature({ ...proof, message: text, signature })).scheme).toBe('EIP191');
  }
  for (const text of ['a'.repeat(10_241), `${'é'.repeat(5_120)}a`, '🐎'.repeat(2_561)]) {
    const { code, details } = await refusalOfProof({ ...proof, message: text });
    expect([code, details.errors?.[0]?.code]).toEqual(['validation_failed', 'too_long']);
  }
});

test('exactly the chains with a scheme take signatures; the others say so', async () => {
  for (const blockchain of blockchains) {
    const refusal = await refusalOfProof({ ...proof, blockchain, signature: '' });
    const hasScheme = signatureSchemesOf(blockchain).length > 0;
    expect([blockchain.name, refusal.code]).toEqual([
      blockchain.name,
      hasScheme ? 'signature_malformed' : 'validation_failed',
    ]);
  }
  const names = blockchains.filter((chain) => signatureSchemesOf(chain).length === 0).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['XRP Ledger', 'Stellar', 'Cardano', 'TON', 'Monero']));
});

const privateKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => secp256k1.utils.isValidSecretKey(bytes));
// A grapheme list without the empty text; `fc.string` alone would be ASCII only.
const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });

interface Signer {
  chain: string;
  address: (privateKey: Uint8Array) => string;
  /** The bytes of the signature. */
  sign: (privateKey: Uint8Array, text: string) => Promise<Uint8Array> | Uint8Array;
  write: (signature: Uint8Array) => string;
  /** Positions where another value can mean the same: v as 0/27, the address kind in a BIP-137 header. */
  free?: number;
}

const signers: Signer[] = [
  {
    chain: 'Ethereum',
    address: (privateKey) => privateKeyToAccount(toHex(privateKey)).address,
    sign: async (privateKey, text) =>
      hexToBytes(await privateKeyToAccount(toHex(privateKey)).signMessage({ message: text })),
    write: (signature) => bytesToHex(signature),
    free: 64,
  },
  {
    chain: 'Bitcoin',
    address: (privateKey) => p2wpkh(secp256k1.getPublicKey(privateKey)).address ?? '',
    sign: (privateKey, text) => signBip137(privateKey, text, 39),
    write: (signature) => base64.encode(signature),
    free: 0,
  },
  {
    chain: 'Bitcoin',
    address: (privateKey) => p2wpkh(secp256k1.getPublicKey(privateKey)).address ?? '',
    sign: (privateKey, text) => signBip322([privateKey], text, p2wpkh(secp256k1.getPublicKey(privateKey))),
    write: (signature) => base64.encode(signature),
  },
  {
    chain: 'Solana',
    address: (privateKey) => base58.encode(ed25519.getPublicKey(privateKey)),
    sign: (privateKey, text) => ed25519.sign(new TextEncoder().encode(text), privateKey),
    write: (signature) => base58.encode(signature),
  },
  {
    chain: 'Tron',
    address: tronAddress,
    sign: (privateKey, text) => signTip191(privateKey, text),
    write: (signature) => bytesToHex(signature),
    free: 64,
  },
];

test.each(signers.map((signer, index) => [`${signer.chain} ${index}`, signer] as const))(
  '%s: what any key signs verifies, and with any one byte changed it does not',
  async (_name, { chain, address, sign, write, free }) => {
    await fc.assert(
      fc.asyncProperty(
        privateKeys,
        texts,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (privateKey, text, position, mask) => {
          const signature = await sign(privateKey, text);
          const given = { blockchain: chainNamed(chain), address: address(privateKey), message: text };
          await checkSignature({ ...given, signature: write(signature) });
          const at = position % signature.length;
          if (at === free) return;
          const changed = signature.map((byte, index) => (index === at ? byte ^ mask : byte));
          await refusalOfProof({ ...given, signature: write(changed) });
          await refusalOfProof({ ...given, message: `${text}.`, signature: write(signature) });
        },
      ),
      { numRuns: 40 },
    );
  },
  60_000,
);

const garbage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => bytesToHex(bytes)),
  fc.uint8Array({ minLength: 63, maxLength: 66 }).map((bytes) => bytesToHex(bytes)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => base64.encode(bytes)),
  fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => base58.encode(bytes)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => `smp${base64.encode(bytes)}`),
  // Witnesses that can be read, with lengths near those of signatures and keys.
  fc
    .array(fc.uint8Array({ minLength: 0, maxLength: 110 }), { minLength: 1, maxLength: 4 })
    .map((items) =>
      base64.encode(Uint8Array.from([items.length, ...items.flatMap((item) => [item.length, ...item])])),
    ),
);
const addresses = [
  account.address,
  'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
  'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3',
  'bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9',
  '37vmXxfXgQ9ZYVi4Z9sLxzL4rYKx2iuM9a',
  '11111111111111111111111111111111',
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
];

test('garbage is refused, whatever the chain, and nothing but refusals is thrown', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...blockchains),
      fc.oneof(fc.constantFrom(...addresses), fc.string({ unit: 'binary' })),
      fc.oneof(texts, fc.string({ unit: 'binary' }), fc.json(), fc.constant('')),
      garbage,
      async (blockchain, address, text, signature) => {
        await refusalOfProof({ blockchain, address, message: text, signature });
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a signature of 250 kB costs no time on any chain', async () => {
  // Time of the processor: that of the clock depends on what else runs here.
  const before = process.cpuUsage();
  for (const blockchain of blockchains)
    for (const character of ['1', 'z', 'A', '='])
      await refusalOfProof({ ...proof, blockchain, signature: character.repeat(250_000) });
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});

test('every refusal is a DomainError whose text says what to do', async () => {
  const refusals = [
    await refusalOfProof({ ...proof, message: '' }),
    await refusalOfProof({ ...proof, message: 'other' }),
    await refusalOfProof({ ...proof, signature: '' }),
    await refusalOfProof({ ...proof, signature: `${proof.signature.slice(0, -2)}25` }),
  ];
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal.message).toMatch(/Send|Sign|sign the text|Copy/);
  }
  expect(new Set(refusals.map(({ message: text }) => text)).size).toBe(refusals.length);
});
