import { CounterpartyUnreachable, type MessageNetwork } from '../../activities/network/network.ts';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import type { EventView } from '../../domain/events/schema.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { attributes, workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody, createTransaction, readTransaction } from '../factories/transaction.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let alpine: TestTenant;
/** Switched on by the tests of unreachable counterparties. */
let unreachable = false;

beforeAll(async () => {
  system = await startTestSystem({
    wrapNetwork: (native): MessageNetwork => ({
      deliver: async (...args) => {
        if (unreachable) throw new CounterpartyUnreachable();
        return await native.deliver(...args);
      },
    }),
  });
  await ensureTestVasps(system.db, new Date());
  alpine = await createTenant(system);
});
afterAll(async () => await system.stop());
afterEach(() => {
  unreachable = false;
});

const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
const sendTo = async (beneficiaryVaspName: string, overrides = {}) =>
  await createTransaction(alpine, { ...PARTIES, vaspInfo: { beneficiaryVaspName }, ...overrides });
const becomes = async (id: string, status: string, subStatus: string | null) =>
  await eventually(
    async () => await readTransaction(alpine, id),
    (now) => now.status === status && now.subStatus === subStatus,
  );
const fire = async (id: string) => (await alpine.post(`/sandbox/transactions/${id}/fire-timer`)).status;
const eventsOf = async (id: string) =>
  (await alpine.get<EventView[]>(`/transactions/${id}/events`)).body
    .map(({ type, actor }) => `${type} ${actor}`)
    .toReversed();
const handleOf = (id: string) => system.client.workflow.getHandle(workflowId('transactionLifecycle', id));

