import { randomUUID } from 'node:crypto';
import { deliverNative } from '../../../db/lifecycle/deliver-native.ts';
import { inTransaction } from '../../../db/postgres.ts';
import type { TransactionScreening } from '../../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { eventually } from '../../eventually.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { waitingForRows } from '../../factories/held-locks.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// The directory may get a name of the other VASP at any time: whoever lets a transfer pass must have seen it.
const { api } = useApi();
const tenant = useTenantPerTest(api);

const LISTED = 'Barnabas Ravenscrofft';
const COMPANY = 'Zubarev Kestrel Exchange';
const CLEAN = 'Jonas Brandt';
const HELD = { status: 'PENDING', subStatus: 'ON_HOLD' };
const PROCEED = { decision: 'PROCEED', reason: 'Seen.' };

/** Makes a version of the list active that has these names besides; its number. */
const list = async (...names: string[]) =>
  await activateList(api.db.pool, 'OFAC_SDN', [
    listEntry('1', LISTED),
    ...[COMPANY, ...names].map((name) => listEntry(name, name, { type: 'organisation' })),
  ]);

beforeAll(async () => void (await list()));

const listed: string[] = [];
afterEach(async () => {
  for (const id of listed.splice(0)) {
    await operator('PATCH', `/operator/entities/${id}`, { masterEntityId: null });
    await operator('DELETE', `/operator/entities/${id}`);
  }
});

const operator = async (method: string, path: string, body?: object) =>
  await api.request(method, path, { operatorKey: api.operatorKey, ...(body && { body }) });
const advance = async (of: TestTenant, id: string): Promise<Transaction> =>
  await lifecycleSteps(api)(of, { id });

const proceed = async (id: string) => {
  const { status, body } = await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' });
  return [status, body['code']];
};

/** Gives the VASP of a tenant a duplicate with this name. */
async function addName(of: TestTenant, name = COMPANY): Promise<void> {
  const duplicate = await addEntity(api, name);
  listed.push(duplicate);
  await mergeEntity(api, duplicate, await entityOf(api, of.id));
}

async function matchingRoles(of: TestTenant, id: string): Promise<string[]> {
  const { body } = await of.get<{ screening: TransactionScreening | null }>(`/transactions/${id}/screening`);
  const { subjects } = body.screening?.sanctions ?? { subjects: [] };
  return subjects.filter(({ screening }) => screening?.sanctioned).map(({ role }) => role);
}

async function send(
  from: TestTenant,
  to: TestTenant,
  parties: { originator?: string; beneficiary?: string },
  vasp: string | null = to.name,
) {
  const destination = evmAddress();
  await registerWallet(to, destination);
  const { originator = 'Eva Huber', beneficiary = CLEAN } = parties;
  return await createTransaction(from, {
    originator: { name: originator },
    beneficiary: { name: beneficiary },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    ...(vasp !== null && { vaspInfo: { beneficiaryVaspName: vasp } }),
  });
}

/** The tenant's record of a message of another tenant, and the sender. */
async function receive(originator?: string): Promise<{ id: string; sender: TestTenant }> {
  const sender = await createTenant(api);
  const sent = await send(sender, tenant, originator === undefined ? {} : { originator });
  await advance(sender, sent.id);
  if (originator !== undefined) {
    expect((await sender.post(`/transactions/${sent.id}/review`, PROCEED)).status).toBe(200);
    await advance(sender, sent.id);
  }
  const { body } = await tenant.get<Transaction[]>('/transactions');
  const id = body[0]?.id ?? '';
  await advance(tenant, id);
  return { id, sender };
}

test('a message to a VASP with a listed name is held', async () => {
  const other = await createTenant(api);
  await addName(other);
  const { id } = await send(tenant, other, {});
  expect(await advance(tenant, id)).toMatchObject(HELD);
  expect(await matchingRoles(tenant, id)).toEqual(['beneficiaryVasp']);
});

test('a held message whose VASP gets a listed name shows it to its reviewer first', async () => {
  const other = await createTenant(api);
  const { id } = await send(tenant, other, { beneficiary: LISTED });
  expect(await advance(tenant, id)).toMatchObject(HELD);
  expect(await matchingRoles(tenant, id)).toEqual(['beneficiary']);
  await addName(other);
  const first = await tenant.post(`/transactions/${id}/review`, PROCEED);
  expect([first.status, first.body['code']]).toEqual([409, 'conflict']);
  expect(await advance(tenant, id)).toMatchObject(HELD);
  expect(await matchingRoles(tenant, id)).toEqual(['beneficiary', 'beneficiaryVasp']);
  // It has been seen now, and counts no second time.
  expect((await tenant.post(`/transactions/${id}/review`, PROCEED)).status).toBe(200);
  expect(await advance(tenant, id)).toMatchObject({ status: 'DELIVERED' });
});

