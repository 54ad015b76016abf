import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../domain/transactions/schema.ts';
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

const { api } = useApi();
const tenant = useTenantPerTest(api);
const COMPANY = 'Zubarev Kestrel Exchange';
const PROCEED = { decision: 'PROCEED', reason: 'Seen.' };
const advance = async (of: TestTenant, id: string) => await lifecycleSteps(api)(of, { id });

beforeEach(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', COMPANY, { type: 'organisation' })]);
  await untilListsCompared(api, tenant.id);
});

async function received(): Promise<{ id: string; sender: TestTenant }> {
  const sender = await createTenant(api);
  const destination = evmAddress();
  await registerWallet(tenant, destination);
  const sent = await createTransaction(sender, {
    originator: { name: 'Eva Huber' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination },
    vaspInfo: { beneficiaryVaspName: tenant.name },
  });
  await advance(sender, sent.id);
  const { body } = await tenant.get<Transaction[]>('/transactions');
  const id = body[0]?.id ?? '';
  await advance(tenant, id);
  return { id, sender };
}

test('a message that waits for a rule is not let pass when its sender has given itself a listed legal name', async () => {
  await ruleWaits(api).publish(tenant, 'INCOMING', {
    field: 'counterpartyEntityId',
    operator: 'NOT_IN',
    value: [randomUUID()],
  });
  const { id, sender } = await received();
  expect(await readTransaction(tenant, id)).toMatchObject({ status: 'DELIVERED', subStatus: 'WAITING' });
  expect((await sender.patch('/tenant/me', { legalName: COMPANY })).status).toBe(200);
  const answer = await tenant.post(`/transactions/${id}/review`, PROCEED);
  expect([answer.status, answer.body['code']]).toEqual([409, 'conflict']);
  expect((await readTransaction(tenant, id)).status).toBe('DELIVERED');
});