describe('a message to a test VASP is answered as its name says', () => {
  test('the confirming one confirms: the originator sees what any counterparty would make it see', async () => {
    const sent = await sendTo('Confirming Test VASP');
    const confirmed = await becomes(sent.id, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    expect(confirmed).toMatchObject({
      travelRuleMessageSource: 'NATIVE',
      statusReasoning: null,
      clearance: { outcome: 'GO' },
      blockchainInfo: { isDestinationConfirmed: true },
      vaspInfo: { beneficiaryVaspEntityId: expect.any(String) },
    });
    expect(await eventsOf(sent.id)).toEqual([
      'CREATED API_KEY',
      'SCREENED SYSTEM',
      'DELIVERED SYSTEM',
      'STATUS_CHANGED COUNTERPARTY',
    ]);
    expect(await handleOf(sent.id).result()).toBe('CONFIRMED');
    await recordHistory(system.client, 'transactionLifecycle', sent.id, 'answered-by-test-vasp');
  });

  test('the declining one declines, with its reason', async () => {
    const sent = await sendTo('declining  test vasp');
    expect(await becomes(sent.id, 'DECLINED', null)).toMatchObject({
      statusReasoning: 'Declined by the test VASP',
      statusReasonCode: 'OTHER',
      clearance: { outcome: 'STOP' },
    });
  });

  test('the silent one says nothing, and hears what the originator adds and withdraws', async () => {
    const sent = await sendTo('Silent Test VASP');
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    // Shown once its time to answer has passed.
    await eventually(
      async () => (await handleOf(sent.id).describe()).typedSearchAttributes.get(attributes.waitingFor),
      (waitingFor) => waitingFor === 'COUNTERPARTY_ANSWER',
    );
    expect(await eventsOf(sent.id)).toEqual(['CREATED API_KEY', 'SCREENED SYSTEM', 'DELIVERED SYSTEM']);
    await alpine.patch(`/transactions/${sent.id}`, { status: 'CANCELLED' });
    const { rows } = await system.db.pool.query<{ status: string; sealed: boolean }>(
      'select i.status, i.sealed from message_pairs e join transactions i on i.id = e.incoming_id where e.outgoing_id = $1',
      [sent.id],
    );
    expect(rows).toEqual([{ status: 'CANCELLED', sealed: false }]);
  });

  test('whatever is sent to it by name, no address leads to it', async () => {
    const first = await sendTo('Confirming Test VASP');
    await becomes(first.id, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    const { destination } = first.blockchainInfo;
    const second = await createTransaction(alpine, { blockchainInfo: { destination } });
    await becomes(second.id, 'PENDING', 'VASP_NOT_FOUND');
  });

  test('one that is withdrawn before its answer stays withdrawn, and its workflow ends', async () => {
    const sent = await Promise.all(
      Array.from({ length: 10 }, async () => await sendTo('Confirming Test VASP')),
    );
    for (const { id } of sent) {
      const cancel = await alpine.patch(`/transactions/${id}`, { status: 'CANCELLED' });
      const status = await eventually<unknown>(
        async () => await handleOf(id).result(),
        () => true,
      );
      expect([cancel.status, status]).toEqual(
        cancel.status === 200 ? [200, 'CANCELLED'] : [409, 'CONFIRMED'],
      );
      expect((await readTransaction(alpine, id)).status).toBe(status);
    }
  });
});

describe('fire-timer', () => {
  test('ends the wait for an answer: 90 days pass at once, and a second time there is nothing to end', async () => {
    const sent = await sendTo('Silent Test VASP');
    await becomes(sent.id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
    expect(await fire(sent.id)).toBe(202);
    const expired = await becomes(sent.id, 'DELIVERED', 'EXPIRED');
    expect(expired.clearance).toMatchObject({ outcome: 'WAIT', deadlineAt: null });
    expect(await handleOf(sent.id).result()).toBe('DELIVERED');
    expect((await eventsOf(sent.id)).slice(-2)).toEqual(['TIMER_FIRED API_KEY', 'EXPIRED SYSTEM']);
    expect(await fire(sent.id)).toBe(409);
  });

  test('ends the search for a route, and the message can be taken up again', async () => {
    const sent = await createTransaction(alpine);
    await becomes(sent.id, 'PENDING', 'VASP_NOT_FOUND');
    expect(await fire(sent.id)).toBe(202);
    await becomes(sent.id, 'FAILED', 'EXPIRED');
    await handleOf(sent.id).result();
    await alpine.patch(`/transactions/${sent.id}`, {
      vaspInfo: { beneficiaryVaspName: 'Confirming Test VASP' },
    });
    await becomes(sent.id, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  });

  test('ends the 72 hours of delivery, not the delay before the next attempt', async () => {
    unreachable = true;
    const sent = await sendTo('Confirming Test VASP');
    await becomes(sent.id, 'PENDING', 'VASP_NOT_REACHABLE');
    // An attempt would succeed now.
    unreachable = false;
    expect(await fire(sent.id)).toBe(202);
    await becomes(sent.id, 'FAILED', 'VASP_NOT_REACHABLE');
    expect(await eventsOf(sent.id)).toEqual([
      'CREATED API_KEY',
      'SCREENED SYSTEM',
      'DELIVERY_FAILED SYSTEM',
      'TIMER_FIRED API_KEY',
      'EXPIRED SYSTEM',
    ]);
  });

  test('is never lost, whatever the lifecycle does in that very moment', async () => {
    const expired = async () => {
      const { id } = await sendTo('Silent Test VASP');
      expect(await fire(id)).toBe(202);
      return await eventually(
        async () => await readTransaction(alpine, id),
        (now) => now.subStatus === 'EXPIRED',
      );
    };
    await Promise.all(Array.from({ length: 30 }, expired));
  });
});

test('a message of a test VASP needs no workflow until it is decided on, and every chain verifies', async () => {
  const body = createBody({ ...PARTIES, blockchainInfo: { blockchain: 'Ethereum' } });
  await alpine.post('/wallets', {
    address: body.blockchainInfo.destination,
    asset: '*',
    blockchain: 'Ethereum',
  });
  const { id } = (await alpine.post<Transaction>('/sandbox/incoming', body)).body;
  expect((await alpine.patch(`/transactions/${id}`, { status: 'DECLINED' })).status).toBe(200);
  const { rows } = await system.db.pool.query<{ id: string; status: string }>(
    'select o.id, o.status from message_pairs e join transactions o on o.id = e.outgoing_id where e.incoming_id = $1',
    [id],
  );
  expect(rows).toMatchObject([{ status: 'DECLINED' }]);
  // Told of the decision, it finds nothing left to do.
  const workflow = handleOf(rows[0]?.id ?? '');
  const ended = async (): Promise<unknown> => await workflow.result().catch(() => undefined);
  await eventually(ended, (status) => status === 'DECLINED');
  expect(await verifyEvents(system.db)).toMatchObject({ faults: [] });
});
