import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { eventually } from '../eventually.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { EventView } from '../../domain/events/schema.ts';

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;

beforeAll(async () => {
  system = await startTestSystem();
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
});
afterAll(async () => await system.stop());

const address = () => `0x${Array.from({ length: 40 }, () => Math.floor(Math.random() * 16).toString(16)).join('')}`;

async function send(from: TestTenant, to: TestTenant | null, overrides: Record<string, unknown> = {}) {
  const answer = await from.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { blockchain: 'Ethereum', destination: address(), destinationType: 'CUSTODIAL' },
    ...(to && { vaspInfo: { beneficiaryVaspName: to.name } }),
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    ...overrides,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

const read = async (tenant: TestTenant, id: string) => (await tenant.get<Transaction>(`/transactions/${id}`)).body;
const eventsOf = async (tenant: TestTenant, id: string) =>
  (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.map((event) => event.type).toReversed();

test('a message for a named tenant is delivered, confirmed there, and the sender sees the answer', async () => {
  const sent = await send(alpine, harbour);
  expect(sent.status).toBe('PENDING');
  await eventually(() => read(alpine, sent.id), (now) => now.status === 'DELIVERED');
  const [incoming] = (await harbour.get<Transaction[]>('/transactions?_direction=INCOMING')).body;
  expect(incoming).toMatchObject({ status: 'DELIVERED', originator: null, beneficiary: null });
  expect(await eventsOf(alpine, sent.id)).toEqual(['CREATED', 'DELIVERED']);
});
