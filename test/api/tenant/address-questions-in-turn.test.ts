import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { destinationRoute, lockRoutes } from '../../../db/routes/route-lock.ts';
import { eventually } from '../../eventually.ts';
import { goesOn, holdLocks, waitingForRows } from '../../factories/held-locks.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createMessagePair } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const POOL = 8;
const server = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.setHeader('Content-Type', 'application/json').end('{"isOwn":true}'));
});
let port = 0;
const { api } = useApi(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  return { config: { DATABASE_POOL: POOL, WEBHOOK_ALLOWED_HOSTS: [`127.0.0.1:${port}`] } };
});
afterAll(() => server.close());

test('answers about one address that wait for its route keep no other tenant from reading and writing', async () => {
  const [sender, receiver, other] = [
    await createTenant(api),
    await createTenant(api),
    await createTenant(api),
  ];
  const { outgoingId, destination } = await createMessagePair(api, sender, receiver, {
    body: { blockchainInfo: { blockchain: 'Ethereum' } },
  });
  const addressQuestionUrl = `http://127.0.0.1:${port}/questions`;
  expect((await receiver.patch('/tenant/me/settings', { addressQuestionUrl })).status).toBe(200);
  const release = await holdLocks(
    api,
    async (tx) => await lockRoutes(tx, [destinationRoute(destination.toLowerCase())]),
  );
  const change = { blockchainInfo: { blockchain: 'Polygon' } };
  const changes = Array.from(
    { length: 3 * POOL },
    async () => (await sender.patch(`/transactions/${outgoingId}`, change)).status,
  );
  // One of them waits for the route, and the others that have their turn for the row of its answer.
  await eventually(
    async () => await waitingForRows(api),
    (count) => count === 0.75 * POOL - 1,
  );
  await goesOn(other, POOL, release);
  expect(new Set(await Promise.all(changes))).toEqual(new Set([200]));
});
