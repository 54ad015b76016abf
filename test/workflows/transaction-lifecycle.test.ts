import { randomBytes } from 'node:crypto';
import { CounterpartyUnreachable, type MessageNetwork } from '../../activities/network/network.ts';
import type { EventView } from '../../domain/events/schema.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;
/** Switched on by the tests of unreachable counterparties. */
let unreachable = false;

beforeAll(async () => {
  system = await startTestSystem({
    prices: { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } },
    wrapNetwork: (native): MessageNetwork => ({
      deliver: async (...args) => {
        if (unreachable) throw new CounterpartyUnreachable();
        return await native.deliver(...args);
      },
    }),
  });
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
});
afterAll(async () => await system.stop());
afterEach(() => {
  system.clock.offsetMs = 0;
  unreachable = false;
});

const freshAddress = () => `0x${randomBytes(20).toString('hex')}`;

async function send(overrides: Record<string, unknown> = {}, place: Record<string, unknown> = {}) {
  const answer = await alpine.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '0.1',
    blockchainInfo: { destination: freshAddress(), destinationType: 'CUSTODIAL', ...place },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    ...overrides,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

const toHarbour = () => ({ vaspInfo: { beneficiaryVaspName: harbour.name } });
const read = async (tenant: TestTenant, id: string) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;
const becomes = async (id: string, status: string, subStatus: string | null) =>
  await eventually(
    async () => await read(alpine, id),
    (now) => now.status === status && now.subStatus === subStatus,
  );
const eventsOf = async (tenant: TestTenant, id: string) =>
  (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.map((event) => event.type).toReversed();
const screened = async (tenant: TestTenant, id: string) =>
  await eventually(
    async () => await eventsOf(tenant, id),
    (types) => types.includes('SCREENED'),
  );
const incomingFor = async (destination: string) => {
  const list = await harbour.get<Transaction[]>(
    `/transactions?_destination=${destination}&_direction=INCOMING`,
  );
  return list.body[0];
};
/** How its workflow ended; the outbox may start that a moment later. */
const ended = async (id: string): Promise<unknown> =>
  await eventually<unknown>(
    async () => await handleOf(id).result(),
    () => true,
  );
const handleOf = (id: string) => system.client.workflow.getHandle(workflowId('transactionLifecycle', id));

describe('routing', () => {
  test('a named tenant gets the message, sealed until it confirms that the address is its own', async () => {
    const sent = await send(toHarbour());
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    const incoming = await incomingFor(sent.blockchainInfo.destination);
    expect(incoming).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      originator: null,
      beneficiary: null,
      travelRuleMessageSource: 'NATIVE',
      blockchainInfo: { isDestinationConfirmed: false, destinationWalletId: expect.any(Number) },
    });
    expect(await eventsOf(alpine, sent.id)).toEqual(['CREATED', 'SCREENED', 'DELIVERED']);
  });

  test('the name is found whatever its case, accents and spaces', async () => {
    const sent = await send({ vaspInfo: { beneficiaryVaspName: `  ${harbour.name.toUpperCase()}  ` } });
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  });

  test('without a name the one tenant that registered the destination gets it, with all data', async () => {
    const destination = freshAddress();
    await harbour.post('/wallets', { address: destination, asset: '*', blockchain: 'ethereum' });
    const sent = await send({}, { destination });
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    expect(await incomingFor(destination)).toMatchObject({
      subStatus: 'ON_HOLD',
      originator: { name: 'Anna Keller' },
      blockchainInfo: { isDestinationConfirmed: true },
    });
  });

  test('two holders and no name: nobody gets it', async () => {
    const destination = freshAddress();
    const third = await createTenant(system);
    for (const holder of [harbour, third]) {
      await holder.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
    }
    const sent = await send({}, { destination });
    await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
    for (const holder of [harbour, third]) {
      expect((await holder.get(`/transactions?_destination=${destination}`)).body).toEqual([]);
    }
  });

  test('a message without a counterparty is routed when a wallet for it is registered', async () => {
    const sent = await send();
    await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'still-waiting-for-a-route');
    const address = sent.blockchainInfo.destination.toUpperCase().replace('0X', '0x');
    await harbour.post('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' });
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  });

  test('a message without a counterparty is routed when a tenant of that name appears', async () => {
    const name = `Newcomer ${randomBytes(4).toString('hex')}`;
    const sent = await send({ vaspInfo: { beneficiaryVaspName: name } });
    await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
    await createTenant(system, { name: name.toUpperCase() });
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  });

  test('a message without a counterparty is routed anew when its VASP is named', async () => {
    const sent = await send();
    await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
    await alpine.patch(`/transactions/${sent.id}`, toHarbour());
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  });

  test('an address that was only detected routes nothing', async () => {
    const first = await send(toHarbour());
    await becomes(first.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    const second = await send({}, { destination: first.blockchainInfo.destination });
    await becomes(second.id, 'PENDING', 'VASP_NOT_FOUND');
  });
});

