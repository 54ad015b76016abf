import { randomBytes } from 'node:crypto';
import { keyVersionOf, seal, SealedValueError, unseal, type SealingKey } from '../../../db/vault/cipher.ts';

const CONTEXT = 'transactions:personal:a-tenant:a-transaction';
const key: SealingKey = { version: 7, secret: randomBytes(32) };
const plain = Buffer.from('Müller, Anna; 1980-02-29');

function changed(sealed: Buffer, at: number): Buffer {
  const copy = Buffer.from(sealed);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

describe('a sealed value', () => {
  test.each([0, 1, 16, 500, 5_000_000])('of %i bytes opens to the same bytes', (length) => {
    const bytes = randomBytes(length);
    const sealed = seal(key, CONTEXT, bytes);
    expect(unseal(key, CONTEXT, sealed).equals(bytes)).toBe(true);
    expect(sealed).toHaveLength(1 + 4 + 12 + length + 16);
  });

  test('starts with its format and the version of its key, and does not show its content', () => {
    const sealed = seal({ ...key, version: 0xfedcba98 }, CONTEXT, plain);
    expect(sealed.subarray(0, 5).toString('hex')).toBe('01fedcba98');
    expect(keyVersionOf(sealed)).toBe(0xfedcba98);
    expect(sealed.includes(plain)).toBe(false);
  });

  test('opens in no other place', () => {
    const sealed = seal(key, CONTEXT, plain);
    const elsewhere = 'transactions:personal:a-tenant:another-transaction';
    expect(() => unseal(key, elsewhere, sealed)).toThrow(SealedValueError);
    expect(() => unseal(key, '', sealed)).toThrow(SealedValueError);
  });

  test('does not open under another key of the same version, nor under the same key named by another version', () => {
    const sealed = seal(key, CONTEXT, plain);
    expect(() => unseal({ version: 7, secret: randomBytes(32) }, CONTEXT, sealed)).toThrow(SealedValueError);
    expect(() => unseal({ ...key, version: 8 }, CONTEXT, sealed)).toThrow(SealedValueError);
  });

  test('does not open when any single byte of it was changed', () => {
    const sealed = seal(key, CONTEXT, plain);
    for (let at = 0; at < sealed.length; at += 1) {
      expect(() => unseal(key, CONTEXT, changed(sealed, at))).toThrow(SealedValueError);
    }
  });

  test('does not open when its key version was changed together with the name of the key', () => {
    const renamed = changed(seal(key, CONTEXT, plain), 4);
    expect(() => unseal({ ...key, version: keyVersionOf(renamed) }, CONTEXT, renamed)).toThrow(
      SealedValueError,
    );
  });

  test('does not open when it was cut to any length or made longer', () => {
    const sealed = seal(key, CONTEXT, plain);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => unseal(key, CONTEXT, sealed.subarray(0, length))).toThrow(SealedValueError);
    }
    expect(() => unseal(key, CONTEXT, Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(SealedValueError);
  });

  test('never repeats an IV, also over many draws of random bytes', () => {
    const ivs = Array.from({ length: 3_000 }, () =>
      seal(key, CONTEXT, plain).subarray(5, 17).toString('hex'),
    );
    expect(new Set(ivs).size).toBe(3_000);
  });
});
