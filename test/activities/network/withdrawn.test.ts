import { sendInquiry, type TrpDeps } from '../../../activities/network/send-inquiry.ts';
import { trpActivities } from '../../../activities/network/trp-activities.ts';
import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { TrpTransfer } from '../../../db/trp/transfer-row.ts';
import { findTransferOf } from '../../../db/trp/transfers.ts';
import { trpPlaces, type TrpPlaces } from '../../../activities/network/trp-places.ts';
import type { TrpClient } from '../../../activities/network/trp-client.ts';
import { eventTypes } from '../../factories/portal.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, deliver, letPass } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const TRAVEL_ADDRESS = 'ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv';
const CALLBACK = 'https://beneficiary.example/confirmations/1';
const APPROVED = { approved: { address: '0x52908400098527886E0F7030069857D2E4169EE7', callback: CALLBACK } };

beforeAll(async () => await ensureGateways(api.db, new Date()));

/** A message by TRP that is ready to be sent, and the activities with a VASP that takes it as `inquire` says. */
async function readyMessage(inquire: TrpClient['inquire'], places = trpPlaces()) {
  const vaspInfo = { beneficiaryTravelAddress: TRAVEL_ADDRESS };
  const { id } = await createTransaction(tenant, { vaspInfo });
  await letPass(api.db, id);
  const told: unknown[] = [];
  const notify: TrpClient['notify'] = async (url, _identifier, body) => {
    told.push([url.href, body]);
    return await Promise.resolve({ ok: true, answer: null });
  };
  const deps: TrpDeps = {
    db: api.db,
    now: () => new Date(),
    trp: {
      client: { inquire, notify, close: async () => await Promise.resolve() },
      places,
      url: 'https://waybill.example',
      rules: { environment: 'sandbox', allowedHosts: [] },
    },
    reportTrpFault: () => undefined,
  };
  const withdraw = async () =>
    expect((await tenant.patch(`/transactions/${id}`, { status: 'CANCELLED' })).status).toBe(200);
  const sent = async () => {
    const { version } = await getTransaction(api.db, tenant.id, id);
    return await sendInquiry(deps, { id, version });
  };
  const transfer = async () => (await findTransferOf(api.db, id))!;
  /** What the workflow of a notice does, where one was started. */
  const tell = async () => {
    const { id: transferId } = await transfer();
    const { rows } = await database.pool.query<{ wake_at: Date | null }>(
      'select wake_at from trp_transfers where id = $1',
      [transferId],
    );
    return rows[0]?.wake_at ? await trpActivities(deps).sendTrpNotice({ id: transferId }) : 'NOT_STARTED';
  };
  const answer = async (body: object) => {
    const { secrets, requestIdentifier } = await transfer();
    const headers = { 'api-version': '3.2.1', 'request-identifier': requestIdentifier };
    return (await api.request('POST', `/trp/resolutions/${secrets.token}`, { body, headers })).status;
  };
  const log = async () => (await eventTypes(tenant, id)).filter((type) => type.startsWith('WITHDRAWAL_'));
  /** The same for the inquiry that was sent first, after another one has taken its place or the message has gone elsewhere. */
  const replaced = async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from trp_transfers where replaced_for = $1',
      [id],
    );
    return rows.map((row) => row.id);
  };
  const tellReplaced = async () => {
    const [transferId = ''] = await replaced();
    return await trpActivities(deps).sendTrpNotice({ id: transferId });
  };
  return { id, told, withdraw, sent, tell, tellReplaced, transfer, replaced, answer, log };
}

const lost: TrpClient['inquire'] = async () =>
  await Promise.resolve({ ok: false, fault: 'NOT_REACHED', statusCode: null });
const CANCELED = [[CALLBACK, { canceled: expect.stringContaining('withdrawn') as unknown }]];