describe('answers', () => {
  test('the confirmation of the beneficiary ends the workflow of the originator', async () => {
    const destination = freshAddress();
    await harbour.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
    const sent = await send({}, { destination });
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    const incoming = await incomingFor(destination);
    await screened(harbour, String(incoming?.id));
    expect((await harbour.patch(`/transactions/${incoming?.id}`, { status: 'CONFIRMED' })).status).toBe(200);
    const confirmed = await read(alpine, sent.id);
    expect(confirmed).toMatchObject({ status: 'CONFIRMED', subStatus: 'AWAITING_TRANSACTION_HASH' });
    expect(await ended(sent.id)).toBe('CONFIRMED');
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'confirmed');
  });

  test('a decline with its reasoning reaches the originator; a sealed record may be declined', async () => {
    const sent = await send(toHarbour());
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    const incoming = await incomingFor(sent.blockchainInfo.destination);
    const decline = {
      status: 'DECLINED',
      statusReasoning: 'Not our address',
      statusReasonCode: 'UNKNOWN_ADDRESS',
    };
    expect((await harbour.patch(`/transactions/${incoming?.id}`, decline)).status).toBe(200);
    expect(await read(alpine, sent.id)).toMatchObject(decline);
  });

  test('registering the detected wallet releases the personal data', async () => {
    const sent = await send(toHarbour());
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    const address = sent.blockchainInfo.destination;
    expect((await harbour.post('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' })).status).toBe(
      201,
    );
    expect(await incomingFor(address)).toMatchObject({
      subStatus: 'ON_HOLD',
      originator: { name: 'Anna Keller' },
      beneficiary: { name: 'Jonas Brandt' },
      blockchainInfo: { isDestinationConfirmed: true },
    });
  });

  test('a record that the tenant made itself is completed, and its decision answers the sender at once', async () => {
    const destination = freshAddress();
    const transactionHash = `0x${randomBytes(32).toString('hex')}`;
    const place = { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL', transactionHash };
    const own = await harbour.post<Transaction>('/transactions', {
      direction: 'INCOMING',
      asset: 'ETH',
      amount: '0.1',
      vaspInfo: { originatorVaspName: alpine.name },
      blockchainInfo: place,
    });
    await harbour.patch(`/transactions/${own.body.id}`, { status: 'CONFIRMED' });
    const sent = await send(toHarbour(), place);
    await becomes(sent.id, 'CONFIRMED', null);
    expect(await read(harbour, own.body.id)).toMatchObject({
      status: 'CONFIRMED',
      originator: { name: 'Anna Keller' },
      travelRuleMessageSource: 'NATIVE',
    });
  });

  test('a deleted message is not delivered and its workflow ends', async () => {
    const sent = await send();
    await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
    expect((await alpine.delete(`/transactions/${sent.id}`)).status).toBe(204);
    expect(await ended(sent.id)).toBe('DELETED');
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'deleted-while-unrouted');
    await harbour.post('/wallets', {
      address: sent.blockchainInfo.destination,
      asset: 'ETH',
      blockchain: 'Ethereum',
    });
    expect(await incomingFor(sent.blockchainInfo.destination)).toBeUndefined();
  });
});

