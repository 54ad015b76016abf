import { isDeepStrictEqual } from 'node:util';
import { endpointsOf } from '../../api/endpoints.ts';
import { findClaimOfWorkflow } from '../../db/claims/find-claim.ts';
import { deliverClaim } from '../../db/lifecycle/deliver-claim.ts';
import { sendMatching } from '../../db/lifecycle/send-to-asker.ts';
import type { TransferClaim } from '../../domain/claims/schema.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import type { TestAnswer } from '../api-client.ts';
import { chainOf } from '../chains/scan-ground.ts';
import { form, FORM_TYPE } from '../factories/csv.ts';
import { untilListsLoaded } from '../factories/judged.ts';
import { configurations } from '../factories/rules.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction } from '../factories/transaction.ts';
import { createClaim } from '../factories/claim.ts';
import { createVerification } from '../factories/verification.ts';
import { attemptsAt, filledPath, keyFor, type Attempt } from '../hostile/attacks.ts';
import { labelsOf, normalAnswer, type NormalAnswer } from '../hostile/normal-form.ts';
import { storedRows, visibleState } from '../hostile/state.ts';
import { createPartner, type TestPartner } from '../factories/partner.ts';
import { newTarget, SCANNED, type Target } from '../hostile/target.ts';
import { decideRecords, openRecords, PRIVATE_WORDS, type Victim } from '../hostile/victim.ts';
import { writesOf, type OwnRecords } from '../hostile/writes.ts';
import { useApi } from '../use-api.ts';
import { fileChains } from '../chains/file-chains.ts';

/** Its node is not there, so a satoshi test takes its height from the next scan. */
const chain = chainOf({
  name: SCANNED,
  caip2: 'eip155:31337',
  kind: 'EVM',
  nativeAsset: 'ETH',
  decimals: 18,
  confirmations: 1,
  rpcUrl: 'http://127.0.0.1:1',
  pollMs: 1_000,
  tokens: [],
});
fileChains()([chain]);
const { api } = useApi({
  // The pages count per address, and all attackers have one.
  config: { chains: [chain], RATE_LIMIT_HOSTED: 0 },
  deps: { reportLimitMs: 0 },
});
const ENDPOINTS = endpointsOf('sandbox');
/** The attackers' own records have one address, so that nothing but their targets is different. */
const OWN_ADDRESS = `0x${'a1'.repeat(20)}`;

/** A hostile tenant, its own records, a hostile partner, and the tenant that they attack. */
interface Attacker {
  tenant: TestTenant;
  partner: TestPartner;
  own: OwnRecords;
  target: Target;
}

let victim: Victim;
/** Does what the victim does, and nobody attacks it. */
let peaceful: Victim;
/** Attacks the victim. */
let hostile: Attacker;
/** Attacks, with the same calls, a tenant that has done nothing and values that nobody uses. */
let control: Attacker;

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  [victim, peaceful] = [await newVictim(), await newVictim()];
  // Meanwhile the database answers, with `complete: false`.
  await untilListsLoaded(api, victim.tenant.id);
  const bystander = await createTenant(api);
  hostile = await newAttacker(victim.target);
  control = await newAttacker(await newTarget(bystander));
});

const OWN_TRANSFER = { transactionHash: `0x${'ab'.repeat(32)}`, destination: OWN_ADDRESS };

async function newVictim(): Promise<Victim> {
  const [tenant, friend] = [await createTenant(api), await createTenant(api)];
  return { api, tenant, friend, target: await newTarget(tenant) };
}

