import { randomBytes, randomUUID } from 'node:crypto';
import { SealedValueError } from '../../../db/vault/cipher.ts';
import { newVaultKey, readMasterKeys } from '../../../db/vault/master-key.ts';
import { NoTenantKeys, TenantKeys } from '../../../db/vault/tenant-keys.ts';
import type { KeyPurpose, StoredVaultKey } from '../../../db/vault/vault-keys.ts';

const masters = readMasterKeys(randomBytes(32).toString('hex'));
const RECORD = 'transactions:a-tenant:a-transaction';
const PERSONAL = `${RECORD}:personal`;

function unsettled(owner: string, purpose: KeyPurpose, version: number): StoredVaultKey {
  return { ...newVaultKey(masters, { owner, purpose, version }), settled: false };
}

function firstKeys(owner = randomUUID()): StoredVaultKey[] {
  return [unsettled(owner, 'RECORDS', 1), unsettled(owner, 'TOKENS', 1)];
}

describe('a record key', () => {
  const keys = new TenantKeys(masters, firstKeys());

  test.each([[{ name: 'Zoë', born: null, lines: ['a', 1.5, true] }], ['text'], [0], [null], [[]], [{}]])(
    'gives %j back after a round trip through its wrapped copy',
    (value) => {
      const { key, wrapped } = keys.newRecordKey(RECORD);
      const sealed = key.seal(PERSONAL, value);
      expect(keys.openRecordKey(wrapped, RECORD).open(PERSONAL, sealed)).toEqual(value);
    },
  );

  test('gives bytes back', () => {
    const { key } = keys.newRecordKey(RECORD);
    const bytes = randomBytes(1_000);
    expect(key.openBytes('file', key.sealBytes('file', bytes)).equals(bytes)).toBe(true);
  });

  test.each([
    ['short', { rules: ['r'] }],
    ['long', { rules: Array.from({ length: 200 }, (_, n) => ({ id: `rule ${n}`, matched: false })) }],
    ['a text that begins as a compressed value does', `x\u0001${'é'.repeat(600)}`],
  ])('gives back what it compressed, and what it did not: %s', (_, value) => {
    const { key } = keys.newRecordKey(RECORD);
    const [plain, compressed] = [key.seal(PERSONAL, value), key.sealCompressed(PERSONAL, value)];
    expect([key.open(PERSONAL, plain), key.open(PERSONAL, compressed)]).toEqual([value, value]);
    expect(compressed.length).toBeLessThanOrEqual(plain.length);
  });

  test('takes less than a tenth for what repeats itself', () => {
    const { key } = keys.newRecordKey(RECORD);
    const trace = Array.from({ length: 200 }, (_, n) => ({
      id: `rule ${n}`,
      matched: false,
      result: 'UNKNOWN',
    }));
    const plain = key.seal(PERSONAL, trace).length;
    expect(key.sealCompressed(PERSONAL, trace).length).toBeLessThan(plain / 10);
  });

  test('opens nothing of another record, and its values open in no other column', () => {
    const { key } = keys.newRecordKey(RECORD);
    const sealed = key.seal(PERSONAL, 'x');
    expect(() => keys.newRecordKey(RECORD).key.open(PERSONAL, sealed)).toThrow(SealedValueError);
    expect(() => key.open(`${RECORD}:webhook`, sealed)).toThrow(SealedValueError);
  });

  test('does not open for another record, nor under another tenant', () => {
    const { wrapped } = keys.newRecordKey(RECORD);
    expect(() => keys.openRecordKey(wrapped, 'transactions:a-tenant:another')).toThrow(SealedValueError);
    expect(() => new TenantKeys(masters, firstKeys()).openRecordKey(wrapped, RECORD)).toThrow(
      SealedValueError,
    );
  });

  test('cannot be read as a tenant secret of the same context', () => {
    const { wrapped } = keys.newRecordKey(RECORD);
    expect(() => keys.openBytes(RECORD, wrapped)).toThrow(SealedValueError);
  });

  test('refuses what is no JSON instead of losing it', () => {
    const { key } = keys.newRecordKey(RECORD);
    expect(() => key.seal(PERSONAL, undefined)).toThrow(TypeError);
  });

  test('never quotes content that is not JSON', () => {
    const { key } = keys.newRecordKey(RECORD);
    const sealed = key.sealBytes(PERSONAL, Buffer.from('Anna Müller'));
    expect(() => key.open(PERSONAL, sealed)).toThrow(
      new SealedValueError('A sealed value holds bytes, not JSON.'),
    );
  });
});

