import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, evmAddress, evmHash, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);
const sender = useTenantPerTest(api);
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

async function setPolicy(policy: string): Promise<void> {
  const path = `/entities/lookup?name=${encodeURIComponent(sender.name)}`;
  const { id } = (await tenant.get<{ id: string }>(path)).body;
  expect((await tenant.patch(`/counterparties/${id}`, { policy })).status).toBe(200);
}

async function screen(id: string): Promise<void> {
  const open = await findOpenTransaction(api.db, tenant.id, id);
  if (!open) throw new Error('no such transaction');
  const judged = await eventually(
    async () => await judgeTransaction(releaseDeps(api), open, undefined),
    ({ kind }) => kind === 'JUDGED',
  );
  if (judged.kind === 'JUDGED') await settleScreening(api.db, judged.settlement);
}

const record = async (body: Json = {}) =>
  await createTransaction(tenant, {
    direction: 'INCOMING',
    vaspInfo: { originatorVaspName: sender.name },
    ...body,
  });
const read = async ({ id }: { id: string }) => await readTransaction(tenant, id);

test('REVIEW holds an own record, until a reviewer releases it', async () => {
  await setPolicy('REVIEW');
  const own = await record();
  await screen(own.id);
  expect(await read(own)).toMatchObject({
    status: 'PENDING',
    subStatus: 'ON_HOLD',
    clearance: { outcome: 'WAIT', reasons: ['PENDING', 'ON_HOLD', 'COUNTERPARTY'], nextAction: 'REVIEW' },
  });
  const review = { decision: 'PROCEED', reason: 'known' };
  expect((await tenant.post(`/transactions/${own.id}/review`, review)).status).toBe(200);
  expect(await read(own)).toMatchObject({ status: 'CONFIRMED', clearance: { outcome: 'GO' } });
});

test('BLOCK declines an own record', async () => {
  await setPolicy('BLOCK');
  const own = await record();
  await screen(own.id);
  expect(await read(own)).toMatchObject({
    status: 'DECLINED',
    subStatus: 'BLOCKED_BY_RULE',
    statusReasonCode: 'COMPLIANCE',
    clearance: { outcome: 'STOP' },
  });
});

describe.each(['REVIEW', 'BLOCK'])('%s, set after an own record was confirmed', (policy) => {
  test.each(['PATCH', 'review'])('by %s: the sender gets no confirmation before a review', async (way) => {
    const blockchainInfo = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
    const own = await record({ blockchainInfo });
    await screen(own.id);
    const confirmed =
      way === 'PATCH'
        ? await tenant.patch(`/transactions/${own.id}`, { status: 'CONFIRMED' })
        : await tenant.post(`/transactions/${own.id}/review`, { decision: 'PROCEED', reason: 'known' });
    expect(confirmed.status).toBe(200);
    await setPolicy(policy);
    const parties = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
    const { id } = await createTransaction(sender, { ...parties, blockchainInfo });
    await deliverJudged(api, { id, sender, receiver: tenant });
    expect(await read(own)).toMatchObject({
      clearance: { reasons: ['CONFIRMED', 'ON_HOLD', 'COUNTERPARTY'] },
    });
    expect((await readTransaction(sender, id)).status).toBe('DELIVERED');
    const review = { decision: 'BLOCK', reason: 'not them' };
    expect((await tenant.post(`/transactions/${own.id}/review`, review)).status).toBe(200);
    expect((await readTransaction(sender, id)).status).toBe('DECLINED');
  });
});