test.each([
  ['listed', COMPANY, HELD],
  ['clean', 'Kornblum Exchange', { status: 'DELIVERED' }],
])('a message that was released while its VASP was away, and gets a %s name', async (_what, name, state) => {
  const other = await createTenant(api);
  const { id } = await send(tenant, other, { beneficiary: LISTED });
  await advance(tenant, id);
  expect((await operator('POST', `/operator/tenants/${other.id}/suspend`)).status).toBe(200);
  expect((await tenant.post(`/transactions/${id}/review`, PROCEED)).status).toBe(200);
  expect(await advance(tenant, id)).toMatchObject({ status: 'PENDING', subStatus: 'VASP_NOT_REACHABLE' });
  await addName(other, name);
  expect((await operator('POST', `/operator/tenants/${other.id}/resume`)).status).toBe(200);
  expect(await advance(tenant, id)).toMatchObject(state);
});

test('a received message is not confirmed when its sender has got a listed name', async () => {
  const { id, sender } = await receive();
  await addName(sender);
  const answer = await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
  expect([answer.status, answer.body['code']]).toEqual([409, 'review_required']);
  const held = await readTransaction(tenant, id);
  expect(held).toMatchObject({ status: 'DELIVERED', clearance: { outcome: 'WAIT' } });
  expect(await matchingRoles(tenant, id)).toEqual(['originatorVasp']);
});

test('a received message is confirmed when its sender has got a clean name', async () => {
  const { id, sender } = await receive();
  await addName(sender, 'Kornblum Exchange');
  expect((await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status).toBe(200);
});

test('a received message that is held shows its reviewer the new name of its sender', async () => {
  const { id, sender } = await receive(LISTED);
  expect(await matchingRoles(tenant, id)).toEqual(['originator']);
  await addName(sender);
  const first = await tenant.post(`/transactions/${id}/review`, PROCEED);
  expect([first.status, first.body['code']]).toEqual([409, 'conflict']);
  expect(await matchingRoles(tenant, id)).toEqual(['originator', 'originatorVasp']);
  expect((await tenant.post(`/transactions/${id}/review`, PROCEED)).status).toBe(200);
});

test('a held message that names another VASP than before is compared with that one when a list has a new version', async () => {
  const later = 'Kornblum Quillon Thistlewood';
  const before = `Nowhere ${randomUUID()}`;
  listed.push(await addEntity(api, before));
  const other = await createTenant(api);
  await addName(other, later);
  const { id } = await send(tenant, other, {}, before);
  expect(await advance(tenant, id)).toMatchObject({ subStatus: 'VASP_NOT_FOUND' });
  await tenant.patch(`/transactions/${id}`, { beneficiary: { name: LISTED } });
  expect(await advance(tenant, id)).toMatchObject(HELD);
  // It stays held, and is not routed yet: its record still has the entity of the first name.
  await tenant.patch(`/transactions/${id}`, { vaspInfo: { beneficiaryVaspName: other.name } });
  expect(await advance(tenant, id)).toMatchObject(HELD);
  const version = await list(later);
  const { found } = await rescreenSteps(api).rescreenOpen({ code: 'OFAC_SDN', version, afterId: null });
  expect(found).toBe(1);
  await list();
});

test('a message that was let pass unscreened, and is screened since, does not go when its VASP gets a listed name', async () => {
  const required = async (...requiredLists: string[]) =>
    await tenant.patch('/tenant/me/settings', { screening: { requiredLists, maxWaitMinutes: 0 } });
  await required('NOT_THERE');
  const other = await createTenant(api);
  const { id } = await send(tenant, other, {});
  expect((await advance(tenant, id)).clearance.reasons).toContain('UNSCREENED');
  expect((await tenant.post(`/transactions/${id}/review`, PROCEED)).status).toBe(200);
  await required();
  expect(await advance(tenant, id)).toMatchObject({ status: 'DELIVERED' });
  await tenant.patch(`/transactions/${id}`, { beneficiary: { name: 'Jonas Brandl' } });
  expect(await advance(tenant, id)).toMatchObject({ subStatus: 'AWAITING_COUNTERPARTY' });
  await addName(other);
  expect(await proceed(id)).toEqual([409, 'review_required']);
});

test('a message that has failed does not go when its VASP has got a listed name', async () => {
  const other = await createTenant(api);
  const { id } = await send(tenant, other, {});
  expect((await operator('POST', `/operator/tenants/${other.id}/suspend`)).status).toBe(200);
  expect(await advance(tenant, id)).toMatchObject({ subStatus: 'VASP_NOT_REACHABLE' });
  const later = lifecycleSteps(api, { now: () => new Date(Date.now() + 100 * 3_600_000) });
  expect(await later(tenant, { id })).toMatchObject({ status: 'FAILED' });
  await addName(other);
  expect(await proceed(id)).toEqual([409, 'review_required']);
});

test('a message that waits does not go to a VASP with a listed name that has registered its destination', async () => {
  const other = await createTenant(api);
  await addName(other);
  // The directory has changed nothing of it since the message was screened.
  await api.db.pool.query(`update entities set updated_at = updated_at - interval '3 days'`);
  expect((await tenant.post('/tenant/me/brakes', { kind: 'OUTGOING', reason: 'Looked into.' })).status).toBe(
    201,
  );
  const destination = evmAddress();
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: CLEAN },
    blockchainInfo: { blockchain: 'Ethereum', destination },
  });
  expect(await advance(tenant, id)).toMatchObject({ subStatus: 'PAUSED' });
  await registerWallet(other, destination);
  expect(await proceed(id)).toEqual([409, 'review_required']);
  expect(await matchingRoles(tenant, id)).toEqual(['beneficiaryVasp']);
});