async function newAttacker(target: Target): Promise<Attacker> {
  const tenant = await createTenant(api);
  const wallet = { address: OWN_ADDRESS, asset: 'ETH', blockchain: 'Ethereum' };
  const { id: configurationId } = (await configurations(tenant)).OUTGOING;
  const selfie = { address: OWN_ADDRESS, additionalSteps: [{ kind: 'SELFIE' }] };
  await tenant.put('/tenant/me/service-keys', { feature: 'aml_check', provider: 'builtin' });
  const own: OwnRecords = {
    tenantName: tenant.name,
    transactionId: (await createTransaction(tenant, { blockchainInfo: { destination: OWN_ADDRESS } })).id,
    claimId: (await createClaim(tenant, { blockchainInfo: OWN_TRANSFER })).id,
    walletId: Number((await tenant.post('/wallets', wallet)).body['id']),
    verificationId: (await createVerification(tenant, selfie)).id,
    configurationId,
    revision: 1,
  };
  return { tenant, partner: await createPartner(api), own, target };
}

async function call(
  endpoint: Endpoint,
  attempt: Attempt,
  { tenant, partner, target }: Attacker,
  key: string | undefined,
) {
  const path = attempt.path ?? filledPath(endpoint.path, target);
  const body = attempt.form ? form(attempt.form) : attempt.body;
  return await api.request<unknown>(endpoint.method, attempt.query ? `${path}?${attempt.query}` : path, {
    ...(endpoint.auth === 'TENANT' && { key: tenant.apiKey }),
    ...(endpoint.auth === 'OPERATOR' && { operatorKey: tenant.apiKey, key: tenant.apiKey }),
    ...(body !== undefined && { body }),
    headers: {
      ...(endpoint.auth === 'PARTNER' && {
        'X-Partner-Api-Key': attempt.isByTenant ? tenant.apiKey : partner.apiKey.apiKey,
      }),
      ...attempt.headers,
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(attempt.form && FORM_TYPE),
    },
  });
}

type Attack = Map<string, TestAnswer<unknown>>;

/** Every attempt at these endpoints, in order; with `withKeys` the first at each POST has the target's Idempotency-Key. */
async function attack(
  attacker: Attacker,
  endpoints: readonly Endpoint[],
  { withKeys }: { withKeys: boolean },
): Promise<Attack> {
  const { revision } = (await configurations(attacker.tenant)).OUTGOING.draft;
  const writes = writesOf(attacker.target, { ...attacker.own, revision });
  const answers: Attack = new Map();
  for (const endpoint of endpoints) {
    for (const [index, attempt] of attemptsAt(endpoint, writes, attacker.target).entries()) {
      const name = `${endpoint.method} ${endpoint.path} ${index + 1}`;
      const hasKey = withKeys && endpoint.method === 'POST' && index === 0;
      const key = hasKey ? keyFor(endpoint.path, attacker.target) : undefined;
      answers.set(name, await call(endpoint, attempt, attacker, key));
    }
  }
  return answers;
}

/** Attacks every endpoint with all tries left: they are counted per minute, so that the pace of the test would tell. */
async function attackAfresh(attacker: Attacker, withKeys: boolean): Promise<Attack> {
  await api.db.pool.query('delete from counted_tries');
  return await attack(attacker, ENDPOINTS, { withKeys });
}

/** Fails with the answers that are different, and with nothing of the others. */
function expectEqualAnswers(given: Record<string, NormalAnswer>, expected: Record<string, NormalAnswer>) {
  const different = (of: Record<string, NormalAnswer>) =>
    Object.entries(of).filter(([name]) => !isDeepStrictEqual(given[name], expected[name]));
  expect(Object.fromEntries(different(given))).toEqual(Object.fromEntries(different(expected)));
}

function normalAttack({ tenant, partner, target }: Attacker, answers: Attack): Record<string, NormalAnswer> {
  const labels = new Map(labelsOf({ ...target, attacker: tenant.name, partner: partner.partner.name }));
  return Object.fromEntries(
    [...answers].map(([name, answer]) => [name, normalAnswer(answer, labels)] as const),
  );
}

const ofVictims = async () =>
  await storedRows(api, {
    victims: [victim.target, control.target],
    attackers: [hostile, control].flatMap(({ tenant, partner }) => [tenant, partner.partner]),
  });

