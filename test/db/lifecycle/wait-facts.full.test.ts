import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { OutboxEntry } from '../../../db/outbox.ts';
import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { FIELD_NAMES, type FieldName } from '../../../domain/rules/fields.ts';
import { fillFiatValues } from '../../../domain/transactions/lifecycle/fill-fiat-values.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { projectRoot } from '../../../standalone/project-root.ts';
import type { Json } from '../../api-client.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import type { createTransaction } from '../../factories/transaction.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_WRITES: 0 }, pollMs: 100 });
const tenant = useTenantPerTest(api);
const waits = ruleWaits(api);

const LISTED = 'Barnabas Ravenscroft';
const LISTED_WALLET = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
// Once: every version is loaded by a new thread.
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

/** What ends a wait that rests on a fact: the rule applies until `change`. */
interface Waker {
  conditions: Json;
  body?: Parameters<typeof createTransaction>[1];
  change: (sent: Transaction) => Promise<unknown>;
}

/** Why a fact ends no wait: words of its line in docs/behaviour.md. */
type Reason = string;

const exists = (field: FieldName) => ({ field, operator: 'EXISTS' });
const lacks = (field: FieldName) => ({ field, operator: 'NOT_EXISTS' });
const is = (field: FieldName, value: unknown) => ({ field, operator: 'EQ', value });

const corrected = (conditions: Json, patch: Json, body: Waker['body'] = {}): Waker => ({
  conditions,
  body,
  change: async ({ id }) => {
    const answer = await tenant.patch(`/transactions/${id}`, patch);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  },
});

