import { AllowedIps, isAllowedFrom } from '../../../domain/api-keys/allowed-ips.ts';

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::1', '2001:db8::1/128'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::/0', '::/0'],
  ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
])('%s is kept as %s', (given, kept) => {
  expect(AllowedIps.parse([given])).toEqual([kept]);
});

test.each([
  '',
  'localhost',
  '203.0.113',
  '203.0.113.256',
  '0xcb.0.113.7',
  '203.0.113.07',
  '3405803783',
  '203.0.113.7/24',
  '203.0.113.0/33',
  '203.0.113.0/024',
  '203.0.113.0/',
  '203.0.113.0/24/8',
  '203.0.113.0/-1',
  '203.0.113.0/255.255.255.0',
  ' 203.0.113.7',
  '203.0.113.7\n',
  '*',
  '2001:db8::1/32',
  '2001:db8::/129',
  '2001:db8::1::2',
  'fe80::1%eth0',
  '::ffff:203.0.113.0/64',
  '[2001:db8::1]',
  '203.0.113.7:443',
  'x'.repeat(10_000),
])('%j is refused', (given) => {
  expect(AllowedIps.safeParse([given]).success).toBe(false);
});

test('a list has 1 to 50 networks, each once', () => {
  const networks = Array.from({ length: 51 }, (_, n) => `203.0.113.${n}`);
  expect(AllowedIps.safeParse([]).success).toBe(false);
  expect(AllowedIps.safeParse(networks).success).toBe(false);
  expect(AllowedIps.safeParse(networks.slice(1)).success).toBe(true);
  expect(AllowedIps.parse(['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7/32'])).toEqual([
    '203.0.113.7/32',
  ]);
});

test.each([
  [null, '198.51.100.1', true],
  [null, undefined, true],
  [['203.0.113.0/24'], '203.0.113.200', true],
  [['203.0.113.0/24'], '203.0.114.1', false],
  [['203.0.113.0/24'], '::ffff:203.0.113.200', true],
  [['203.0.113.0/24'], undefined, false],
  [['203.0.113.0/24'], 'unknown', false],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '203.0.113.7', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['198.51.100.1/32', '2001:db8::1/128'], '2001:db8::1', true],
])('a key for %j from %s: %s', (networks, address, isAllowed) => {
  expect(isAllowedFrom(networks, address)).toBe(isAllowed);
});
