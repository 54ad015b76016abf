import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { ownTemporal, type OwnTemporal } from '../temporal.ts';

/** Long enough for connections to back off. */
const AWAY_MS = 60_000;
/** Bounded widely, for a machine that is busy: a free one answers within 2 s and goes on within 5 s. */
const ANSWERED_WITHIN_MS = 10_000;
const GOES_ON_WITHIN_MS = 30_000;

let temporal: OwnTemporal;
let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;

beforeAll(async () => {
  temporal = await ownTemporal();
  await temporal.start();
  system = await startTestSystem({ temporalAddress: temporal.address });
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
});
afterAll(async () => {
  await system.stop();
  await temporal.remove();
});

async function send(): Promise<{ id: string; tookMs: number }> {
  const startedAt = performance.now();
  const answer = await alpine.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: 1,
    blockchainInfo: { destination: `0x${randomBytes(20).toString('hex')}`, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: harbour.name },
  });
  expect(answer.status).toBe(201);
  return { id: answer.body.id, tookMs: performance.now() - startedAt };
}

test('while Temporal is away POST still answers 201 in time; work goes on soon after its return, and all is delivered', async () => {
  await temporal.stop();
  const sent = await Promise.all(Array.from({ length: 20 }, send));
  expect(Math.max(...sent.map(({ tookMs }) => tookMs))).toBeLessThan(ANSWERED_WITHIN_MS);
  for (const { id } of sent) {
    expect((await alpine.get<Transaction>(`/transactions/${id}`)).body.status).toBe('PENDING');
  }
  await delay(AWAY_MS);
  await temporal.start();
  const backAt = performance.now();
  await eventually(deliveredCount, (count) => count > 0);
  expect(performance.now() - backAt).toBeLessThan(GOES_ON_WITHIN_MS);
  await eventually(deliveredCount, (count) => count === sent.length);
});

async function deliveredCount(): Promise<number> {
  return Number((await alpine.get('/transactions?_status=DELIVERED')).headers.get('x-total-count'));
}
