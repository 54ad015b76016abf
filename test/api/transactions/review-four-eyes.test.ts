import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { Proposal } from '../../../domain/proposals/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { useFourEyes } from '../../factories/people.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import type { Client } from '../../factories/tenant.ts';
import type { TestUser } from '../../factories/user.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const price = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
const { api } = useApi({ prices: { ETH: price } });
const sender = useTenantPerTest(api);
const receiver = useTenantPerTest(api);
const waits = ruleWaits(api);
beforeAll(
  async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Quillon Ravenscroft')])),
);

/** A message that a rule of its receiver lets wait, with a first reviewer's proposal to let it pass. */
async function proposed(): Promise<{ sentId: string; id: string; waitUntil: Date | null; second: TestUser }> {
  const destination = evmAddress();
  await registerWallet(receiver, destination);
  await waits.publish(receiver, 'INCOMING', { field: 'asset', operator: 'EQ', value: 'ETH' });
  const [, second] = await useFourEyes(api, receiver, { review: true });
  const { id: sentId } = await createTransaction(sender, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: receiver.name },
  });
  const { id } = await deliverJudged(api, { id: sentId, sender, receiver });
  expect(await proceed(receiver, id)).toMatchObject({ status: 200, body: { subStatus: 'WAITING' } });
  const { ruleWaitUntil: waitUntil } = await getTransaction(api.db, receiver.id, id);
  return { sentId, id, waitUntil, second };
}

const proceed = async (by: Pick<Client, 'post'>, id: string, version?: number) =>
  await by.post<Transaction>(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'seen', version });

test('the second reviewer lets a waiting message pass that nobody has changed since', async () => {
  const { id, second } = await proposed();
  expect(await proceed(second, id)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
});

test('new data of the sender voids a proposal, though the wait that it leaves keeps its end', async () => {
  const { sentId, id, waitUntil, second } = await proposed();
  const someoneElse = { originator: { name: 'Somebody Entirely New', country: 'IR' } };
  expect((await sender.patch(`/transactions/${sentId}`, someoneElse)).status).toBe(200);
  await waits.screen(receiver, id);
  expect((await getTransaction(api.db, receiver.id, id)).ruleWaitUntil).toEqual(waitUntil);
  const { version } = await readTransaction(receiver, id);
  expect(await proceed(second, id, version)).toMatchObject({
    status: 200,
    body: { status: 'DELIVERED', subStatus: 'WAITING' },
  });
  const { body } = await receiver.get<Proposal[]>(`/proposals?_resourceId=${id}&_status=WAITING,OUTDATED`);
  expect(body.map(({ status, proposedBy }) => [status, proposedBy.id])).toEqual([
    ['WAITING', second.user.id],
    ['OUTDATED', receiver.apiKeyId],
  ]);
});

describe('one person lifts no hold by a confirmation,', () => {
  const HOLDS = ['RULE', 'COUNTERPARTY', 'INCOMPLETE_PARTY'] as const;
  const held = async (id: string, hold: string) =>
    await api.db.pool.query('update transactions set hold = $2 where id = $1', [id, hold]);
  const isRefused = async (by: Pick<Client, 'patch'>, id: string) => {
    for (const data of [
      {},
      { vaspInfo: { originatorVaspName: 'Somebody Else' } },
      { transactionHash: evmHash() },
      { beneficiary: { name: 'Jonas Brandt' } },
      { blockchainInfo: { blockchain: 'Ethereum' } },
    ]) {
      const answer = await by.patch(`/transactions/${id}`, { ...data, status: 'CONFIRMED' });
      expect([data, answer.status]).toEqual([data, 409]);
    }
  };

  test.each(HOLDS)('of an own record or a message: %s', async (hold) => {
    const { id } = await proposed();
    await api.db.pool.query('update transactions set rule_wait_until = null where id = $1', [id]);
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      originator: undefined,
      beneficiary: undefined,
      blockchainInfo: { blockchain: 'Ethereum', transactionHash: evmHash() },
    });
    for (const each of [id, own.id]) {
      await held(each, hold);
      const { status } = await readTransaction(receiver, each);
      await isRefused(receiver, each);
      const after = await readTransaction(receiver, each);
      expect([after.status, after.clearance.reasons]).toEqual([status, expect.arrayContaining([hold])]);
    }
  });
});
