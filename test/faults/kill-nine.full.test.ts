import { Installation } from '../e2e/installation.ts';
import { PARTS, Traffic } from '../e2e/killed-parts.ts';

const installation = new Installation();
let traffic: Traffic;

beforeAll(async () => {
  await installation.start();
  traffic = await Traffic.open(installation);
});
afterAll(async () => {
  await traffic?.close();
  await installation.remove();
});

test.each(PARTS)(
  'kill -9 of %s in the middle of 500 loses nothing that was answered 201, and everything finishes by itself',
  async (part) => {
    await traffic.play({ name: part, transactions: 500, kills: [{ part, after: 166 }] });
  },
  900_000,
);

test('restarts of PostgreSQL in the middle of 50 end every connection, and lose nothing either', async () => {
  // SIGINT ends the connections and shuts down in order, SIGQUIT leaves the tidying up to the next start.
  const kills = [
    { part: 'postgres', after: 10, signal: 'SIGINT' as const },
    { part: 'postgres', after: 35, signal: 'SIGQUIT' as const },
  ];
  await traffic.play({ name: 'restart', transactions: 50, kills });
}, 900_000);
