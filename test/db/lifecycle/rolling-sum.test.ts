import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { untilJudged } from '../../factories/judged.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

// A limit of 10,000 euros a day for one customer, at 3,600 euros for one ETH.

const prices = { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } };
const { api } = useApi({ prices });
let tenant: TestTenant;
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
});
beforeEach(async () => (tenant = await createTenant(api)));

async function limitDays(onUndecided: 'IGNORE' | 'REVIEW'): Promise<void> {
  const { id } = (await configurations(tenant)).OUTGOING;
  const conditions = { field: 'rolling24hAmount', operator: 'GT', value: '10000' };
  const rules = [rule({ decision: 'REVIEW', conditions })];
  expect((await draft(tenant, id, rules, { onUndecided })).status).toBe(200);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

/** Why the last of a customer's payouts is held. */
async function holdOfLast(payouts: [amount: string, asset: string][], customer: object): Promise<unknown> {
  let last = '';
  for (const [amount, asset] of payouts) {
    const originator = { name: 'Anna Keller', accountNumber: undefined, ...customer };
    const { id } = await createTransaction(tenant, {
      asset,
      amount,
      originator,
      beneficiary: { name: 'Jonas Brandt' },
    });
    last = id;
  }
  const { settlement } = await untilJudged(api, await findOpenTransaction(api.db, tenant.id, last));
  return settlement.verdict.hold;
}

const CUSTOMER = { customerIdentification: 'c-1' };
const UNPRICED: [string, string] = ['0.001', 'NOPRICE'];

test.each<[string, [string, string][], object, ignored: string | null, reviewed: string | null]>([
  ['within the limit', [['2', 'ETH']], CUSTOMER, null, null],
  ['over the limit', [['4', 'ETH']], CUSTOMER, 'RULE', 'RULE'],
  ['over the limit, after one without a price', [UNPRICED, ['4', 'ETH']], CUSTOMER, 'RULE', 'RULE'],
  ['without a price, after those over the limit', [['4', 'ETH'], UNPRICED], CUSTOMER, 'RULE', 'RULE'],
  ['within the limit, after one without a price', [UNPRICED, ['2', 'ETH']], CUSTOMER, null, 'RULE'],
  ['without a price alone', [UNPRICED], CUSTOMER, null, 'RULE'],
  ['of nobody', [['4', 'ETH']], {}, null, null],
])('a payout %s', async (_, payouts, customer, ignored, reviewed) => {
  await limitDays('IGNORE');
  expect(await holdOfLast(payouts, customer)).toBe(ignored);
  tenant = await createTenant(api);
  await limitDays('REVIEW');
  expect(await holdOfLast(payouts, customer)).toBe(reviewed);
});