describe('deadlines', () => {
  test('an unanswered message keeps DELIVERED after 90 days and is marked EXPIRED; a late answer still counts', async () => {
    const sent = await send(toHarbour());
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    system.clock.offsetMs = 90 * DAY_MS + 1_000;
    await system.wake('transactionLifecycle', sent.id);
    await becomes(sent.id, 'DELIVERED', 'EXPIRED');
    expect(await ended(sent.id)).toBe('DELIVERED');
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'expired-unanswered');
    const incoming = await incomingFor(sent.blockchainInfo.destination);
    await harbour.patch(`/transactions/${incoming?.id}`, { status: 'DECLINED' });
    await becomes(sent.id, 'DECLINED', null);
  });

  test('a message that found nobody fails after 90 days, and is taken up again when its VASP is named', async () => {
    const sent = await send();
    await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
    system.clock.offsetMs = 90 * DAY_MS + 1_000;
    await system.wake('transactionLifecycle', sent.id);
    await becomes(sent.id, 'FAILED', 'EXPIRED');
    system.clock.offsetMs = 0;
    await alpine.patch(`/transactions/${sent.id}`, toHarbour());
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  });

  test('a counterparty that cannot be reached is tried for 72 hours, then the message fails', async () => {
    unreachable = true;
    const sent = await send(toHarbour());
    await becomes(sent.id, 'PENDING', 'VASP_NOT_REACHABLE');
    system.clock.offsetMs = 71 * HOUR_MS;
    await system.wake('transactionLifecycle', sent.id);
    await eventually(
      async () => await eventsOf(alpine, sent.id),
      (events) => events.filter((type) => type === 'DELIVERY_FAILED').length === 2,
    );
    system.clock.offsetMs = 72 * HOUR_MS + 1_000;
    await system.wake('transactionLifecycle', sent.id);
    await becomes(sent.id, 'FAILED', 'VASP_NOT_REACHABLE');
    await ended(sent.id);
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'unreachable');
  });

  test('a counterparty that is reachable again gets the message at the next attempt', async () => {
    unreachable = true;
    const sent = await send(toHarbour());
    await becomes(sent.id, 'PENDING', 'VASP_NOT_REACHABLE');
    unreachable = false;
    system.clock.offsetMs = 2 * 60_000;
    await system.wake('transactionLifecycle', sent.id);
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  });
});

describe('self-hosted destinations', () => {
  const place = { destinationType: 'NON_CUSTODIAL' };

  test('are confirmed at once up to the threshold, and say why', async () => {
    const sent = await send({ amount: '0.2' }, place);
    await becomes(sent.id, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    await ended(sent.id);
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'self-hosted-confirmed');
    const events = await alpine.get<EventView[]>(`/transactions/${sent.id}/events`);
    expect(events.body[0]?.basis).toMatchObject({ kind: 'AUTO_SELF_HOSTED' });
  });

  test('wait for a proof above the threshold, with an unknown value, and where the tenant wants it', async () => {
    const above = await send({ amount: '0.5' }, place);
    const unknown = await send({ asset: 'NOPRICE', amount: '0.1' }, place);
    await becomes(above.id, 'PENDING', 'OWNERSHIP_UNCONFIRMED');
    await becomes(unknown.id, 'PENDING', 'OWNERSHIP_UNCONFIRMED');
    await alpine.patch('/tenant/me/settings', { autoConfirmSelfHosted: false });
    const never = await send({ amount: '0.01' }, place);
    await becomes(never.id, 'PENDING', 'OWNERSHIP_UNCONFIRMED');
    await alpine.patch('/tenant/me/settings', { autoConfirmSelfHosted: true });
  });
});

test('operators find a waiting transaction by what it waits for, and read it', async () => {
  const sent = await send();
  await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
  const query = `TrSubject = '${sent.id}' AND TrWaitingFor = 'ROUTE' AND TrDeadline > '2026-01-01T00:00:00Z'`;
  const found = await eventually(
    async () => {
      const ids: string[] = [];
      for await (const { workflowId: id } of system.client.workflow.list({ query })) ids.push(id);
      return ids;
    },
    (ids) => ids.length > 0,
  );
  expect(found).toEqual([`tx/${sent.id}`]);
  const { raw } = await handleOf(sent.id).describe();
  const summary = raw.executionConfig?.userMetadata?.summary?.data ?? new Uint8Array();
  expect(Buffer.from(summary).toString()).toBe('"Outgoing ETH"');
});
