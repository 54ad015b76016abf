import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { INBOUND_ADDRESS, TEST_VASPS, type TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import { LATE_MS } from '../../domain/transactions/test-vasps/test-vasp-answer.ts';
import { verifyWebhook } from '../../domain/webhooks/signature.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { ROW_CHANGED, workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress, readTransaction, registerWallet } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { startReceiver, status, type Receiver } from './webhook-system.ts';

let system: TestSystem;
let receiver: Receiver;
let alpine: TestTenant;

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  await ensureTestVasps(system.db, new Date());
  receiver = await startReceiver(status(200));
  alpine = await createTenant(system);
});
afterAll(async () => {
  await system.stop();
  await receiver.stop();
});
afterEach(() => {
  system.clock.offsetMs = 0;
});

const vaspOf = (behaviour: TestBehaviour) => {
  const vasp = TEST_VASPS.find((each) => each.behaviour === behaviour);
  if (!vasp) throw new Error('no such test VASP');
  return vasp;
};

const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };

/** Sends a message to the documented address, and names nobody. */
async function sendTo(behaviour: TestBehaviour, more: Json = {}, info: Json = {}): Promise<string> {
  const destination = vaspOf(behaviour).address;
  const blockchainInfo = { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL', ...info };
  return (await createTransaction(alpine, { ...PARTIES, ...more, blockchainInfo })).id;
}

const becomes = async (id: string, word: string, subStatus?: string | null) =>
  await eventually(
    async () => await readTransaction(alpine, id),
    (now) => now.status === word && (subStatus === undefined || now.subStatus === subStatus),
  );
const handleOf = (id: string) => system.client.workflow.getHandle(workflowId('transactionLifecycle', id));
const wake = async (id: string) => await handleOf(id).signal(ROW_CHANGED);

/** Wakes the workflow, and waits until it has looked at its row and waits again. */
async function wakeInVain(id: string): Promise<void> {
  await wake(id);
  await eventually(
    async () => (await handleOf(id).fetchHistory()).events ?? [],
    (events) =>
      events
        .slice(events.findLastIndex((event) => event.workflowExecutionSignaledEventAttributes))
        .some((event) => event.timerStartedEventAttributes),
  );
}

test('the addresses lead to their VASPs on any EVM chain and in any spelling, and to nobody where another VASP is named', async () => {
  const { address, name } = vaspOf('CONFIRMS');
  for (const info of [{ blockchain: 'Polygon' }, { destination: `0x${address.slice(2).toUpperCase()}` }]) {
    const confirmed = await becomes(await sendTo('CONFIRMS', {}, info), 'CONFIRMED');
    expect(confirmed.vaspInfo.beneficiaryVaspName).toBe(name);
  }
  const id = await sendTo('CONFIRMS', { vaspInfo: { beneficiaryVaspName: 'Declining Test VASP' } });
  await becomes(id, 'DECLINED');
});

test('the declining, the mismatching and the silent one', async () => {
  expect(await becomes(await sendTo('DECLINES'), 'DECLINED')).toMatchObject({ statusReasonCode: 'OTHER' });
  expect(await becomes(await sendTo('MISMATCHES'), 'DECLINED')).toMatchObject({
    statusReasonCode: 'NAME_MISMATCH',
    clearance: { outcome: 'STOP' },
  });
  await becomes(await sendTo('SILENT'), 'DELIVERED', 'AWAITING_COUNTERPARTY');
});

describe('the repairing one', () => {
  test('asks for what is missing, and confirms once it has that', async () => {
    const id = await sendTo('REPAIRS', { originator: { name: 'Anna Keller', placeOfBirth: 'Chur' } });
    const asked = await becomes(id, 'DELIVERED', 'DATA_REQUESTED');
    expect(asked).toMatchObject({
      requestedFields: ['originator.dateOfBirth'],
      clearance: { nextAction: 'PROVIDE_DATA', deadlineAt: expect.any(String) },
    });
    await alpine.patch(`/transactions/${id}`, { originator: { dateOfBirth: '1984-03-12' } });
    expect(await becomes(id, 'CONFIRMED')).toMatchObject({ requestedFields: [] });
  });

  test('confirms at once what is complete', async () => {
    const originator = { name: 'Anna Keller', placeOfBirth: 'Chur', dateOfBirth: '1984-03-12' };
    await becomes(await sendTo('REPAIRS', { originator }), 'CONFIRMED');
  });

  test('declines when its time is over', async () => {
    const id = await sendTo('REPAIRS');
    await becomes(id, 'DELIVERED', 'DATA_REQUESTED');
    expect((await alpine.post(`/sandbox/transactions/${id}/fire-timer`)).status).toBe(202);
    expect(await becomes(id, 'DECLINED')).toMatchObject({ statusReasonCode: 'MISSING_DATA' });
  });
});

test('the late one answers after its time, not before', async () => {
  const id = await sendTo('LATE');
  await becomes(id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  system.clock.offsetMs = LATE_MS - 10_000;
  await wakeInVain(id);
  expect((await readTransaction(alpine, id)).status).toBe('DELIVERED');
  system.clock.offsetMs = LATE_MS;
  await wake(id);
  await becomes(id, 'CONFIRMED');
});

describe('the sending one confirms, and sends a message about coins that come back', () => {
  const arrived = async (destination: string) =>
    await eventually(
      async () =>
        (await alpine.get<Transaction[]>(`/transactions?_direction=INCOMING&_destination=${destination}`))
          .body,
      (found) => found.length > 0,
    );

  test('to the origin of the message, for its originator', async () => {
    const origin = evmAddress();
    await registerWallet(alpine, origin);
    await becomes(await sendTo('SENDS', {}, { origin }), 'CONFIRMED');
    const found = await arrived(origin);
    expect(found).toMatchObject([
      {
        status: 'DELIVERED',
        amountDecimal: '1.5',
        vaspInfo: { originatorVaspName: vaspOf('SENDS').name },
        beneficiary: { name: 'Anna Keller' },
        blockchainInfo: { origin: vaspOf('SENDS').address, isDestinationConfirmed: true },
      },
    ]);
  });

  test('without an origin to an address that is nobody’s: its parties are hidden', async () => {
    await becomes(await sendTo('SENDS'), 'CONFIRMED');
    expect(await arrived(INBOUND_ADDRESS)).toMatchObject([
      { subStatus: 'OWNERSHIP_UNCONFIRMED', originator: null, beneficiary: null },
    ]);
  });
});

describe('the forging one confirms, and its tenant gets a webhook with a wrong signature', () => {
  const testDeliveries = async (tenant: TestTenant) =>
    (await tenant.get<WebhookDelivery[]>('/tenant/me/webhook-deliveries')).body.filter(
      ({ eventType }) => eventType === 'test',
    );

  test.each([200, 400, 410])(
    'which is sent once, also to a receiver that answers %d, and never ends its webhooks',
    async (code) => {
      const tenant = await createTenant(system, { webhookUrl: receiver.url });
      receiver.received.length = 0;
      receiver.respond = (response, { headers }) =>
        void response.writeHead(headers['x-event-type'] === 'test' ? code : 200).end();
      const blockchainInfo = {
        blockchain: 'Ethereum',
        destination: vaspOf('FORGES').address,
        destinationType: 'CUSTODIAL',
      };
      const { id } = await createTransaction(tenant, { ...PARTIES, blockchainInfo });
      const [delivery] = await eventually(
        async () => await testDeliveries(tenant),
        ([found]) => found !== undefined && found.attempts > 0,
      );
      expect(delivery).toMatchObject({ status: code === 200 ? 'DELIVERED' : 'GAVE_UP' });
      expect((await readTransaction(tenant, id)).status).toBe('CONFIRMED');
      const isGenuine = ({ headers, raw }: Receiver['received'][number]) =>
        verifyWebhook(tenant.webhookSecret, String(headers['service-signature']), raw, {
          nowMs: Date.now(),
          toleranceMs: 60_000,
        });
      await eventually(
        async () => await Promise.resolve(receiver.received),
        (all) => all.length >= 3,
      );
      const kinds = receiver.received.map(
        (got) => `${String(got.headers['x-event-type'])} ${isGenuine(got)}`,
      );
      expect(kinds.toSorted()).toEqual(['test false', 'transaction true', 'transaction true']);
      const { body } = await tenant.get<Json>('/tenant/me');
      expect(body['webhookStatus']).toBe('ACTIVE');
    },
  );

  test('none without a webhook URL', async () => {
    await becomes(await sendTo('FORGES'), 'CONFIRMED');
    expect(await testDeliveries(alpine)).toEqual([]);
  });
});

test('every chain of events verifies', async () => {
  expect(await verifyEvents(system.db)).toMatchObject({ faults: [] });
});
