import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { TokenMaker } from '../../../db/vault/token-maker.ts';

const secret = randomBytes(32);
const other = randomBytes(32);
/** Tokens are stored: whatever makes them must make the same ones as Node's own HMAC, which made those of earlier releases. */
const expected = (key: Buffer, field: string, term: string) =>
  createHmac('sha256', key).update(`${field}\0${term}`).digest().readBigInt64BE(0);

test('is the HMAC of field, NUL and term, for terms of every length and for what is no text', () => {
  const maker = new TokenMaker(createSecretKey(secret));
  const ofLength = Array.from({ length: 200 }, (_, length) => 'ä'.repeat(length));
  const terms = [
    ...ofLength,
    'x'.repeat(10_000),
    'Zoë',
    '李小龙',
    '😀',
    '\ud800',
    'a\udc00b',
    '\0',
    'screenedName\0',
  ];
  for (const term of terms)
    expect(maker.token('originator', term)).toBe(expected(secret, 'originator', term));
  expect(maker.token('', '')).toBe(expected(secret, '', ''));
});

test('keeps nothing of the token before, of this key or of another one', () => {
  const [maker, another] = [new TokenMaker(secret), new TokenMaker(other)];
  for (const term of ['anna', 'keller', 'a'.repeat(100), 'anna']) {
    expect(maker.token('beneficiary', term)).toBe(expected(secret, 'beneficiary', term));
    expect(another.token('beneficiary', term)).toBe(expected(other, 'beneficiary', term));
  }
});

test('takes keys of other sizes than that of the hash, as Node does', () => {
  for (const size of [1, 63, 64, 65, 200]) {
    const key = randomBytes(size);
    expect(new TokenMaker(key).token('f', 'term')).toBe(expected(key, 'f', 'term'));
  }
});