test('a withdrawal is told to a VASP whose answer to the inquiry was lost, once it answers', async () => {
  const { id, told, withdraw, sent, tell, answer, log } = await readyMessage(lost);
  expect(await sent()).toBe('FAILED');
  await withdraw();
  expect(await tell()).toBe('NOTHING_WAITS');
  expect([await log(), told]).toEqual([['WITHDRAWAL_UNTOLD'], []]);
  expect(await answer(APPROVED)).toBe(204);
  expect(await log()).toEqual(['WITHDRAWAL_UNTOLD', 'WITHDRAWAL_ANSWERED']);
  expect(await tell()).toBe('TOLD');
  expect(told).toEqual(CANCELED);
  // It says the same again: nothing is told twice.
  expect(await answer(APPROVED)).toBe(204);
  expect(await tell()).toBe('NOTHING_WAITS');
  expect(told).toEqual(CANCELED);
  expect(await log()).toEqual(['WITHDRAWAL_UNTOLD', 'WITHDRAWAL_ANSWERED', 'WITHDRAWAL_TOLD']);
  expect((await getTransaction(api.db, tenant.id, id)).status).toBe('CANCELLED');
});

test('an inquiry and a notice need a place of their tenant; without one nothing is sent', async () => {
  const calls: unknown[] = [];
  let isFull = true;
  const places: TrpPlaces = async (call, make) => {
    if (isFull) throw new Error('no place');
    calls.push(call);
    return await make();
  };
  const approves: TrpClient['inquire'] = async () => await Promise.resolve({ ok: true, answer: APPROVED });
  const { told, withdraw, sent, tell } = await readyMessage(approves, places);
  await expect(sent()).rejects.toThrow('no place');
  isFull = false;
  expect(await sent()).toBe('SENT');
  await withdraw();
  isFull = true;
  await expect(tell()).rejects.toThrow('no place');
  expect(told).toEqual([]);
  isFull = false;
  expect(await tell()).toBe('TOLD');
  expect(calls).toEqual([
    { what: 'INQUIRY', tenantId: tenant.id, host: expect.any(String) as unknown },
    { what: 'NOTICE', tenantId: tenant.id, host: 'beneficiary.example' },
  ]);
});

test('so is one while the inquiry is under way, and one before the delivery of what was approved at once', async () => {
  let during: () => Promise<void> = async () => await Promise.resolve();
  const approves: TrpClient['inquire'] = async () => {
    await during();
    return { ok: true, answer: APPROVED };
  };
  const meanwhile = await readyMessage(approves);
  during = meanwhile.withdraw;
  expect(await meanwhile.sent()).toBe('SENT');
  expect(await meanwhile.tell()).toBe('TOLD');
  expect(meanwhile.told).toEqual(CANCELED);
  expect(await meanwhile.log()).toEqual(['WITHDRAWAL_ANSWERED', 'WITHDRAWAL_TOLD']);

  during = async () => await Promise.resolve();
  const before = await readyMessage(approves);
  expect(await before.sent()).toBe('SENT');
  expect(await before.tell()).toBe('NOT_STARTED');
  await before.withdraw();
  expect(await before.tell()).toBe('TOLD');
  expect(before.told).toEqual(CANCELED);
});

test('a message that was never sent is withdrawn without a word, and a refusal needs none', async () => {
  const unsent = await readyMessage(lost);
  await unsent.withdraw();
  expect(await unsent.log()).toEqual([]);
  const refused = await readyMessage(lost);
  await refused.sent();
  await refused.withdraw();
  expect(await refused.answer({ rejected: 'UNKNOWN_ADDRESS: no' })).toBe(204);
  expect(await refused.tell()).toBe('NOTHING_WAITS');
  expect([await refused.log(), refused.told]).toEqual([['WITHDRAWAL_ANSWERED'], []]);
});

