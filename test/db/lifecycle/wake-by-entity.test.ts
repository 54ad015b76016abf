import { randomBytes } from 'node:crypto';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { markUnreachable } from '../../../domain/transactions/lifecycle/routing-outcomes.ts';
import type { Json } from '../../api-client.ts';
import { entityOf } from '../../factories/directory.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, letPass } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
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
