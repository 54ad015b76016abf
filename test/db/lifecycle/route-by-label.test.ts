import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { importLabels } from '../../factories/labels.ts';
import { createPartner } from '../../factories/partner.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api);
const VASP = 'Blue Whale Exchange';
let partnerId: string;
let entityId: string;
beforeAll(async () => {
  const { partner } = await createPartner(api);
  partnerId = partner.id;
  const body = { name: VASP, type: 'exchange', networks: [`PARTNER:${partner.name}`] };
  const { operatorKey } = api;
  entityId = String((await api.request('POST', '/operator/entities', { operatorKey, body })).body['id']);
  await isIn('whale', entityId);
});

/** Makes an entity one of the bundled directory, which labels name by these ids. */
async function isIn(sourceId: string, id: string): Promise<void> {
  await database.pool.query(`update entities set source = 'BUNDLED', source_id = $1 where id = $2`, [
    sourceId,
    id,
  ]);
}

async function label(address: string, ...sourceIds: string[]): Promise<void> {
  await importLabels(
    database.pool,
    sourceIds.map((id) => ({
      address,
      name: id === 'whale' ? VASP : `Hot wallet of ${id}`,
      entityId: id,
      type: 'exchange',
      confidence: 100,
      blockchain: 'Ethereum',
    })),
  );
}

async function route(destination: string, beneficiaryVaspName?: string) {
  const { id } = await createTransaction(sender, {
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    ...(beneficiaryVaspName && { vaspInfo: { beneficiaryVaspName } }),
  });
  return await counterpartyOf(api.db.pool, await getTransaction(api.db, sender.id, id), api.db);
}

test('the institution that labels name is reached as if it were named, but nobody has named it', async () => {
  const address = evmAddress();
  await label(address, 'whale');
  const found = { receiver: { network: 'PARTNER', tenantId: partnerId, entityId }, entityId, isNamed: false };
  expect(await route(address)).toMatchObject(found);
  expect(await route(address, 'Blue Whale Exchanges')).toMatchObject(found);
});

test('a tenant is reached by a label, too', async () => {
  const address = evmAddress();
  const tenant = await createTenant(api);
  const { rows } = await database.pool.query<{ entity_id: string }>(
    'select entity_id from tenants where id = $1',
    [tenant.id],
  );
  await isIn('tenant', rows[0]?.entity_id ?? '');
  await label(address, 'tenant');
  expect((await route(address)).receiver).toEqual({ network: 'NATIVE', tenantId: tenant.id });
});

/** A name to be given; otherwise what is to be done before. */
test.each<[string, (address: string) => string | Promise<void>]>([
  ['another name', () => 'Orca Deep'],
  ['labels of two institutions', async (address) => await label(address, 'whale', 'orca')],
  ['labels of somebody unknown', async (address) => await label(address, 'orca')],
  [
    'a tenant that has registered the address: it is disputed',
    async (address) => await registerWallet(await createTenant(api), address),
  ],
])('nobody is reached with %s', async (_what, prepare) => {
  const address = evmAddress();
  await label(address, 'whale');
  const name = await prepare(address);
  expect((await route(address, name ?? undefined)).receiver).toBeNull();
});
