import type { Socket } from 'node:net';
import { addressOf } from '../../../api/middleware/caller-address.ts';
import { getLiveEndpoint } from '../../../api/health/get-live.ts';
import { startToy } from './toy-api.ts';

const from = (ip: string) => addressOf({ ip, socket: { remoteAddress: '10.0.0.1' } as Socket });

test.each([
  ['an address', '203.0.113.5', '203.0.113.5'],
  ['IPv4 within IPv6', '::ffff:203.0.113.5', '203.0.113.5'],
  ['with a port', '203.0.113.5:50123', '203.0.113.5'],
  ['IPv6: its network', '2001:db8:0:1ff:a::1', '2001:db8:0:100::/56'],
  ['IPv6 with a port', '[2001:db8:0:1ff::2]:443', '2001:db8:0:100::/56'],
  ['no address', 'unknown', '10.0.0.1'],
  ['no address with a port', '1.2.3:4', '10.0.0.1'],
  ['nothing', '', '10.0.0.1'],
])('%s', (_name, ip, counted) => {
  expect(from(ip)).toBe(counted);
});

/** The statuses of requests with these X-Forwarded-For, when one request a minute is allowed. */
async function statusesOf(TRUST_PROXY: boolean, forwarded: readonly string[]): Promise<number[]> {
  const toy = await startToy({
    endpoints: [getLiveEndpoint],
    config: { RATE_LIMIT_ANONYMOUS: 1, TRUST_PROXY },
  });
  const statuses: number[] = [];
  for (const addresses of forwarded)
    statuses.push((await toy.send('/health/live', { headers: { 'X-Forwarded-For': addresses } })).status);
  await toy.stop(1000);
  return statuses;
}

test('without a proxy nobody is counted as somebody else by a header', async () => {
  expect(await statusesOf(false, ['203.0.113.1', '203.0.113.2'])).toEqual([200, 429]);
});

test('behind a proxy the address that it has added counts, neither its port nor what the caller wrote before it', async () => {
  const forged = ['8.8.8.8, 203.0.113.1', '9.9.9.9, 203.0.113.1', '203.0.113.1:5001', '203.0.113.1:5002'];
  expect(await statusesOf(true, forged)).toEqual([200, 429, 429, 429]);
  expect(await statusesOf(true, ['203.0.113.1', '203.0.113.2'])).toEqual([200, 200]);
});
