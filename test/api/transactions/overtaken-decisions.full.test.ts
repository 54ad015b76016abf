import type { Transaction } from '../../../domain/transactions/schema.ts';
import { releaseNext } from '../../../transaction-screening/release-records.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  letPass,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();
let sender: TestTenant;
let receiver: TestTenant;
let place: { blockchain: string; destination: string; transactionHash: string };

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});
beforeEach(async () => {
  const webhooks = { webhookUrl: WEBHOOK_URL };
  [sender, receiver] = [await createTenant(api, webhooks), await createTenant(api, webhooks)];
  place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
});

const fromSender = () => ({ vaspInfo: { originatorVaspName: sender.name } });
const record = async (body: Json = {}, at: Json = place) =>
  await createTransaction(receiver, { direction: 'INCOMING', ...body, blockchainInfo: at });
const send = async (body: Json = {}, at: Json = place) =>
  await createTransaction(sender, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    ...body,
    blockchainInfo: at,
  });
const read = async (tenant: TestTenant, { id }: { id: string }) => await readTransaction(tenant, id);
const patch = async (tenant: TestTenant, { id }: { id: string }, body: Json) =>
  (await tenant.patch(`/transactions/${id}`, body)).status;

const arrive = async ({ id }: { id: string }) => await deliverJudged(api, { id, sender, receiver });

