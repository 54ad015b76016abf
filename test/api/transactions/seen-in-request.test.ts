import type { Transaction } from '../../../domain/transactions/schema.ts';
import { entityOf } from '../../factories/directory.ts';
import { untilListsCompared } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// What stops a message since its reviewer's request has looked at it was read by nobody: the request lets nothing pass.
const { api } = useApi();
const tenant = useTenantPerTest(api);
beforeAll(
  async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('0', 'Barnabas Ravenscrofft')])),
);
beforeEach(async () => {
  await untilListsCompared(api, tenant.id);
});
const advance = async (id: string, of: TestTenant = tenant) => await lifecycleSteps(api)(of, { id });

async function listsAreAway(isAway: boolean) {
  const screening = { requiredLists: isAway ? ['NOT_THERE'] : [], maxWaitMinutes: 60 };
  expect((await tenant.patch('/tenant/me/settings', { screening })).status).toBe(200);
}

/** A message that has arrived and waits for lists, and its sender. */
async function arrived() {
  const sender = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(tenant, destination);
  await listsAreAway(true);
  const sent = await createTransaction(sender, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
  });
  expect(await advance(sent.id, sender)).toMatchObject({ status: 'DELIVERED' });
  const { body } = await tenant.get<Transaction[]>('/transactions');
  const id = body[0]?.id ?? '';
  expect(await readTransaction(tenant, id)).toMatchObject({ subStatus: 'SCREENING' });
  return { id, sender };
}

/** Sends a request during which the workflow screens the message, after the request has looked at it. */
async function screenedAfterTheLook(id: string, send: () => Promise<{ status: number }>): Promise<number> {
  const { screenInRequest } = api.deps;
  const look = jest.spyOn(api.deps, 'screenInRequest').mockImplementationOnce(async (ref) => {
    const looked = await screenInRequest(ref);
    expect(looked.isUnseen).toBe(false);
    await listsAreAway(false);
    await api.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
    await advance(id);
    return looked;
  });
  try {
    return (await send()).status;
  } finally {
    look.mockRestore();
  }
}

const confirm = async (id: string) => await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
const review = async (id: string) =>
  await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Seen.' });

test.each([
  ['a confirmation', confirm],
  ['a review', review],
])('the policy for its sender has held it: %s', async (_, send) => {
  const { id, sender } = await arrived();
  const entityId = await entityOf(api, sender.id);
  expect((await tenant.patch(`/counterparties/${entityId}`, { policy: 'REVIEW' })).status).toBe(200);
  expect(await screenedAfterTheLook(id, async () => await send(id))).toBe(409);
  expect(await readTransaction(tenant, id)).toMatchObject({ status: 'DELIVERED', subStatus: 'ON_HOLD' });
  // Whoever asks now has been told.
  expect((await send(id)).status).toBe(200);
});

test.each([
  ['a confirmation', confirm],
  ['a review', review],
])('a rule lets it wait: %s', async (_, send) => {
  await ruleWaits(api).publish(tenant, 'INCOMING', { field: 'amount', operator: 'GT', value: '1' });
  const { id } = await arrived();
  expect(await screenedAfterTheLook(id, async () => await send(id))).toBe(409);
  expect(await readTransaction(tenant, id)).toMatchObject({ status: 'DELIVERED' });
});
