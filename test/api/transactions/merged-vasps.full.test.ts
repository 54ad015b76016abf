import type { Json } from '../../api-client.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const LISTED = 'Barnabas Ravenscroft';
const BLOCK = { decision: 'BLOCK', reason: 'He is listed.' };

const { api, database } = useApi();
let sender: TestTenant;
let receiver: TestTenant;
let place: { blockchain: string; destination: string; transactionHash: string };
/** An entry of the directory that turns out to be the sender. */
let former: { id: string; name: string };

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED)]);
});
beforeEach(async () => {
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
  place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
  await registerWallet(receiver, place.destination);
  const name = `Former name of ${sender.name}`;
  former = { id: await addEntity(api, name), name };
});

const named = (originatorVaspName: string) => ({ vaspInfo: { originatorVaspName } });
const record = async (body: Json = {}) =>
  await createTransaction(receiver, {
    direction: 'INCOMING',
    originator: undefined,
    beneficiary: undefined,
    ...body,
    blockchainInfo: place,
  });
const send = async (name: string) => {
  const parties = { originator: { name }, beneficiary: { name: 'Jonas Brandt' } };
  const { id } = await createTransaction(sender, { ...parties, blockchainInfo: place });
  return { id, incoming: await deliverJudged(api, { id, sender, receiver }) };
};
const receive = async (name: string) => (await send(name)).incoming;
/** A message that came while the sender had its former entry, by a network. */
const ofFormer = async ({ id }: { id: string }) =>
  await database.pool.query('update transactions set counterparty_entity_id = $2 where id = $1', [
    id,
    former.id,
  ]);
const merge = async () => {
  await mergeEntity(api, former.id, await entityOf(api, sender.id));
};
const read = async ({ id }: { id: string }) => await readTransaction(receiver, id);
const block = async ({ id }: { id: string }) => {
  expect((await receiver.post(`/transactions/${id}/review`, BLOCK)).status).toBe(200);
};

describe('an own record that named the sender by an entry which was merged since', () => {
  test('is stopped with the message of the sender', async () => {
    const own = await record(named(former.name));
    const message = await receive(LISTED);
    expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    await merge();
    await block(message);
    expect((await read(own)).clearance).toMatchObject({ outcome: 'STOP', nextAction: 'NONE' });
  });

  test('is of another VASP where both were never merged', async () => {
    const own = await record(named(former.name));
    await block(await receive(LISTED));
    expect((await read(own)).clearance.reasons).not.toContain('RELATED_BLOCKED');
  });
});

describe('a message that came under an entry which was merged since', () => {
  test('is of the VASP that an own record names', async () => {
    const message = await receive('Anna Keller');
    await ofFormer(message);
    await merge();
    const own = await record(named(former.name));
    expect([own.relatedTransactionId, (await read(message)).relatedTransactionId]).toEqual([
      message.id,
      own.id,
    ]);
  });

  test('stops an own record that names its VASP', async () => {
    const message = await receive(LISTED);
    await ofFormer(message);
    await merge();
    await block(message);
    expect((await record(named(sender.name))).clearance.outcome).toBe('STOP');
  });

  test('and was blocked: the next one of the VASP makes no own record of another wait', async () => {
    const { name } = await createTenant(api);
    const own = await record(named(name));
    const first = await receive(LISTED);
    await block(first);
    await ofFormer(first);
    await merge();
    await receive(LISTED);
    expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
  });

  test('and was withdrawn: the next one of the VASP makes the own record of nobody wait no more', async () => {
    const own = await record();
    const { id, incoming } = await send(LISTED);
    expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    expect((await sender.patch(`/transactions/${id}`, { status: 'CANCELLED' })).status).toBe(200);
    await ofFormer(incoming);
    await merge();
    await receive(LISTED);
    expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
  });

  test('is the one by which the VASP has written into an own record of nobody', async () => {
    const own = await record();
    const first = await receive('Anna Keller');
    await ofFormer(first);
    await merge();
    const second = await receive('Anna Keller');
    expect(second.relatedTransactionId).toBeNull();
    expect((await read(own)).relatedTransactionId).toBe(first.id);
  });
});
