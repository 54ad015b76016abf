import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import type { Json } from '../../api-client.ts';
import { createMessagePair, letPass, readTransaction, screen } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();
let sender: TestTenant;
let receiver: TestTenant;
beforeEach(async () => {
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
});

const POLYGON = { blockchainInfo: { blockchain: 'Polygon' } };
const changeChain = async (id: string, body: Json = POLYGON) =>
  expect((await sender.patch(`/transactions/${id}`, body)).status).toBe(200);
const confirm = async (id: string) => await receiver.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
const review = async (id: string, decision: string) =>
  await receiver.post(`/transactions/${id}/review`, { decision, reason: 'looked at' });
const register = async (address: string, blockchain = 'Polygon') =>
  await receiver.post<{ id: number }>('/wallets', { address, asset: '*', blockchain });

async function walletsOf(tenant: TestTenant): Promise<Json[]> {
  return (await tenant.get<Json[]>('/wallets?_sort=id')).body;
}

test('a message on another chain is matched anew: nothing is hidden, and nobody confirms it without the wallet', async () => {
  const { outgoingId, incomingId, destination } = await createMessagePair(api, sender, receiver);
  await changeChain(outgoingId);
  await letPass(api.db, incomingId);
  const received = await readTransaction(receiver, incomingId);
  expect(received).toMatchObject({
    status: 'DELIVERED',
    originator: { name: 'Anna Keller' },
    blockchainInfo: { blockchain: 'Polygon', isDestinationConfirmed: false },
    clearance: {
      outcome: 'WAIT',
      reasons: ['DELIVERED', 'ON_HOLD', 'OWNERSHIP_UNCONFIRMED'],
      nextAction: 'CONFIRM_WALLET',
    },
  });
  const refused = { status: 409, body: { code: 'invalid_transition', allowed: ['DECLINED'] } };
  expect(await confirm(incomingId)).toMatchObject(refused);
  expect(await review(incomingId, 'PROCEED')).toMatchObject(refused);
  expect((await register(destination)).status).toBe(201);
  await letPass(api.db, incomingId);
  expect(await readTransaction(receiver, incomingId)).toMatchObject({
    blockchainInfo: { isDestinationConfirmed: true },
    clearance: { reasons: ['DELIVERED', 'ON_HOLD'], nextAction: 'REVIEW' },
  });
  expect((await confirm(incomingId)).status).toBe(200);
  expect(await readTransaction(sender, outgoingId)).toMatchObject({ status: 'CONFIRMED' });
});

test('the wallet that is detected on the new chain can be confirmed; the one of the former chain does not count', async () => {
  const { outgoingId, incomingId, destination } = await createMessagePair(api, sender, receiver, {
    registered: false,
  });
  const [former] = await walletsOf(receiver);
  await changeChain(outgoingId);
  const [, detected] = await walletsOf(receiver);
  expect(detected).toMatchObject({ blockchain: 'Polygon', status: 'UNCONFIRMED', source: 'DETECTED' });
  expect(await readTransaction(receiver, incomingId)).toMatchObject({
    originator: null,
    subStatus: 'OWNERSHIP_UNCONFIRMED',
    blockchainInfo: { destinationWalletId: detected?.['id'] },
  });
  await receiver.patch('/wallets', [former?.['id']]);
  expect(await readTransaction(receiver, incomingId)).toMatchObject({ originator: null });
  await receiver.patch('/wallets', [detected?.['id']]);
  expect(await readTransaction(receiver, incomingId)).toMatchObject({
    originator: { name: 'Anna Keller' },
    blockchainInfo: { isDestinationConfirmed: true, destination },
  });
});

test('a hidden message that comes to a chain on which the wallet is confirmed becomes visible, with its event', async () => {
  const { outgoingId, incomingId, destination } = await createMessagePair(api, sender, receiver, {
    registered: false,
  });
  const { body: wallet } = await register(destination);
  expect(await readTransaction(receiver, incomingId)).toMatchObject({ originator: null });
  await changeChain(outgoingId);
  expect(await readTransaction(receiver, incomingId)).toMatchObject({
    originator: { name: 'Anna Keller' },
    blockchainInfo: { isDestinationConfirmed: true, destinationWalletId: wallet.id },
  });
  const { body } = await receiver.get<Json[]>(`/transactions/${incomingId}/events`);
  expect(body.map(({ type }) => type)).toContain('RELEASED');
});

test('back to the former chain, and by another name of the same chain, the wallet is there again', async () => {
  const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
  const first = await readTransaction(receiver, incomingId);
  await changeChain(outgoingId, { blockchainInfo: { blockchain: 'eip155:1' } });
  expect((await readTransaction(receiver, incomingId)).blockchainInfo.isDestinationConfirmed).toBe(true);
  await changeChain(outgoingId);
  expect((await readTransaction(receiver, incomingId)).blockchainInfo.isDestinationConfirmed).toBe(false);
  await changeChain(outgoingId, { blockchainInfo: { blockchain: null } });
  expect(await readTransaction(receiver, incomingId)).toMatchObject({
    blockchainInfo: {
      isDestinationConfirmed: true,
      destinationWalletId: first.blockchainInfo.destinationWalletId,
    },
  });
});

test('rules that let it pass do not confirm it meanwhile', async () => {
  const { outgoingId, incomingId, destination } = await createMessagePair(api, sender, receiver);
  await changeChain(outgoingId);
  await screen(api.db, incomingId, { rules: { decision: 'PROCEED' } });
  expect(await readTransaction(receiver, incomingId)).toMatchObject({ status: 'DELIVERED' });
  await register(destination);
  // The rules decide again, now that they may confirm it.
  await screen(api.db, incomingId, { rules: { decision: 'PROCEED' } });
  expect(await readTransaction(receiver, incomingId)).toMatchObject({ status: 'CONFIRMED' });
});

test('a confirmation in the same request as a chain without the wallet is refused, and nothing changes', async () => {
  // The new chain is screened first.
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  const { incomingId } = await createMessagePair(api, sender, receiver);
  const before = await readTransaction(receiver, incomingId);
  const answer = await receiver.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED', ...POLYGON });
  expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_transition', allowed: ['DECLINED'] } });
  expect(await readTransaction(receiver, incomingId)).toEqual(before);
});

test('BLOCK and DECLINED need no wallet; what is decided asks for none', async () => {
  const { outgoingId, incomingId } = await createMessagePair(api, sender, receiver);
  await changeChain(outgoingId);
  expect((await review(incomingId, 'BLOCK')).status).toBe(200);
  expect(await readTransaction(receiver, incomingId)).toMatchObject({
    status: 'DECLINED',
    clearance: { outcome: 'STOP', nextAction: 'NONE' },
  });
});

test('a wallet that is registered at the same moment is not missed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { outgoingId, incomingId, destination } = await createMessagePair(api, sender, receiver);
    await Promise.all([changeChain(outgoingId), register(destination)]);
    expect(await readTransaction(receiver, incomingId)).toMatchObject({
      blockchainInfo: { blockchain: 'Polygon', isDestinationConfirmed: true },
    });
  }
  const { rows } = await database.pool.query(
    `select 1 from transactions where awaits_wallet and status = 'DELIVERED'`,
  );
  expect(rows).toEqual([]);
});
