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
