import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { wakeMatched } from '../../../db/transactions/wake-for-rescreening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import type { Json } from '../../api-client.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { untilJudged } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);
const sender = useTenantPerTest(api);
const FILLER =
  'Alba Bero Cima Dulo Ebra Fino Gemo Hilo Irma Jovo Kelu Lumo Mira Nolo Orba Pilo Quro Rima Selo Tuva Umbo Vilo Wera';
/** More words than are compared, and the listed name behind them. */
const LONG = `${FILLER} Nicolas Maduro Moros`;
const BENEFICIARY = { name: 'Jonas Brandt' };

beforeAll(
  async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'MADURO MOROS, Nicolas')])),
);

async function screen(id: string): Promise<void> {
  const { settlement } = await untilJudged(api, await findOpenTransaction(api.db, tenant.id, id));
  await settleScreening(api.db, settlement);
}

const place = () => ({ blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() });
const read = async (id: string) => await readTransaction(tenant, id);
const confirm = async (id: string) =>
  await tenant.patch<Json>(`/transactions/${id}`, { status: 'CONFIRMED' });
const proceed = async (id: string) =>
  await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'read by hand' });
const UNREAD = { outcome: 'WAIT', reasons: ['CONFIRMED', 'ON_HOLD', 'UNSCREENED'], nextAction: 'REVIEW' };

/** A record of the tenant that names the sender, and the way to complete it by a message. */
async function ownRecord(fields: Json = {}) {
  const blockchainInfo = place();
  const vaspInfo = { originatorVaspName: sender.name };
  const own = await createTransaction(tenant, { direction: 'INCOMING', vaspInfo, blockchainInfo, ...fields });
  const complete = async (name: string) => {
    const parties = { originator: { name }, beneficiary: BENEFICIARY };
    const { id } = await createTransaction(sender, { ...parties, blockchainInfo });
    await deliverJudged(api, { id, sender, receiver: tenant });
    return id;
  };
  return { id: own.id, complete };
}

test('a confirmed record is held for the name in a message, and its sender is answered after a review', async () => {
  const own = await ownRecord();
  await screen(own.id);
  expect((await confirm(own.id)).status).toBe(200);
  const sent = await own.complete(LONG);
  expect((await read(own.id)).clearance).toMatchObject(UNREAD);
  expect((await readTransaction(sender, sent)).status).toBe('DELIVERED');
  const { body } = await tenant.get<Json>(`/transactions/${own.id}/events`);
  expect(JSON.stringify(body)).toContain('"sanctions":"INCOMPLETE"');
  expect((await proceed(own.id)).status).toBe(200);
  expect((await readTransaction(sender, sent)).status).toBe('CONFIRMED');
});

test('so is a record that a reviewer let pass before the message came', async () => {
  const own = await ownRecord({ originator: { name: 'Nicolas Maduro Moros' } });
  await screen(own.id);
  expect((await proceed(own.id)).status).toBe(200);
  expect((await read(own.id)).clearance.outcome).toBe('GO');
  const sent = await own.complete(LONG);
  expect((await read(own.id)).clearance).toMatchObject(UNREAD);
  expect((await readTransaction(sender, sent)).status).toBe('DELIVERED');
});

test('a record that is confirmed before its screening is held; a review covers the name for later lists', async () => {
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    originator: { name: LONG },
    blockchainInfo: place(),
  });
  expect((await confirm(id)).status).toBe(200);
  await screen(id);
  expect((await read(id)).clearance).toMatchObject(UNREAD);
  expect((await proceed(id)).status).toBe(200);
  await wakeMatched(api.db.pool, [id], new Date());
  expect((await read(id)).clearance.outcome).toBe('WAIT');
  await screen(id);
  expect((await read(id)).clearance.outcome).toBe('GO');
});

test('a weaker hold does not stay in front of a name that nobody can read', async () => {
  const entity = await tenant.get<{ id: string }>(`/entities/lookup?name=${encodeURIComponent(sender.name)}`);
  await tenant.patch(`/counterparties/${entity.body.id}`, { policy: 'REVIEW' });
  const blockchainInfo = place();
  await registerWallet(tenant, blockchainInfo.destination);
  const parties = { originator: { name: 'Anna Keller' }, beneficiary: BENEFICIARY };
  const { id } = await createTransaction(sender, { ...parties, blockchainInfo });
  const incoming = await deliverJudged(api, { id, sender, receiver: tenant });
  expect(incoming.clearance.reasons).toContain('COUNTERPARTY');
  expect((await sender.patch(`/transactions/${id}`, { originator: { name: LONG } })).status).toBe(200);
  await screen(incoming.id);
  expect((await read(incoming.id)).clearance.reasons).toEqual(['DELIVERED', 'ON_HOLD', 'UNSCREENED']);
  expect(await confirm(incoming.id)).toMatchObject({ status: 409, body: { code: 'review_required' } });
});