const asOperator = async (method: string, path: string, body: Json) => {
  const answer = await api.request(method, `/operator/${path}`, { operatorKey: api.operatorKey, body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};

const VASP = `Known Exchange ${randomBytes(4).toString('hex')}`;
let vaspId: string;
beforeEach(async () => {
  const name = `${VASP} ${randomBytes(4).toString('hex')}`;
  vaspId = String(
    (await asOperator('POST', 'entities', { name, type: 'exchange', countries: ['CH'] }))['id'],
  );
  directed.vaspInfo.beneficiaryVaspName = name;
});
const directed = { vaspInfo: { beneficiaryVaspName: VASP } };
const directory = (conditions: Json, patch: Json): Waker => ({
  conditions,
  body: directed,
  change: async () => await asOperator('PATCH', `entities/${vaspId}`, patch),
});

const payout = { blockchainInfo: { destinationType: 'NON_CUSTODIAL', blockchain: 'Ethereum' } };
const verified = (conditions: Json): Waker => ({
  conditions,
  body: payout,
  change: async ({ blockchainInfo: { destination: address } }) => {
    const { id } = await createVerification(tenant, { asset: 'ETH', blockchain: 'Ethereum', address });
    await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' });
  },
});

/** Adds an entry to the list, and compares open transactions with the new version. */
const listed = (
  conditions: Json,
  body: Waker['body'],
  entry: Partial<ReturnType<typeof listEntry>>,
): Waker => ({
  conditions,
  body,
  change: async () => {
    const added = listEntry('2', 'wallets' in entry ? 'The Owner' : LISTED, entry);
    const version = await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else'), added]);
    const notifyWorkflows = (entries: readonly OutboxEntry[]) => void api.outbox.push(...entries);
    const steps = rescreenSteps(api, { notifyWorkflows });
    await new MockActivityEnvironment().run(
      async () => await steps.rescreenOpen({ code: 'OFAC_SDN', version, afterId: null }),
    );
  },
});

const valued: Waker = {
  conditions: { ...lacks('amount'), currency: 'EUR' },
  body: { asset: 'UNPRICED' },
  change: async ({ id }) => {
    const now = new Date();
    const price = { usd: '1', eur: '1', source: 'TEST', pricedAt: now };
    const decide = (own: TransactionRecord) => fillFiatValues(own, price, now);
    const { outbox } = await changeTransaction(api.db, { tenantId: tenant.id, id, now, decide });
    api.outbox.push(...outbox);
  },
};

const FIXED = 'stay as they were created';
const ARRIVED = 'set when the message arrives';
const HOLDER = 'whose wallet it is counts at the next decision';
const PROVIDED = 'results of providers and nodes';
const ROLLING = "the customer's other transfers";

const FACTS: Record<FieldName, Waker | Reason> = {
  amount: valued,
  asset: FIXED,
  blockchain: corrected(
    lacks('blockchain'),
    { blockchainInfo: { blockchain: 'Ethereum' } },
    { asset: 'MINE' },
  ),
  originType: FIXED,
  destinationType: FIXED,
  originatorType: corrected(lacks('originatorType'), { originator: { type: 'NATURAL' } }),
  beneficiaryType: corrected(lacks('beneficiaryType'), { beneficiary: { type: 'NATURAL' } }),
  originatorCountry: corrected(lacks('originatorCountry'), { originator: { country: 'CH' } }),
  beneficiaryCountry: corrected(lacks('beneficiaryCountry'), { beneficiary: { country: 'CH' } }),
  missingFields: corrected(
    { field: 'missingFields', operator: 'CONTAINS_ANY', value: ['originator.accountNumber'] },
    { originator: { accountNumber: 'CH93' } },
  ),
  counterpartyEntityId: directory(exists('counterpartyEntityId'), { name: `Renamed ${VASP}` }),
  counterpartyEntityType: directory(is('counterpartyEntityType', 'exchange'), { type: 'bank' }),
  counterpartyEntityCountry: directory(
    { field: 'counterpartyEntityCountry', operator: 'IN', value: ['CH'] },
    { countries: ['DE'] },
  ),
  counterpartyInNetwork: {
    conditions: is('counterpartyInNetwork', false),
    body: directed,
    change: async () =>
      await createTenant(api, { name: directed.vaspInfo.beneficiaryVaspName, entityId: vaspId }),
  },
  counterpartyRiskSeverity: directory(
    { not: is('counterpartyRiskSeverity', 'high') },
    { riskSeverity: 'high' },
  ),
  isDestinationConfirmed: ARRIVED,
  messageSource: ARRIVED,
  beneficiaryMatch: HOLDER,
  walletClassification: PROVIDED,
  agenticDetected: PROVIDED,
  walletVerificationStatus: verified(lacks('walletVerificationStatus')),
  walletVerificationFlow: verified(lacks('walletVerificationFlow')),
  amlRiskScore: PROVIDED,
  amlRiskSeverity: PROVIDED,
  amlCategories: PROVIDED,
  amlNotAsked: corrected(
    is('amlNotAsked', 'NO_CHAIN'),
    { blockchainInfo: { blockchain: 'Ethereum' } },
    { asset: 'MINE' },
  ),
  sanctionsNameMatch: listed(is('sanctionsNameMatch', false), { originator: { name: LISTED } }, {}),
  sanctionsAddressMatch: listed(
    is('sanctionsAddressMatch', false),
    { blockchainInfo: { blockchain: 'Ethereum', destination: LISTED_WALLET } },
    { wallets: [{ asset: 'ETH', address: LISTED_WALLET }] as never },
  ),
  rolling24hAmount: ROLLING,
  rolling24hCount: ROLLING,
  hasTransactionHash: corrected(is('hasTransactionHash', false), {
    transactionHash: `0x${randomBytes(32).toString('hex')}`,
  }),
  hourUtc: FIXED,
};

/** The line of each field in the table of what ends a wait. */
function documented(): Map<string, string> {
  const text = readFileSync(join(projectRoot, 'docs', 'behaviour.md'), 'utf8');
  const section = text.slice(text.indexOf('**What ends a wait.**'));
  const lines = section.slice(0, section.indexOf('\nNor do')).split('\n');
  const cells = lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|'));
  return new Map(
    cells.flatMap(([, fields = '', what = '']) =>
      [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']) => [field, what.trim()] as const),
    ),
  );
}

test('docs say of every fact that rules read whether its change ends a wait, or why not', () => {
  const lines = documented();
  expect([...lines.keys()].toSorted()).toEqual(FIELD_NAMES.toSorted());
  for (const field of FIELD_NAMES) {
    const fact = FACTS[field];
    const line = lines.get(field) ?? '';
    expect([field, line.startsWith('nothing: ')]).toEqual([field, typeof fact === 'string']);
    if (typeof fact === 'string') expect(line).toContain(fact);
  }
});

const WAKERS = FIELD_NAMES.flatMap((field) => {
  const fact = FACTS[field];
  return typeof fact === 'string' ? [] : [[field, fact] as const];
});

test.each(WAKERS)(
  'a change of %s ends a wait that rests on it',
  async (_field, { conditions, body, change }) => {
    const sent = await waits.waiting(tenant, conditions, body);
    await change(sent);
    expect(await waits.decidedAgain(tenant, sent)).not.toMatch(/^WAITING|not woken/);
  },
);