describe('a tenant secret', () => {
  test('opens under its tenant and context only', () => {
    const owner = firstKeys();
    const keys = new TenantKeys(masters, owner);
    const sealed = keys.seal('tenants:webhook', { secret: 's' });
    expect(new TenantKeys(masters, owner).open('tenants:webhook', sealed)).toEqual({ secret: 's' });
    expect(() => keys.open('tenants:other', sealed)).toThrow(SealedValueError);
    expect(() => new TenantKeys(masters, firstKeys()).open('tenants:webhook', sealed)).toThrow(
      SealedValueError,
    );
  });

  test('round trips as bytes', () => {
    const keys = new TenantKeys(masters, firstKeys());
    const bytes = randomBytes(40);
    expect(keys.openBytes('c', keys.sealBytes('c', bytes)).equals(bytes)).toBe(true);
  });
});

describe('key versions', () => {
  const [first, tokens] = firstKeys() as [StoredVaultKey, StoredVaultKey];
  const second = unsettled(first.owner, 'RECORDS', 2);
  const old = new TenantKeys(masters, [first, tokens]);

  test('a version seals only when it is settled, and then the newest one', () => {
    const sealVersion = (rows: StoredVaultKey[]): number =>
      new TenantKeys(masters, [...rows, tokens]).newRecordKey(RECORD).wrapped.readUInt32BE(1);
    expect(sealVersion([first])).toBe(1);
    expect(sealVersion([first, second])).toBe(1);
    expect(sealVersion([{ ...first, settled: true }, second])).toBe(1);
    expect(
      sealVersion([
        { ...first, settled: true },
        { ...second, settled: true },
      ]),
    ).toBe(2);
  });

  test('values of an older version keep opening, a version that is not settled opens too', () => {
    const settled = new TenantKeys(masters, [first, { ...second, settled: true }, tokens]);
    const unsettled = new TenantKeys(masters, [{ ...first, settled: true }, second, tokens]);
    const before = old.seal('c', 'before');
    const after = settled.seal('c', 'after');
    expect(settled.open('c', before)).toBe('before');
    expect(unsettled.open('c', after)).toBe('after');
  });

  test('a version that is not loaded is refused, and said to be unknown', () => {
    const after = new TenantKeys(masters, [{ ...second, settled: true }, first, tokens]).seal('c', 'x');
    expect(old.knows(after)).toBe(false);
    expect(old.knows(old.seal('c', 'x'))).toBe(true);
    expect(() => old.open('c', after)).toThrow('A sealed value names a key version that is not loaded.');
  });
});

describe('search tokens', () => {
  const rows = firstKeys();
  const keys = new TenantKeys(masters, rows);

  test('are the same for the same field and term, whoever loaded the keys', () => {
    expect(new TenantKeys(masters, rows).token('name', 'muller')).toBe(keys.token('name', 'muller'));
  });

  test('differ by tenant, by field and by term', () => {
    const others = [
      new TenantKeys(masters, firstKeys()).token('name', 'muller'),
      keys.token('metadata', 'muller'),
      keys.token('name', 'mulle'),
      keys.token('', 'name\0muller'),
    ];
    expect(new Set([keys.token('name', 'muller'), ...others]).size).toBe(5);
  });

  test('do not confuse where the field ends', () => {
    expect(keys.token('name', 'x')).not.toBe(keys.token('nam', 'ex'));
  });

  test('fill the signed 64-bit range of a bigint column', () => {
    const tokens = keys.tokens(
      'name',
      Array.from({ length: 500 }, (_, index) => `term ${index}`),
    );
    expect(tokens).toHaveLength(500);
    expect(tokens.every((token) => BigInt.asIntN(64, token) === token)).toBe(true);
    expect(tokens.some((token) => token < 0n) && tokens.some((token) => token > 2n ** 62n)).toBe(true);
    expect(tokens[3]).toBe(keys.token('name', 'term 3'));
  });
});

test.each([[[]], [['RECORDS']], [['TOKENS']]])(
  'an owner with no more keys than %j is no tenant',
  (purposes) => {
    const rows = firstKeys().filter((row) => (purposes as string[]).includes(row.purpose));
    expect(() => new TenantKeys(masters, rows)).toThrow(NoTenantKeys);
  },
);

test('the tokens of a recurring text are those of its terms, and are made once', () => {
  const keys = new TenantKeys(masters, firstKeys());
  const asked: string[] = [];
  const termsOf = (text: string) => {
    asked.push(text);
    return text.split(' ');
  };
  const first = keys.recurringTokens('beneficiaryVasp', 'alpine bank', termsOf);
  expect(first).toEqual(keys.tokens('beneficiaryVasp', ['alpine', 'bank']));
  expect(keys.recurringTokens('beneficiaryVasp', 'alpine bank', termsOf)).toEqual(first);
  expect(keys.recurringTokens('originatorVasp', 'alpine bank', termsOf)).toEqual(
    keys.tokens('originatorVasp', ['alpine', 'bank']),
  );
  expect(asked).toEqual(['alpine bank', 'alpine bank']);
  const others = new TenantKeys(masters, firstKeys());
  expect(others.recurringTokens('beneficiaryVasp', 'alpine bank', termsOf)).toEqual(
    others.tokens('beneficiaryVasp', ['alpine', 'bank']),
  );
});
