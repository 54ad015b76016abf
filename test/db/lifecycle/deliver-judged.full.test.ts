import { deliverNative, type JudgeArrival } from '../../../db/lifecycle/deliver-native.ts';
import { anchorTransactions } from '../../../db/transactions/anchor-heads.ts';
import { findTransactionOfWorkflow } from '../../../db/transactions/find-transaction.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { untilJudged } from '../../factories/judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  letPass,
  ofDelivery,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const LISTED_NAME = 'Barnabas Ravenscroft';

const { api } = useApi();
let sender: TestTenant;
let receiver: TestTenant;

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});
beforeEach(async () => {
  const webhooks = { webhookUrl: WEBHOOK_URL };
  [sender, receiver] = [await createTenant(api, webhooks), await createTenant(api, webhooks)];
});

/** Delivers a message; `meanwhile` happens after each verdict, before the delivery is written. */
async function deliverWith(
  meanwhile: (verdicts: number) => Promise<void>,
  place: { destination: string; transactionHash?: string } = { destination: evmAddress() },
) {
  const { destination } = place;
  await registerWallet(receiver, destination);
  const sent = await createTransaction(sender, {
    originator: { name: LISTED_NAME },
    beneficiary: { name: 'Jonas Brandt', customerIdentification: 'C-1' },
    blockchainInfo: { ...place, blockchain: 'Ethereum' },
  });
  await letPass(api.db, sent.id);
  let verdicts = 0;
  const judge: JudgeArrival = async (arriving) => {
    // A list that has just become active is loaded shortly afterwards.
    const judged = await eventually(
      async () => await judgeTransaction(releaseDeps(api), arriving, undefined),
      ({ kind }) => kind === 'JUDGED',
    );
    verdicts += 1;
    await meanwhile(verdicts);
    return judged.kind === 'JUDGED' ? judged.settlement : null;
  };
  const delivery = { tenantId: sender.id, id: sent.id, receiverTenantId: receiver.id, now: new Date() };
  const delivered = ofDelivery(await deliverNative(api.db, delivery, judge));
  const arrived = await readTransaction(receiver, delivered?.incoming.id ?? '');
  return { verdicts, arrived, sent: await readTransaction(sender, sent.id) };
}

