import { promisify } from 'node:util';
import type { LookupAddress } from 'node:dns';
import { checkedLookup, isInReach, type LookupOptions } from '../../outside/checked-lookup.ts';

const ORIGIN = new URL('https://hooks.example.com:8443');
const PUBLIC = { allowedHosts: [] };

async function lookUp(options: LookupOptions, origin = ORIGIN): Promise<unknown> {
  const find = promisify(checkedLookup(origin, options)) as unknown as (
    host: string,
    options: object,
  ) => Promise<LookupAddress[]>;
  return await find(origin.hostname, { all: true }).catch((error: { code: string }) => error.code);
}
const to =
  (...addresses: string[]) =>
  async () =>
    await Promise.resolve(addresses);

test('public addresses are dialled as they were judged, all of them', async () => {
  expect(await lookUp({ reach: PUBLIC, resolve: to('8.8.8.8', '2606:4700::1111') })).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
});

test.each([
  ['private', ['10.0.0.1']],
  ['loopback', ['127.0.0.1']],
  ['the metadata service', ['169.254.169.254']],
  ['one private address among public ones', ['8.8.8.8', '192.168.0.1']],
  ['a mapped private address', ['::ffff:10.0.0.1']],
  ['no address', ['other.example.com']],
])('a name that resolves to %s is out of reach', async (_what, addresses) => {
  expect(await lookUp({ reach: PUBLIC, resolve: to(...addresses) })).toBe('ADDRESS_NOT_ALLOWED');
});

test.each([
  [['hooks.example.com'], true],
  [['hooks.example.com:8443'], true],
  [['hooks.example.com:443'], false],
  [['10.0.0.1'], true],
  [['10.0.0.2'], false],
])('with %j allowed, a private address is within reach: %s', async (allowedHosts, isReached) => {
  const found = await lookUp({ reach: { allowedHosts }, resolve: to('10.0.0.1') });
  expect(found).toEqual(isReached ? [{ address: '10.0.0.1', family: 4 }] : 'ADDRESS_NOT_ALLOWED');
});

test("the operator's own hosts may be anywhere", async () => {
  expect(await lookUp({ reach: 'ANYWHERE', resolve: to('10.0.0.1') })).toEqual([
    { address: '10.0.0.1', family: 4 },
  ]);
  // By the hosts file, which name servers know nothing of.
  expect(await lookUp({ reach: 'ANYWHERE' }, new URL('http://localhost'))).toContainEqual({
    address: '127.0.0.1',
    family: 4,
  });
});

test('a look-up that fails or finds nothing is DNS_FAILED', async () => {
  const failing = async () => await Promise.reject(new Error('SERVFAIL hooks.example.com'));
  expect(await lookUp({ reach: PUBLIC, resolve: failing })).toBe('DNS_FAILED');
  expect(await lookUp({ reach: 'ANYWHERE', resolve: to() })).toBe('DNS_FAILED');
});

test.each([
  ['https://hooks.example.com/', true],
  ['https://8.8.8.8/', true],
  ['https://127.0.0.1/', false],
  ['https://2130706433/', false],
  ['https://[::1]/', false],
  ['https://[::ffff:10.0.0.1]/', false],
  ['https://[fd00::1]/', false],
  ['https://localhost/', false],
  ['https://metadata.google.internal/', false],
])('%s is within reach of a client for public addresses: %s', (url, isReached) => {
  expect(isInReach(new URL(url), PUBLIC)).toBe(isReached);
  expect(isInReach(new URL(url), 'ANYWHERE')).toBe(true);
});
