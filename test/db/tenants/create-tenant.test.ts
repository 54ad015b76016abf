import { changeTenant } from '../../../db/tenants/change-tenant.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { createTenant as storeTenant } from '../../../db/tenants/create-tenant.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { patchTenantAsOperator } from '../../../domain/tenants/patch-tenant.ts';
import { letPass, markUnrouted } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api);
const receiver = useTenant(api);

const create = async (name: string) =>
  await inTransaction(
    api.db.pool,
    async (tx) => await storeTenant(api.db, tx, { body: { name }, environment: 'sandbox', now: new Date() }),
  );

async function rename(name: string): Promise<unknown> {
  const now = new Date();
  return await changeTenant(api.db, receiver.id, now, (tenant) =>
    patchTenantAsOperator(tenant, { name }, now),
  );
}

async function send(beneficiaryVaspName: string) {
  const { body } = await sender.post<{ id: string }>('/transactions', {
    asset: 'ETH',
    amount: 1,
    blockchainInfo: { destination: `0x${'4'.repeat(40)}`, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName },
  });
  return await getTransaction(api.db, sender.id, body.id);
}

test.each([
  ['creation', create],
  ['renaming', rename],
])(
  'however %s and "nobody found" meet, a message that names the tenant is never left behind',
  async (how, appear) => {
    for (let round = 0; round < 20; round += 1) {
      const name = `${how} ${round}`;
      const record = await send(name);
      await letPass(api.db, record.id);
      const [counterparty] = await Promise.all([markUnrouted(api.db, record), appear(name)]);
      const { wakeAt } = await getTransaction(api.db, sender.id, record.id);
      const isDue = wakeAt !== null && wakeAt.getTime() <= Date.now();
      expect({ round, found: counterparty !== null || isDue }).toEqual({ round, found: true });
    }
  },
);

test('a refused creation leaves neither keys nor a tenant', async () => {
  await create('Once Only');
  const count = async () => (await database.pool.query('select 1 from vault_keys')).rows.length;
  const before = await count();
  await expect(create('once only')).rejects.toMatchObject({ code: 'conflict' });
  expect(await count()).toBe(before);
});
