import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { apiKeyKind, apiKeyText } from '../../../domain/tenants/api-key-text.ts';

const random = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => Buffer.from(bytes));

test.each([
  ['sandbox', 'wb_sandbox_'],
  ['production', 'wb_live_'],
] as const)(
  'a key of %s begins with %s, then 43 characters of secret and 6 of checksum',
  (environment, prefix) => {
    fc.assert(
      fc.property(random, (bytes) => {
        expect(apiKeyText(environment, bytes)).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
      }),
    );
  },
);

test('a key is valid in its environment, known as foreign in the other', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      for (const [own, other] of [
        ['sandbox', 'production'],
        ['production', 'sandbox'],
      ] as const) {
        const key = apiKeyText(own, bytes);
        expect([apiKeyKind(own, key), apiKeyKind(other, key)]).toEqual(['VALID', 'WRONG_ENVIRONMENT']);
      }
    }),
  );
});

test('one wrong character anywhere makes a key malformed', () => {
  const key = apiKeyText('sandbox', randomBytes(64));
  const wrong = Array.from(
    key,
    (character, at) => key.slice(0, at) + (character === 'x' ? 'y' : 'x') + key.slice(at + 1),
  );
  expect(wrong.map((text) => apiKeyKind('sandbox', text))).toEqual(wrong.map(() => 'MALFORMED'));
});

test('the prefix of the other environment does not fit the checksum', () => {
  const key = apiKeyText('sandbox', randomBytes(64));
  expect(apiKeyKind('production', key.replace('wb_sandbox_', 'wb_live_'))).toBe('MALFORMED');
});

test.each([
  ['nothing', () => ''],
  ['a key and a line end', (key: string) => `${key}\n`],
  ['a key and a space before', (key: string) => ` ${key}`],
  ['half a key', (key: string) => key.slice(0, 30)],
  ['a longer key', (key: string) => `${key}0`],
  ['a key in lower case', (key: string) => key.toLowerCase()],
  ['a key without prefix', (key: string) => key.slice('wb_sandbox_'.length)],
  ['a key of somebody else', () => `sk_live_${'a'.repeat(49)}`],
  ['letters of another script', (key: string) => key.replace(/.$/, 'а')],
])('%s is malformed', (_, change) => {
  expect(apiKeyKind('sandbox', change(apiKeyText('sandbox', Buffer.alloc(64, 7))))).toBe('MALFORMED');
});

test('the secret uses at least 256 bits of what it is made from: each of them changes it', () => {
  const base = Buffer.alloc(64, 0x5a);
  const secretOf = (bytes: Buffer) => apiKeyText('sandbox', bytes).slice('wb_sandbox_'.length, -6);
  const changing = Array.from({ length: 512 }, (_, bit) => bit).filter((bit) => {
    const bytes = Buffer.from(base);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return secretOf(bytes) !== secretOf(base);
  });
  expect(changing.length).toBeGreaterThanOrEqual(256);
  expect(62n ** 43n).toBeGreaterThanOrEqual(2n ** 256n);
});

test('every character occurs, none much more often than the others', () => {
  const keys = Array.from({ length: 400 }, (_, index) =>
    apiKeyText('production', createHash('sha512').update(String(index)).digest()),
  );
  const counts = new Map<string, number>();
  for (const character of keys.flatMap((key) => Array.from(key.slice('wb_live_'.length, -6)))) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const expected = (400 * 43) / 62;
  expect(counts.size).toBe(62);
  expect(Math.max(...counts.values())).toBeLessThan(expected * 1.5);
  expect(Math.min(...counts.values())).toBeGreaterThan(expected * 0.5);
});