describe('a VASP that may have an inquiry without an answer is told that nothing comes, once it answers,', () => {
  /** The answer of the VASP of the first inquiry, after that was replaced. */
  const answerTo = async (first: TrpTransfer, body: object) => {
    const headers = { 'api-version': '3.2.1', 'request-identifier': first.requestIdentifier };
    return (await api.request('POST', `/trp/resolutions/${first.secrets.token}`, { body, headers })).status;
  };

  test('where the message goes to another VASP of this deployment', async () => {
    const { id, told, sent, transfer, replaced, tellReplaced } = await readyMessage(lost);
    expect(await sent()).toBe('FAILED');
    const first = await transfer();
    const other = await createTenant(api);
    const moved = { vaspInfo: { beneficiaryTravelAddress: null, beneficiaryVaspName: other.name } };
    expect((await tenant.patch(`/transactions/${id}`, moved)).status).toBe(200);
    await deliver(api, tenant, other, id);
    expect(await replaced()).toEqual([first.id]);
    expect(await tellReplaced()).toBe('NOTHING_WAITS');
    expect(told).toEqual([]);
    expect(await answerTo(first, APPROVED)).toBe(204);
    expect(await tellReplaced()).toBe('TOLD');
    expect(told).toEqual(CANCELED);
    // It decides on nothing of the message, which is with somebody else, and is told once.
    expect((await getTransaction(api.db, tenant.id, id)).status).toBe('DELIVERED');
    expect(await answerTo(first, APPROVED)).toBe(204);
    expect(await tellReplaced()).toBe('NOTHING_WAITS');
    expect(told).toEqual(CANCELED);
  });

  test('also in the response, after the message went elsewhere and its workflow found nobody to tell', async () => {
    let during: () => Promise<void> = async () => await Promise.resolve();
    const approves: TrpClient['inquire'] = async () => {
      await during();
      return { ok: true, answer: APPROVED };
    };
    const { id, told, sent, tellReplaced } = await readyMessage(approves);
    during = async () => {
      const other = await createTenant(api);
      const moved = { vaspInfo: { beneficiaryTravelAddress: null, beneficiaryVaspName: other.name } };
      expect((await tenant.patch(`/transactions/${id}`, moved)).status).toBe(200);
      await deliver(api, tenant, other, id);
      expect(await tellReplaced()).toBe('NOTHING_WAITS');
    };
    expect(await sent()).toBe('SENT');
    expect(await tellReplaced()).toBe('TOLD');
    expect(told).toEqual(CANCELED);
    expect((await getTransaction(api.db, tenant.id, id)).status).toBe('DELIVERED');
  });

  test('where changed data makes another inquiry, which it answers as well', async () => {
    const { id, told, sent, transfer, tellReplaced, tell, answer, withdraw } = await readyMessage(lost);
    expect(await sent()).toBe('FAILED');
    const first = await transfer();
    expect(
      (await tenant.patch(`/transactions/${id}`, { beneficiary: { name: 'Jonas Brandt' } })).status,
    ).toBe(200);
    await letPass(api.db, id);
    expect(await sent()).toBe('FAILED');
    const second = await transfer();
    expect(second.requestIdentifier).not.toBe(first.requestIdentifier);
    expect(await answerTo(first, APPROVED)).toBe(204);
    expect(await tellReplaced()).toBe('TOLD');
    expect(told).toEqual(CANCELED);
    // The one that counts is withdrawn by itself.
    await withdraw();
    expect(await answer(APPROVED)).toBe(204);
    expect(await tell()).toBe('TOLD');
    expect(told).toEqual([...CANCELED, ...CANCELED]);
  });

  test('and one that was approved before is told at once; one that refused needs no word', async () => {
    const approves: TrpClient['inquire'] = async () => await Promise.resolve({ ok: true, answer: APPROVED });
    const refuses: TrpClient['inquire'] = async () =>
      await Promise.resolve({ ok: true, answer: { rejected: 'UNKNOWN_ADDRESS: no' } });
    for (const [inquire, result, expected] of [
      [approves, 'TOLD', CANCELED],
      [refuses, 'NOTHING_WAITS', []],
    ] as const) {
      const { id, told, sent, tellReplaced } = await readyMessage(inquire);
      expect(await sent()).toBe('SENT');
      const other = await createTenant(api);
      const moved = { vaspInfo: { beneficiaryTravelAddress: null, beneficiaryVaspName: other.name } };
      expect((await tenant.patch(`/transactions/${id}`, moved)).status).toBe(200);
      await deliver(api, tenant, other, id);
      expect(await tellReplaced()).toBe(result);
      expect(told).toEqual(expected);
    }
  });
});
