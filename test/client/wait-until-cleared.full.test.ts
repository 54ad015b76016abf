import {
  NotClearedInTime,
  NotFound,
  Waybill,
  type CreateTransaction,
  type Transaction,
} from '@waybill/client';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { evmAddress } from '../factories/transaction.ts';
import { createTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let waybill: Waybill;
/** An address that is on a sanctions list of the test system. */
const LISTED = '0x00000000000000000000000000000000005a4c71';
const LIMIT = { timeoutMs: 60_000, pollMs: { first: 20, longest: 200 } };

beforeAll(async () => {
  system = await startTestSystem();
  await ensureTestVasps(system.db, new Date());
  const { apiKey } = await createTenant(system);
  waybill = new Waybill({ baseUrl: system.url, apiKey });
});
afterAll(async () => await system.stop());

async function send(vasp: string, destination = evmAddress()): Promise<string> {
  const body: CreateTransaction = {
    asset: 'ETH',
    amount: '0.25',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: vasp },
    originator: { type: 'NATURAL', name: 'Anna Keller' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  };
  return (await waybill.transactions.create(body)).id;
}

test('GO when the other VASP has confirmed, STOP when it has declined', async () => {
  const confirmed = await send('Confirming Test VASP');
  await expect(waybill.transactions.waitUntilCleared(confirmed, LIMIT)).resolves.toMatchObject({
    id: confirmed,
    clearance: { outcome: 'GO', nextAction: 'ADD_HASH' },
  });
  const declined = await send('Declining Test VASP');
  await expect(waybill.transactions.waitUntilCleared(declined, LIMIT)).resolves.toMatchObject({
    clearance: { outcome: 'STOP', reasons: ['DECLINED'] },
  });
});

test('a person is asked once for each thing to do, and not while others act', async () => {
  const id = await send('Nobody knows this VASP');
  const told: Transaction['clearance']['nextAction'][] = [];
  const stopped = await waybill.transactions.waitUntilCleared(id, {
    ...LIMIT,
    onWait: async ({ clearance: { nextAction } }) => {
      told.push(nextAction);
      if (nextAction === 'FIX_ROUTING')
        await waybill.transactions.patch(id, {
          vaspInfo: { beneficiaryVaspName: 'Declining Test VASP' },
          blockchainInfo: { origin: LISTED },
        });
      if (nextAction === 'REVIEW')
        await waybill.transactions.review(id, { decision: 'PROCEED', reason: 'Not the same person.' });
    },
  });
  expect(stopped.clearance.outcome).toBe('STOP');
  expect(told).toEqual(['FIX_ROUTING', 'REVIEW']);
});

test('what onWait throws ends the wait', async () => {
  const id = await send('Nobody knows this VASP');
  const fault = new Error('nobody is there');
  const onWait = () => {
    throw fault;
  };
  await expect(waybill.transactions.waitUntilCleared(id, { ...LIMIT, onWait })).rejects.toBe(fault);
});

test('in the end it throws the last state', async () => {
  const id = await send('Silent Test VASP');
  const wait = waybill.transactions.waitUntilCleared(id, { ...LIMIT, timeoutMs: 3_000 });
  const late = await wait.catch((error: unknown) => error);
  expect(late).toBeInstanceOf(NotClearedInTime);
  expect((late as NotClearedInTime).transaction?.id).toBe(id);
  expect((late as NotClearedInTime).message).toContain('WAIT, next action');
});

test('a nudge makes it read at once', async () => {
  const id = await send('Silent Test VASP');
  const HOUR_MS = 3_600_000;
  let reads = 0;
  const counting: typeof fetch = async (...args) => {
    reads += 1;
    return await fetch(...args);
  };
  const { apiKey } = await createTenant(system);
  const receiver = new Waybill({ baseUrl: system.url, apiKey, fetch: counting });
  await expect(receiver.transactions.waitUntilCleared(id, LIMIT)).rejects.toBeInstanceOf(NotFound);
  expect(reads).toBe(1);
  const slow = { timeoutMs: HOUR_MS, pollMs: { first: HOUR_MS, longest: HOUR_MS } };
  const cleared = waybill.transactions.waitUntilCleared(id, slow);
  const alsoCleared = waybill.transactions.waitUntilCleared(id, slow);
  await waybill.transactions.patch(id, { status: 'CANCELLED' });
  waybill.transactions.nudge('another');
  waybill.transactions.nudge(id);
  await expect(cleared).resolves.toMatchObject({ clearance: { outcome: 'STOP' } });
  await expect(alsoCleared).resolves.toMatchObject({ clearance: { outcome: 'STOP' } });
});

test('trouble that passes is waited out, and told if time is over before', async () => {
  let isAway = true;
  const flaky: typeof fetch = async (...args) => {
    if (isAway) throw new TypeError('fetch failed');
    return await fetch(...args);
  };
  const { apiKey } = await createTenant(system);
  const client = new Waybill({ baseUrl: system.url, apiKey, fetch: flaky, retry: { retries: 0 } });
  const wait = client.transactions.waitUntilCleared('t-1', { ...LIMIT, timeoutMs: 300 });
  await expect(wait).rejects.toMatchObject({
    name: 'NotClearedInTime',
    transaction: undefined,
    cause: { name: 'ConnectionFailed' },
  });
  const later = client.transactions.waitUntilCleared('t-1', LIMIT);
  setTimeout(() => (isAway = false), 100);
  await expect(later).rejects.toBeInstanceOf(NotFound);
});

test('a signal ends it', async () => {
  const id = await send('Silent Test VASP');
  const controller = new AbortController();
  const gone = new Error('the customer left');
  const wait = waybill.transactions.waitUntilCleared(id, { ...LIMIT, signal: controller.signal });
  controller.abort(gone);
  await expect(wait).rejects.toBe(gone);
  const never = waybill.transactions.waitUntilCleared(id, { ...LIMIT, signal: AbortSignal.abort(gone) });
  await expect(never).rejects.toBe(gone);
});

test('a transaction that is deleted meanwhile is not found', async () => {
  const id = await send('Silent Test VASP');
  const wait = waybill.transactions.waitUntilCleared(id, LIMIT);
  await waybill.transactions.delete(id);
  await expect(wait).rejects.toBeInstanceOf(NotFound);
});