/** Attacks everywhere: it must change nothing of the victim's, and say no more than an attack on nobody. */
async function siege({ withKeys = false } = {}): Promise<void> {
  const before = [await visibleState(api, victim.tenant, victim.target), await ofVictims()];
  const answers = await attackAfresh(hostile, withKeys);
  const answersOfControl = await attackAfresh(control, withKeys);
  expectEqualAnswers(normalAttack(hostile, answers), normalAttack(control, answersOfControl));
  const text = JSON.stringify([...answers.values()].map(({ body }) => body));
  for (const word of [...PRIVATE_WORDS, victim.tenant.apiKey, victim.tenant.webhookSecret]) {
    expect(text).not.toContain(word);
  }
  expect([await visibleState(api, victim.tenant, victim.target), await ofVictims()]).toEqual(before);
}

/** The victim acts while it is attacked. Its answers must be those of a tenant that nobody attacks. */
async function siegeDuring(act: (victim: Victim) => Promise<TestAnswer<unknown>[]>): Promise<void> {
  const writes = ENDPOINTS.filter(({ method, auth }) => method !== 'GET' && /TENANT|PARTNER/.test(auth));
  const expected = await act(peaceful);
  const [answers, attacked, attackedControl] = await Promise.all([
    act(victim),
    attack(hostile, writes, { withKeys: true }),
    attack(control, writes, { withKeys: true }),
  ]);
  const of = (whose: Victim, given: TestAnswer<unknown>[]) => {
    const labels = new Map(labelsOf({ ...whose.target, friend: whose.friend.name }));
    return given.map((answer) => normalAnswer(answer, labels));
  };
  expect(of(victim, answers)).toEqual(of(peaceful, expected));
  expectEqualAnswers(normalAttack(hostile, attacked), normalAttack(control, attackedControl));
}

/** What the workers do next: an attacker's claims reach its target, which looks for what answers them by itself. */
async function deliverClaims({ tenant, target }: Attacker): Promise<TransferClaim[]> {
  const { body } = await tenant.get<TransferClaim[]>('/claims?_direction=OUTGOING');
  const claims = body.filter(
    ({ status, vaspInfo }) => status === 'PENDING' && vaspInfo.originatorVaspName === target.name,
  );
  const reached: TransferClaim[] = [];
  for (const { id, ...claim } of claims) {
    const delivery = { tenantId: tenant.id, id, askedTenantId: target.tenantId, now: new Date() };
    const { incomingId } = (await deliverClaim(api.db, delivery))!;
    await sendMatching(api.db, (await findClaimOfWorkflow(api.db, incomingId))!, new Date());
    reached.push({ ...claim, id: incomingId });
  }
  return reached;
}

describe('a hostile tenant reads, changes, learns and blocks nothing', () => {
  test('before the victim has anything', async () => await siege({ withKeys: true }));
  test('while the victim opens its records', async () => await siegeDuring(openRecords));
  test('once they are open', async () => await siege());
  test('though its claims guess the beneficiary: nothing is sent to it', async () => {
    const reached = await deliverClaims(hostile);
    await deliverClaims(control);
    expect(reached.map(({ beneficiary }) => beneficiary?.name)).toContain(victim.target.customer);
    for (const { id } of reached) {
      const asked = await victim.tenant.get<TransferClaim>(`/claims/${id}`);
      expect(asked.body).toMatchObject({ status: 'DELIVERED', transactionId: null });
    }
  });
  test('while the victim decides them', async () => await siegeDuring(decideRecords));
  test('once they are decided', async () => await siege());

  test('and no message of a hostile partner is of the victim, whom it names', async () => {
    const { body } = await hostile.tenant.get<Transaction[]>('/transactions?_direction=INCOMING');
    const named = body.filter(({ travelRuleMessageSource: source }) => source?.startsWith('PARTNER:'));
    expect(named.map(({ vaspInfo }) => vaspInfo.originatorVaspEntityId)).toEqual(named.map(() => null));
    expect(named).not.toEqual([]);
  });
});