test('a message that was released is not delivered when its VASP gets a listed name while that looks at it', async () => {
  const other = await createTenant(api);
  const { id } = await send(tenant, other, { beneficiary: LISTED });
  expect(await advance(tenant, id)).toMatchObject(HELD);
  expect((await tenant.post(`/transactions/${id}/review`, PROCEED)).status).toBe(200);
  const delivery = { tenantId: tenant.id, id, receiverTenantId: other.id, now: new Date() };
  const delivered = await deliverNative(api.db, delivery, async () => {
    await addName(other);
    return null;
  });
  expect(delivered).toBe('SCREEN_AGAIN');
  expect(await advance(tenant, id)).toMatchObject(HELD);
});

test('a message does not go when its VASP gets a listed name after the request has looked at it', async () => {
  const other = await createTenant(api);
  const { id } = await send(tenant, other, {});
  expect(await advance(tenant, id)).toMatchObject({ status: 'DELIVERED' });
  const { answer } = await inTransaction(api.db.pool, async (tx) => {
    await tx.query('select from transactions where id = $1 for update', [id]);
    const going = proceed(id);
    await eventually(
      async () => await waitingForRows(api),
      (count) => count > 0,
    );
    await addName(other);
    return { answer: going };
  });
  expect(await answer).toEqual([409, 'screening_pending']);
  expect(await proceed(id)).toEqual([409, 'review_required']);
});

test('a message is confirmed by a receiver that has got a listed name since: its coins wait, and it is held', async () => {
  const other = await createTenant(api);
  const { id } = await send(tenant, other, {});
  expect(await advance(tenant, id)).toMatchObject({ status: 'DELIVERED' });
  await addName(other);
  const { body } = await other.get<Transaction[]>('/transactions');
  expect((await other.patch(`/transactions/${body[0]?.id ?? ''}`, { status: 'CONFIRMED' })).status).toBe(200);
  const confirmed = await readTransaction(tenant, id);
  expect(confirmed).toMatchObject({ status: 'CONFIRMED', clearance: { outcome: 'WAIT' } });
  expect(await advance(tenant, id)).toMatchObject({ status: 'CONFIRMED', subStatus: 'ON_HOLD' });
});

test('a message that its receiver confirms with a clean new name is free once it is compared, and shows when that was', async () => {
  const other = await createTenant(api);
  const { id } = await send(tenant, other, {});
  await advance(tenant, id);
  await addName(other, 'Kornblum Exchange');
  const { body } = await other.get<Transaction[]>('/transactions');
  expect((await other.patch(`/transactions/${body[0]?.id ?? ''}`, { status: 'CONFIRMED' })).status).toBe(200);
  const { clearance, updatedAt } = await readTransaction(tenant, id);
  expect(clearance.outcome).toBe('WAIT');
  const freed = await advance(tenant, id);
  expect(freed.clearance.outcome).toBe('GO');
  expect(Date.parse(freed.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
});

test('an own record is not confirmed when the VASP that its confirmation names gets into the directory meanwhile', async () => {
  const sender = await createTenant(api);
  await tenant.patch(`/counterparties/${await entityOf(api, sender.id)}`, { policy: 'REVIEW' });
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    originator: { name: 'Eva Huber' },
    beneficiary: { name: CLEAN },
    vaspInfo: { originatorVaspName: sender.name },
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress() },
  });
  expect((await advance(tenant, id)).clearance.reasons).toContain('COUNTERPARTY');
  const originatorVaspName = `Nowhere ${randomUUID()}`;
  const confirm = async () =>
    await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED', vaspInfo: { originatorVaspName } });
  const { answer } = await inTransaction(api.db.pool, async (tx) => {
    await tx.query('select from transactions where id = $1 for update', [id]);
    const confirming = confirm();
    await eventually(
      async () => await waitingForRows(api),
      (count) => count > 0,
    );
    const named = await addEntity(api, originatorVaspName);
    const duplicate = await addEntity(api, COMPANY);
    listed.push(duplicate, named);
    await mergeEntity(api, duplicate, named);
    return { answer: confirming };
  });
  const refused = await answer;
  expect([refused.status, refused.body['code']]).toEqual([409, 'screening_pending']);
  const again = await confirm();
  expect([again.status, again.body['code']]).toEqual([409, 'conflict']);
});
