import { signWebhook, verifyWebhook } from '../../../domain/webhooks/signature.ts';

const body = Buffer.from('{"id":"1","name":"Zoë"}');
const atMs = 1_760_000_000_000;
const within = { nowMs: atMs, toleranceMs: 300_000 };
const header = signWebhook('whsec_test', atMs, body);

test('the header is t=<ms>,s=<64 lower-case hex>', () => {
  expect(header).toMatch(/^t=1760000000000,s=[0-9a-f]{64}$/);
});

test('the signature is the one that other tools compute', () => {
  // printf '1760000000000.{"id":"1","name":"Zoë"}' | openssl dgst -sha256 -hmac whsec_test
  expect(header).toBe('t=1760000000000,s=2edfb0560c3af97e3b9ba4fab8ee8a98718082742d9e39c84d2b16bd609f3b25');
  // printf '1760000000000.{"id":"1","name":"Zoë"}' | openssl dgst -sha256 -hmac 'ključ'
  expect(signWebhook('ključ', atMs, body)).toBe(
    't=1760000000000,s=16756622c42d2ff7f2f715df3f206573682ada09a5de29cfda681f8465814cde',
  );
});

test('bytes that are no valid UTF-8 are signed as they are', () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00]);
  expect(verifyWebhook('k', signWebhook('k', atMs, bytes), bytes, within)).toBe(true);
  expect(verifyWebhook('k', signWebhook('k', atMs, bytes), Buffer.from(bytes.toString()), within)).toBe(
    false,
  );
});

test.each([1.5, -1, NaN, 1e21])('a time of %p is not signed', (timestampMs) => {
  expect(() => signWebhook('k', timestampMs, body)).toThrow(RangeError);
});

test('a genuine header is accepted up to the tolerance on both sides of the clock, not beyond', () => {
  expect(verifyWebhook('whsec_test', header, body, within)).toBe(true);
  const at = (nowMs: number) => verifyWebhook('whsec_test', header, body, { nowMs, toleranceMs: 300_000 });
  expect([at(atMs - 300_001), at(atMs - 300_000), at(atMs + 300_000), at(atMs + 300_001)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test.each([
  ['another secret', 'whsec_other', header, body],
  ['another body', 'whsec_test', header, Buffer.from('{}')],
  ['a changed time', 'whsec_test', header.replace('t=176', 't=177'), body],
  ['a changed signature', 'whsec_test', header.replace(/.$/, (last) => (last === '0' ? '1' : '0')), body],
  [
    'an upper-case signature',
    'whsec_test',
    header.replace(/s=.*/, (hex) => `s=${hex.slice(2).toUpperCase()}`),
    body,
  ],
  ['a shortened signature', 'whsec_test', header.slice(0, -2), body],
  ['a leading zero in the time', 'whsec_test', header.replace('t=', 't=0'), body],
  ['a second signature', 'whsec_test', `${header},${header}`, body],
  ['a line break at the end', 'whsec_test', `${header}\n`, body],
  ['no header', 'whsec_test', '', body],
])('%s is refused', (_what, secret, given, bytes) => {
  expect(verifyWebhook(secret, given, bytes, { nowMs: atMs, toleranceMs: Infinity })).toBe(false);
});
