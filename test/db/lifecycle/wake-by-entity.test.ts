import { randomBytes } from 'node:crypto';
import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { markUnreachable } from '../../../domain/transactions/lifecycle/routing-outcomes.ts';
import type { Json } from '../../api-client.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { importLabels } from '../../factories/labels.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, letPass, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const sender = useTenantPerTest(api);
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

const named = () => `Hafenbank ${randomBytes(5).toString('hex')}`;

async function operator(method: string, path: string, body?: Json): Promise<void> {
  const answer = await api.request(method, `/operator${path}`, { operatorKey: api.operatorKey, body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
}

const giveAliases = async ({ id }: TestTenant, aliases: string[]) =>
  await operator('PATCH', `/entities/${await entityOf(api, id)}`, { aliases });

interface Sent {
  name?: string;
  destination?: string;
}

async function send({ name, destination = evmAddress() }: Sent) {
  const { id } = await createTransaction(sender, {
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    ...(name !== undefined && { vaspInfo: { beneficiaryVaspName: name } }),
  });
  await letPass(api.db, id);
  return await getTransaction(api.db, sender.id, id);
}

/** What changes from now on make of a message: whether they wake it, and to whom it leads then. */
function watch({ id }: { id: string }) {
  const told = api.outbox.length;
  return async () => {
    const record = await getTransaction(api.db, sender.id, id);
    const { receiver } = await counterpartyOf(api.db.pool, record, api.db);
    const isWoken = api.outbox.slice(told).some(({ subjectId }) => subjectId === id);
    return { isWoken, receiver: receiver?.tenantId };
  };
}

async function unrouted(sent: Sent) {
  const record = await send(sent);
  expect(await markUnroutedOrFind(api.db, record, new Date())).toMatchObject({ counterparty: null });
  return watch(record);
}

/** A tenant that has registered an address. */
async function holder() {
  const [tenant, destination] = [await createTenant(api), evmAddress()];
  await registerWallet(tenant, destination);
  return { tenant, destination };
}

describe('a message whose destination a tenant holds is woken', () => {
  test('when that tenant gets an alias that is nearly the name in the message', async () => {
    const [name, { tenant, destination }] = [named(), await holder()];
    const look = await unrouted({ name, destination });
    await giveAliases(tenant, [`${name} AG`]);
    expect(await look()).toEqual({ isWoken: true, receiver: tenant.id });
  });

  test('when that tenant gets nearly the name in the message', async () => {
    const [name, { tenant, destination }] = [named(), await holder()];
    const look = await unrouted({ name, destination });
    await operator('PATCH', `/tenants/${tenant.id}`, { name: `${name} AG` });
    expect(await look()).toEqual({ isWoken: true, receiver: tenant.id });
  });

  test('when a VASP of nearly that name becomes a duplicate of it', async () => {
    const [name, { tenant, destination }] = [named(), await holder()];
    const duplicate = await addEntity(api, `${name} AG`);
    const look = await unrouted({ name, destination });
    await mergeEntity(api, duplicate, await entityOf(api, tenant.id));
    expect(await look()).toEqual({ isWoken: true, receiver: tenant.id });
  });

  test('when the VASP to which labels give the destination becomes a duplicate of it', async () => {
    const [name, { tenant, destination }] = [named(), await holder()];
    const custodian = await addEntity(api, name);
    await database.pool.query(`update entities set source = 'mine', source_id = 'held' where id = $1`, [
      custodian,
    ]);
    const label = { address: destination, blockchain: 'Ethereum', confidence: 90, name, entityId: 'held' };
    await importLabels(api.db.pool, [{ ...label, type: 'exchange' }]);
    const look = await unrouted({ destination });
    await mergeEntity(api, custodian, await entityOf(api, tenant.id));
    expect(await look()).toEqual({ isWoken: true, receiver: tenant.id });
  });

  test('also one that a rule lets wait', async () => {
    const { waiting, decidedAgain } = ruleWaits(api);
    const name = named();
    const tenant = await createTenant(api);
    const isNobody = { field: 'counterpartyInNetwork', operator: 'NOT_EXISTS' };
    const sent = await waiting(sender, isNobody, { vaspInfo: { beneficiaryVaspName: name } });
    await registerWallet(tenant, sent.blockchainInfo.destination);
    expect(await decidedAgain(sender, sent)).toBe('WAITING');
    await giveAliases(tenant, [`${name} AG`]);
    expect(await decidedAgain(sender, sent)).toBe('ROUTING');
  });

  test('but not when it names another VASP, or another tenant changes', async () => {
    const [name, { tenant, destination }] = [named(), await holder()];
    const [toOther, toNobody] = [
      await unrouted({ name: await otherVasp(), destination }),
      await unrouted({ name: named() }),
    ];
    await giveAliases(tenant, [`${name} AG`]);
    expect([(await toOther()).isWoken, (await toNobody()).isWoken]).toEqual([false, false]);
  });
});

async function otherVasp(): Promise<string> {
  const name = named();
  await addEntity(api, name);
  return name;
}

test('a message that did not reach its VASP is woken when its name leads to another', async () => {
  const [alias, before, after] = [named(), await createTenant(api), await createTenant(api)];
  await giveAliases(before, [alias]);
  const record = await send({ name: alias });
  await operator('POST', `/tenants/${before.id}/suspend`);
  const now = new Date();
  const failed = { tenantId: sender.id, id: record.id, now };
  await changeTransaction(api.db, { ...failed, decide: (own) => markUnreachable(own, now) });
  await giveAliases(before, []);
  const look = watch(record);
  await giveAliases(after, [alias]);
  expect(await look()).toEqual({ isWoken: true, receiver: after.id });
  expect((await getTransaction(api.db, sender.id, record.id)).wakeAt?.getTime()).toBeLessThanOrEqual(
    Date.now(),
  );
});