async function publish(decision: 'PROCEED' | 'BLOCK'): Promise<void> {
  const { id } = (await configurations(receiver)).INCOMING;
  const always = { field: 'asset', operator: 'EQ', value: 'ETH' };
  const drafted = await draft(receiver, id, [rule({ conditions: always, decision })], {
    defaultDecision: 'REVIEW',
  });
  expect(drafted.status).toBe(200);
  expect((await receiver.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

async function setPolicy(tenant: TestTenant, counterparty: TestTenant, policy: string): Promise<void> {
  const found = await tenant.get<{ id: string }>(
    `/entities/lookup?name=${encodeURIComponent(counterparty.name)}`,
  );
  const { id } = found.body;
  expect((await tenant.patch(`/counterparties/${id}`, { policy })).status).toBe(200);
}

const webhooksOf = async (tenant: TestTenant, { id }: Transaction) => {
  const { rows } = await api.db.pool.query<{ count: number }>(
    'select count(*)::int as count from webhook_deliveries where tenant_id = $1 and resource_id = $2',
    [tenant.id, id],
  );
  return rows[0]?.count;
};

test('a message arrives with its verdict: one webhook for its receiver', async () => {
  await publish('PROCEED');
  const { verdicts, arrived, sent } = await deliverWith(async () => {});
  expect(verdicts).toBe(1);
  expect([arrived.status, sent.status]).toEqual(['CONFIRMED', 'CONFIRMED']);
  expect(await webhooksOf(receiver, arrived)).toBe(1);
});

test('the rules count the transfers of a customer with the one that arrives', async () => {
  const { id } = (await configurations(receiver)).INCOMING;
  const many = { field: 'rolling24hCount', operator: 'GTE', value: '2' };
  const drafted = await draft(receiver, id, [rule({ conditions: many, decision: 'BLOCK' })], {
    defaultDecision: 'PROCEED',
  });
  expect(drafted.status).toBe(200);
  expect((await receiver.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
  const [first, second] = [await deliverWith(async () => {}), await deliverWith(async () => {})];
  expect([first.arrived.status, second.arrived.status]).toEqual(['CONFIRMED', 'DECLINED']);
});

test('a verdict made before a new version of the rules does not count', async () => {
  await publish('PROCEED');
  const { verdicts, arrived, sent } = await deliverWith(async (made) => {
    if (made === 1) await publish('BLOCK');
  });
  expect(verdicts).toBe(2);
  expect([arrived.status, sent.status]).toEqual(['DECLINED', 'DECLINED']);
});

test('a verdict made before a change of settings does not count', async () => {
  const { verdicts } = await deliverWith(async (made) => {
    const body = { screening: { matchThreshold: 0.99 } };
    if (made === 1) expect((await receiver.patch('/tenant/me/settings', body)).status).toBe(200);
  });
  expect(verdicts).toBe(2);
});

test('a verdict made before a change of the policy for the sender does not count', async () => {
  const { verdicts, sent } = await deliverWith(async (made) => {
    if (made === 1) await setPolicy(receiver, sender, 'BLOCK');
  });
  expect(verdicts).toBe(2);
  expect(sent.status).toBe('DECLINED');
});

test.each(['names', 'does not name'])(
  'the receiver’s own record, which %s the sender, keeps the anchor that its head gets between verdict and delivery',
  async (how) => {
    const place = { destination: evmAddress(), transactionHash: evmHash() };
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      blockchainInfo: { ...place, blockchain: 'Ethereum' },
      ...(how === 'names' && { vaspInfo: { originatorVaspName: sender.name } }),
    });
    await api.db.pool.query('update transactions set head_mac = null where id = $1', [own.id]);
    const { verdicts, arrived } = await deliverWith(async (made) => {
      if (made === 1) expect(await anchorTransactions(api.db)).toBe(1);
    }, place);
    expect(verdicts).toBe(2);
    expect(how === 'names' ? arrived.id : arrived.relatedTransactionId).toBe(own.id);
    const { rows } = await api.db.pool.query('select from transactions where head_mac is null');
    expect(rows).toEqual([]);
  },
);

test('what changes all the time does not keep a message from its receiver', async () => {
  let thresholdHundredths = 90;
  const { verdicts, arrived } = await deliverWith(async () => {
    thresholdHundredths += 1;
    const body = { screening: { matchThreshold: thresholdHundredths / 100 } };
    expect((await receiver.patch('/tenant/me/settings', body)).status).toBe(200);
  });
  expect(verdicts).toBe(3);
  expect(arrived).toMatchObject({ status: 'DELIVERED', subStatus: 'SCREENING' });
});

test('a verdict made before a new version of a list does not count', async () => {
  const { verdicts, arrived } = await deliverWith(async (made) => {
    if (made === 1) await activateList(api.db.pool, 'OFAC_SDN', [listEntry('2', LISTED_NAME)]);
  });
  expect(verdicts).toBeGreaterThan(1);
  expect(arrived.clearance.outcome).toBe('WAIT');
  // Until the new version is loaded the message waits for its screening, then for a review: nobody can confirm it.
  await eventually(
    async () => await receiver.patch(`/transactions/${arrived.id}`, { status: 'CONFIRMED' }),
    ({ status, body }) => {
      expect(status).toBe(409);
      return body['code'] === 'review_required';
    },
  );
});

describe('the sender’s own screening, stored with the delivery', () => {
  /** Delivers an unscreened message with its screening; `meanwhile` happens between the two. */
  async function deliverScreened(meanwhile: (id: string) => Promise<unknown>) {
    const destination = evmAddress();
    await registerWallet(receiver, destination);
    const { id } = await createTransaction(sender, {
      originator: { name: 'Anna Keller' },
      beneficiary: { name: 'Jonas Brandt' },
      vaspInfo: { beneficiaryVaspName: receiver.name },
      blockchainInfo: { destination, blockchain: 'Ethereum' },
    });
    const judged = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
    expect(judged.receiver).toEqual({ network: 'NATIVE', tenantId: receiver.id });
    await meanwhile(id);
    const { settlement } = judged;
    const delivery = { tenantId: sender.id, id, receiverTenantId: receiver.id, screened: settlement };
    const unjudged: JudgeArrival = async () => await Promise.resolve(null);
    const send = async (judge = unjudged) =>
      await deliverNative(api.db, { ...delivery, now: settlement.now }, judge);
    return { id, send };
  }

  const logOf = async (id: string) =>
    (await sender.get<Json[]>(`/transactions/${id}/events`)).body.map(({ type }) => type).toReversed();

  test('is one version with it, and a repeat changes nothing', async () => {
    const { id, send } = await deliverScreened(async () => {});
    expect(await send()).toMatchObject({ record: { status: 'DELIVERED', version: 2 } });
    expect(await logOf(id)).toEqual(['CREATED', 'SCREENED', 'DELIVERED']);
    expect(await webhooksOf(sender, await readTransaction(sender, id))).toBe(1);
    expect((await sender.get(`/transactions/${id}/screening`)).status).toBe(200);
    expect(await send()).toBe('SCREEN_AGAIN');
    expect(await logOf(id)).toHaveLength(3);
  });

  test('does not count either when it changes after three verdicts of the receiver did not', async () => {
    const { id, send } = await deliverScreened(async () => {});
    let verdicts = 0;
    const judge: JudgeArrival = async (arriving) => {
      const judged = await judgeTransaction(releaseDeps(api), arriving, undefined);
      verdicts += 1;
      await receiver.patch('/tenant/me/settings', { screening: { matchThreshold: 0.9 + verdicts / 100 } });
      if (verdicts === 3) await setPolicy(sender, receiver, 'BLOCK');
      return judged.kind === 'JUDGED' ? judged.settlement : null;
    };
    expect(await send(judge)).toBe('SCREEN_AGAIN');
    expect([verdicts, (await readTransaction(sender, id)).status]).toEqual([3, 'PENDING']);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['data', async (id) => await sender.patch(`/transactions/${id}`, { beneficiary: { name: LISTED_NAME } })],
    [
      'settings',
      async () => await sender.patch('/tenant/me/settings', { screening: { matchThreshold: 0.99 } }),
    ],
    ['the policy for its receiver', async () => await setPolicy(sender, receiver, 'BLOCK')],
    ['lists', async () => await activateList(api.db.pool, 'OFAC_SDN', [listEntry('2', 'Somebody New')])],
  ])('does not count after a change of %s: nothing is sent', async (_, meanwhile) => {
    const { id, send } = await deliverScreened(meanwhile);
    expect(await send()).toBe('SCREEN_AGAIN');
    expect((await readTransaction(sender, id)).status).toBe('PENDING');
    expect((await receiver.get<Transaction[]>('/transactions')).body).toEqual([]);
  });
});