async function publish(rules: Json[]): Promise<void> {
  const { id } = (await configurations(receiver)).INCOMING;
  expect((await draft(receiver, id, rules, { defaultDecision: 'REVIEW' })).status).toBe(200);
  expect((await receiver.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

async function setPolicy(policy: string): Promise<void> {
  const found = await receiver.get<{ id: string }>(
    `/entities/lookup?name=${encodeURIComponent(sender.name)}`,
  );
  expect((await receiver.patch(`/counterparties/${found.body.id}`, { policy })).status).toBe(200);
}

const reviewAll = () =>
  rule({ conditions: { field: 'asset', operator: 'EQ', value: 'ETH' }, decision: 'REVIEW' });
const blockKp = () =>
  rule({ conditions: { field: 'originatorCountry', operator: 'EQ', value: 'KP' }, decision: 'BLOCK' });

describe('a sealed message that its sender moves to another chain while its release is under way', () => {
  /** The last of so many that a workflow releases them. */
  async function moved() {
    const destination = evmAddress();
    const body = { blockchainInfo: { destination, blockchain: 'Ethereum' } };
    let last: Awaited<ReturnType<typeof createMessagePair>> | undefined;
    for (let count = 0; count < 51; count += 1)
      last = await createMessagePair(api, sender, receiver, { registered: false, body });
    await registerWallet(receiver, destination);
    if (!last) throw new Error('nothing was sent');
    expect(await patch(sender, { id: last.outgoingId }, { blockchainInfo: { blockchain: 'Polygon' } })).toBe(
      200,
    );
    return { id: last.incomingId };
  }
  const hidden = { originator: null, blockchainInfo: { isDestinationConfirmed: false } };

  test('stays sealed: it can neither be confirmed nor is it released', async () => {
    const message = await moved();
    expect(await patch(receiver, message, { status: 'CONFIRMED' })).toBe(409);
    expect(await read(receiver, message)).toMatchObject(hidden);
    const { rows } = await database.pool.query<{ id: string; total: number }>(
      'select id, total from wallet_releases where tenant_id = $1',
      [receiver.id],
    );
    const [release] = rows;
    if (!release) throw new Error('no release began');
    for (let step = 0; step < 3; step += 1)
      await releaseNext(releaseDeps(api), { ...release, tenantId: receiver.id }, 50);
    expect(await read(receiver, message)).toMatchObject(hidden);
  });
});

describe('data that comes with the confirmation of a held message', () => {
  async function heldMessage(rules: Json[]): Promise<Transaction> {
    await publish(rules);
    await registerWallet(receiver, place.destination);
    const message = await arrive(await send());
    expect(message.clearance.reasons).toContain('RULE');
    return message;
  }

  test.each<[string, string, () => Promise<unknown>]>([
    ['a rule blocks', 'KP', async () => await Promise.resolve()],
    ['the policy for the sender blocks', 'CH', async () => await setPolicy('BLOCK')],
  ])('is refused where %s it, and nothing of it is stored', async (_, country, meanwhile) => {
    const message = await heldMessage([reviewAll(), blockKp()]);
    await meanwhile();
    expect(await patch(receiver, message, { status: 'CONFIRMED', originator: { country } })).toBe(409);
    expect(await read(receiver, message)).toMatchObject({ status: 'DELIVERED', version: message.version });
  });
});

test('a policy to review holds what no rule decides', async () => {
  await setPolicy('REVIEW');
  await registerWallet(receiver, place.destination);
  const message = await arrive(await send());
  expect(message.clearance.reasons).toContain('COUNTERPARTY');
});

describe('what the sender changes after the decision', () => {
  beforeEach(async () => await registerWallet(receiver, place.destination));

  test('a new hash does not let a confirmed message confirm the record of another transfer', async () => {
    const other = { ...place, transactionHash: evmHash() };
    const own = await record({ ...fromSender(), originator: { name: 'Xaver Unbekannt' } }, other);
    await letPass(api.db, own.id);
    const sent = await send();
    const message = await arrive(sent);
    expect(await patch(receiver, message, { status: 'CONFIRMED' })).toBe(200);
    expect(await patch(sender, sent, { transactionHash: other.transactionHash })).toBe(200);
    expect(await read(receiver, own)).toMatchObject({
      status: 'PENDING',
      relatedTransactionId: message.id,
    });
  });

  test('a message of another amount does not decide the record of the transfer', async () => {
    const { transactionHash, ...unhashed } = place;
    const own = await record({ ...fromSender(), amount: '1000' });
    const sent = await send({ amount: '0.001' }, unhashed);
    const message = await arrive(sent);
    expect(await patch(sender, sent, { transactionHash })).toBe(200);
    expect(await patch(receiver, message, { status: 'CONFIRMED' })).toBe(200);
    expect((await read(receiver, own)).status).toBe('PENDING');
  });

  test.each<[string, () => Json]>([
    ['hash', () => ({ transactionHash: evmHash() })],
    ['chain', () => ({ blockchainInfo: { blockchain: 'Polygon' } })],
  ])(
    'a message that has another %s by now is not related any more, and decides nothing',
    async (_, change) => {
      await receiver.post('/wallets', { address: place.destination, asset: '*', blockchain: 'Polygon' });
      const own = await record(fromSender());
      const { transactionHash, ...unhashed } = place;
      const sent = await send({}, unhashed);
      const message = await arrive(sent);
      await patch(sender, sent, { transactionHash });
      expect((await read(receiver, own)).relatedTransactionId).toBe(message.id);
      expect(await patch(sender, sent, change())).toBe(200);
      expect([
        (await read(receiver, own)).relatedTransactionId,
        (await read(receiver, message)).relatedTransactionId,
      ]).toEqual([null, null]);
      expect(await patch(receiver, message, { status: 'CONFIRMED' })).toBe(200);
      expect((await read(receiver, own)).status).toBe('PENDING');
    },
  );
});

describe('a new version of a list that open messages were not compared with yet', () => {
  test.each<[string, string, string, (message: Transaction) => Promise<number>]>([
    [
      'confirmed',
      'UN',
      'Ottokar Zwanziger',
      async (message) => await patch(receiver, message, { status: 'CONFIRMED' }),
    ],
    [
      'reviewed',
      'EU',
      'Philomena Drosselbart',
      async (message) =>
        (
          await receiver.post(`/transactions/${message.id}/review`, {
            decision: 'PROCEED',
            reason: 'looked',
            version: message.version,
          })
        ).status,
    ],
  ])('counts for a message that is %s meanwhile', async (_, code, name, confirm) => {
    await registerWallet(receiver, place.destination);
    const sent = await send({ originator: { name } });
    const message = await arrive(sent);
    expect(message.clearance.reasons).not.toContain('SANCTIONS');
    await activateList(api.db.pool, code, [listEntry('9', name)]);
    // Until the version is loaded it is screening_pending; with it the message is held, and its findings are to be read.
    await eventually(
      async () => {
        expect(await confirm(message)).toBe(409);
        return (await read(receiver, message)).clearance.reasons;
      },
      (reasons) => reasons.includes('SANCTIONS'),
    );
    expect((await read(sender, sent)).status).toBe('DELIVERED');
  });
});

describe('a sealed message', () => {
  test('does not show what its sender wrote when it withdrew it', async () => {
    const sent = await send();
    const message = await arrive(sent);
    expect(message.originator).toBeNull();
    const withdrawal = { status: 'CANCELLED', statusReasoning: 'Anna Keller recalled it' };
    expect(await patch(sender, sent, withdrawal)).toBe(200);
    expect(await read(receiver, message)).toMatchObject({ status: 'CANCELLED', statusReasoning: null });
    expect(JSON.stringify(await storedWebhooks(api, receiver, message.id))).not.toContain('Anna');
  });

  test('takes no guess of its hidden text', async () => {
    const vaspInfo = { beneficiaryVaspName: receiver.name, beneficiaryVaspExtraInfo: 'for Jonas Brandt' };
    const message = await arrive(await send({ vaspInfo }));
    for (const beneficiaryVaspExtraInfo of ['for Jonas Brandt', 'for somebody else'])
      expect(await patch(receiver, message, { vaspInfo: { beneficiaryVaspExtraInfo } })).toBe(409);
    expect((await read(receiver, message)).version).toBe(message.version);
  });
});

test('the answer to a record of a transfer that was received before shows what is stored', async () => {
  await registerWallet(receiver, place.destination);
  const message = await arrive(await send());
  expect(await patch(receiver, message, { status: 'CONFIRMED' })).toBe(200);
  const own = await record(fromSender());
  const stored = await read(receiver, own);
  expect({ ...own, warnings: [] }).toEqual(stored);
});
