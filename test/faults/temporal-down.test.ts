import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { ownTemporal, type OwnTemporal } from '../temporal.ts';

let temporal: OwnTemporal;
let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;

beforeAll(async () => {
  temporal = await ownTemporal();
  await temporal.start();
  system = await startTestSystem({ temporalAddress: temporal.address });
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
}, 60_000);
afterAll(async () => {
  await system.stop();
  await temporal.remove();
}, 60_000);

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

test('while Temporal is away POST still answers 201 within 2 s, and all of it is delivered when it is back', async () => {
  await temporal.stop();
  const sent = await Promise.all(Array.from({ length: 20 }, send));
  expect(Math.max(...sent.map(({ tookMs }) => tookMs))).toBeLessThan(2_000);
  for (const { id } of sent) {
    expect((await alpine.get<Transaction>(`/transactions/${id}`)).body.status).toBe('PENDING');
  }
  await temporal.start();
  await eventually(
    async () => (await alpine.get(`/transactions?_status=DELIVERED`)).headers.get('x-total-count'),
    (count) => count === '20',
  );
}, 60_000);
