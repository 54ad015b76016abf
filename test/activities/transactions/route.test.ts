import { randomBytes } from 'node:crypto';
import type { ReviewFile } from '../../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi({ pollMs: 50 });
const sender = useTenantPerTest(api);
const advance = lifecycleSteps(api);
const NAME = 'Barnabas Ravenscroft';
const namesake = listEntry('1', NAME);
const IN_IRAN = { field: 'counterpartyEntityCountry', operator: 'IN', value: ['IR'] };
/** Holds everything that is sent, whoever receives it. */
const ALWAYS = { field: 'asset', operator: 'EQ', value: 'ETH' };

beforeEach(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [namesake])));

async function publish(conditions: Json, decision: 'BLOCK' | 'REVIEW'): Promise<void> {
  const { id } = (await configurations(sender)).OUTGOING;
  const rules = [rule({ conditions, decision })];
  expect((await draft(sender, id, rules, { defaultDecision: 'PROCEED' })).status).toBe(200);
  expect((await sender.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

/** A message that a reviewer has let pass and that waits for its VASP, which nobody knows yet. */
async function releasedAndUnrouted(hold: 'SANCTIONS' | 'RULE', overrides: Json = {}): Promise<Transaction> {
  const sent = await createTransaction(sender, {
    originator: { name: hold === 'SANCTIONS' ? NAME : 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress() },
    ...overrides,
  });
  expect((await advance(sender, sent)).clearance.reasons).toContain(hold);
  await letPass(sent);
  const unrouted = await advance(sender, sent);
  expect(unrouted.subStatus).toBe('VASP_NOT_FOUND');
  return unrouted;
}

async function letPass({ id }: { id: string }): Promise<void> {
  const body = { decision: 'PROCEED', reason: 'a namesake' };
  expect((await sender.post(`/transactions/${id}/review`, body)).status).toBe(200);
}

const vaspName = () => `Zarya Handelsbank ${randomBytes(4).toString('hex')}`;

async function appear({ blockchainInfo }: Transaction, overrides: Json): Promise<TestTenant> {
  const holder = await createTenant(api, overrides);
  await registerWallet(holder, blockchainInfo.destination);
  return holder;
}

async function setPolicy(vasp: TestTenant, policy: string): Promise<void> {
  const path = `/entities/lookup?name=${encodeURIComponent(vasp.name)}`;
  const { id } = (await sender.get<{ id: string }>(path)).body;
  expect((await sender.patch(`/counterparties/${id}`, { policy })).status).toBe(200);
}

const screeningOf = async ({ id }: { id: string }) =>
  (await sender.get<ReviewFile>(`/transactions/${id}/screening`)).body.screening;
const arrivedAt = async (holder: TestTenant) => (await holder.get<Transaction[]>('/transactions')).body;

describe('what a reviewer has let pass is screened anew for a VASP that appears afterwards:', () => {
  test('one on a list holds it', async () => {
    const sent = await releasedAndUnrouted('SANCTIONS');
    const name = vaspName();
    await activateList(api.db.pool, 'OFAC_SDN', [namesake, listEntry('2', name, { type: 'organisation' })]);
    const holder = await appear(sent, { name });
    expect(await advance(sender, sent)).toMatchObject({
      status: 'PENDING',
      clearance: { reasons: expect.arrayContaining(['SANCTIONS']) },
    });
    expect((await screeningOf(sent))?.counterparty?.name).toBe(name);
    expect(await arrivedAt(holder)).toEqual([]);
  });

  test('one that a rule blocks ends it, and so does one that a policy blocks', async () => {
    await publish(IN_IRAN, 'BLOCK');
    const [first, second] = [await releasedAndUnrouted('SANCTIONS'), await releasedAndUnrouted('SANCTIONS')];
    const iranian = await appear(first, { country: 'IR' });
    expect(await advance(sender, first)).toMatchObject({ subStatus: 'BLOCKED_BY_RULE' });
    expect(await arrivedAt(iranian)).toEqual([]);
    const refused = await createTenant(api);
    await setPolicy(refused, 'BLOCK');
    await registerWallet(refused, second.blockchainInfo.destination);
    expect(await advance(sender, second)).toMatchObject({ subStatus: 'BLOCKED_BY_RULE' });
  });

  test('one that is clean gets it at once; what was released of the lists stays released', async () => {
    const sent = await releasedAndUnrouted('SANCTIONS');
    const holder = await appear(sent, {});
    expect((await advance(sender, sent)).status).toBe('DELIVERED');
    expect((await screeningOf(sent))?.counterparty?.name).toBe(holder.name);
  });

  test('a rule that holds it again does so once', async () => {
    await publish(ALWAYS, 'REVIEW');
    const sent = await releasedAndUnrouted('RULE');
    await appear(sent, {});
    expect((await advance(sender, sent)).clearance.reasons).toContain('RULE');
    await letPass(sent);
    expect((await advance(sender, sent)).status).toBe('DELIVERED');
  });

  test('also where a new version of a list is compared in the same moment', async () => {
    await publish(IN_IRAN, 'BLOCK');
    const sent = await releasedAndUnrouted('SANCTIONS');
    await appear(sent, { country: 'IR' });
    const version = await activateList(api.db.pool, 'OFAC_SDN', [namesake, listEntry('2', NAME)]);
    const steps = rescreenSteps(api);
    await steps.rescreenOpen({ code: 'OFAC_SDN', version, afterId: null });
    expect(await advance(sender, sent)).toMatchObject({ subStatus: 'BLOCKED_BY_RULE' });
  });
});

test('what a reviewer has let pass goes to the VASP of its screening without another one', async () => {
  await publish(ALWAYS, 'REVIEW');
  const receiver = await createTenant(api);
  const sent = await createTransaction(sender, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    vaspInfo: { beneficiaryVaspName: receiver.name },
  });
  expect((await advance(sender, sent)).clearance.reasons).toContain('RULE');
  const screening = await screeningOf(sent);
  await letPass(sent);
  expect((await advance(sender, sent)).status).toBe('DELIVERED');
  expect((await screeningOf(sent))?.id).toBe(screening?.id);
});
