import { trpPlaces } from '../../../activities/network/trp-places.ts';
import { messageNetworks } from '../../../activities/network/networks.ts';
import { sendInquiry, type TrpDeps } from '../../../activities/network/send-inquiry.ts';
import { transactionActivities } from '../../../activities/transactions/transaction-activities.ts';
import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { LifecyclePlan } from '../../../domain/transactions/lifecycle/next-step.ts';
import { noRequests } from '../../fakes/no-requests.ts';
import { eventually } from '../../eventually.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { TEST_MAILS } from '../../factories/test-mails.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api);
const VASP = { vaspInfo: { beneficiaryTravelAddress: 'ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv' } };

beforeAll(async () => {
  await ensureGateways(api.db, new Date());
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Quillon Ravenscroft')]);
});

type SendPlan = Extract<LifecyclePlan, { step: 'SEND' }>;

async function planOf(id: string): Promise<LifecyclePlan> {
  const screening = releaseDeps(api);
  const steps = transactionActivities({
    ...screening,
    networks: messageNetworks(screening, TEST_MAILS),
    http: noRequests,
    priceOf: () => undefined,
    startedAt: new Date(),
  });
  const { plan } = await eventually(
    async () => await steps.advanceTransaction({ id }),
    (advance) => !(advance.plan.step === 'WAIT' && advance.plan.waitingFor === 'SCREENING'),
  );
  return plan;
}

type Inquire = TrpDeps['trp']['client']['inquire'];
const inVain: Inquire = async () =>
  await Promise.resolve({ ok: false, fault: 'NOT_REACHED', statusCode: null });
const taken: Inquire = async () => await Promise.resolve({ ok: true, answer: { version: '3.2.0' } });

/** A message that was screened and has to be sent, and the activity that sends it to a VASP that never answers. */
async function messageToSend(name = 'Anna Keller', answer = inVain) {
  const { id } = await createTransaction(tenant, { ...VASP, originator: { name } });
  const plan = await planOf(id);
  if (plan.step !== 'SEND') throw new Error(`not to be sent: ${plan.step}`);
  let calls = 0;
  const inquire: Inquire = async (...call) => {
    calls += 1;
    return await answer(...call);
  };
  const notify: TrpDeps['trp']['client']['notify'] = async () =>
    await Promise.resolve({ ok: true, answer: null });
  const client = { inquire, notify, close: async () => await Promise.resolve() };
  const trp = {
    client,
    places: trpPlaces(),
    url: 'https://waybill.example',
    rules: { environment: 'sandbox', allowedHosts: [] } as const,
  };
  const deps: TrpDeps = { db: api.db, now: () => new Date(), trp, reportTrpFault: () => undefined };
  const send = async ({ version, basis }: SendPlan = plan) => [
    await sendInquiry(deps, { id, version, basis }),
    calls,
  ];
  return { id, plan, send };
}

const NOT_SENT = ['CHANGED', 0];
const SENT_IN_VAIN = ['FAILED', 1];

test('a message whose verdict still counts is sent', async () => {
  const { plan, send } = await messageToSend();
  expect(plan.basis).toMatchObject({ facts: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown });
  expect(JSON.stringify(plan)).not.toContain('Keller');
  expect(await send()).toEqual(SENT_IN_VAIN);
});

test('a message is not sent once a list names its originator, but screened again and held', async () => {
  const { id, send } = await messageToSend('Barnabas Ravenscroft');
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('2', 'Barnabas Ravenscroft')]);
  expect(await send()).toEqual(NOT_SENT);
  expect(
    await eventually(
      async () => await planOf(id),
      (plan) => plan.step === 'WAIT',
    ),
  ).toMatchObject({
    waitingFor: 'REVIEW',
  });
});

test('nor once the settings it was decided by have changed', async () => {
  const { id, send } = await messageToSend();
  const changed = await tenant.patch('/tenant/me/settings', { selfHosted: { thresholdEur: '77' } });
  expect(changed.status).toBe(200);
  expect(await send()).toEqual(NOT_SENT);
  const again = await planOf(id);
  if (again.step !== 'SEND') throw new Error('it has to be sent');
  expect(await send(again)).toEqual(SENT_IN_VAIN);
});

test('nor by a plan that does not say what its verdict rests on', async () => {
  const { plan, send } = await messageToSend();
  expect(await send({ ...plan, basis: null })).toEqual(NOT_SENT);
});

test('what the VASP has taken is delivered, whatever brake comes then; what it has not taken waits', async () => {
  const sent = await messageToSend('Anna Keller', taken);
  const [result, calls] = await sent.send();
  expect([result, calls]).toEqual(['SENT', 1]);
  const failed = await messageToSend();
  expect(await failed.send()).toEqual(SENT_IN_VAIN);
  const brake = { kind: 'OUTGOING', reason: 'A fault.' };
  const set = await tenant.post<{ id: string }>('/tenant/me/brakes', brake);
  for (const { id } of [sent, failed]) await planOf(id);
  const statesOf = async (id: string) => {
    const { status, subStatus } = (await tenant.get<Transaction>(`/transactions/${id}`)).body;
    return [status, subStatus];
  };
  expect(await statesOf(sent.id)).toEqual(['DELIVERED', 'AWAITING_COUNTERPARTY']);
  expect(await statesOf(failed.id)).toEqual(['PENDING', 'PAUSED']);
  expect((await tenant.post(`/tenant/me/brakes/${set.body.id}/release`, {})).status).toBe(200);
});

test('nor while a brake holds back what the tenant sends', async () => {
  const { send } = await messageToSend();
  const set = await tenant.post<{ id: string }>('/tenant/me/brakes', {
    kind: 'OUTGOING',
    reason: 'A fault.',
  });
  expect(set.status).toBe(201);
  expect(await send()).toEqual(NOT_SENT);
});
