import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import type { PreflightAnswer } from '../../../domain/transactions/preflight/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { findTransactionOfWorkflow } from '../../../db/transactions/find-transaction.ts';
import { IndexNotLoaded } from '../../../sanctions-index/screen-subjects.ts';
import { preflight } from '../../../transaction-screening/preflight.ts';
import type { Json } from '../../api-client.ts';
import { importLabel } from '../../factories/labels.ts';
import { createPartner } from '../../factories/partner.ts';
import { allowMails, createOutsider } from '../../factories/portal.ts';
import { untilJudged, untilListsLoaded } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type Client, type TestTenant } from '../../factories/tenant.ts';
import { createBody, evmAddress, fullParty, registerWallet, rowCounts } from '../../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../../factories/verification.ts';
import { useApi } from '../../use-api.ts';

const LISTED_NAME = 'Barnabas Ravenscroft';
const ETH = { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() };
const { api } = useApi({ prices: { ETH } });
let tenant: TestTenant;
let receiver: TestTenant;
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED_NAME)]);
  await untilListsLoaded(api, (await createTenant(api)).id);
});
beforeEach(async () => {
  [tenant, receiver] = [await createTenant(api), await createTenant(api)];
});

const FAR = { beneficiaryTravelAddress: 'ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv' };
const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
const preflightDeps = () => ({ ...releaseDeps(api), readInTurn: api.deps.readInTurn });
const ask = async (body: Json, by: Client = tenant) =>
  await by.post<PreflightAnswer>('/transactions/preflight', body);
const answerTo = async (body: Json) => {
  const { status, body: answer } = await ask(body);
  expect(status).toBe(200);
  return answer;
};
const toSelfHosted = (address: string, rest: Json = {}) =>
  createBody({
    blockchainInfo: { blockchain: 'Ethereum', destination: address, destinationType: 'NON_CUSTODIAL' },
    ...PARTIES,
    ...rest,
  });

async function publish(rules: object[], rest: Json = {}): Promise<void> {
  const { id } = (await configurations(tenant)).OUTGOING;
  expect((await draft(tenant, id, rules as Json[], rest)).status).toBe(200);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

describe('what it refuses', () => {
  test.each([
    ['no amount', { amount: undefined }],
    ['an address of another chain', { blockchainInfo: { blockchain: 'Ethereum', destination: 'bc1qqq' } }],
    ['an unknown field', { colour: 'red' }],
    ['the name of the own VASP', { vaspInfo: { originatorVaspName: 'Mine' } }],
    ['a birth in the future', { originator: { name: 'Anna', dateOfBirth: '2999-01-01' } }],
  ])('400 for %s, as a create request', async (_what, overrides) => {
    const body = createBody(overrides);
    const [asked, created] = [await ask(body), await tenant.post<Json>('/transactions', body)];
    expect(asked.status).toBe(created.status);
    if (created.status === 400) {
      const { code, errors } = created.body;
      expect(asked.body).toMatchObject({ code, errors });
    }
  });

  test('403 for who may only read', async () => {
    expect((await ask(createBody(), await tenant.as('OBSERVER'))).status).toBe(403);
  });
});

test('stores nothing: no record, event, screening, check, decision or webhook', async () => {
  await publish([rule({ conditions: { field: 'asset', operator: 'EQ', value: 'ETH' }, decision: 'BLOCK' })]);
  const before = await rowCounts(api);
  const body = createBody({ ...PARTIES, originator: { name: LISTED_NAME } });
  expect((await answerTo(body)).screening.nameMatch).toBe(true);
  await answerTo(toSelfHosted(evmAddress()));
  expect(await rowCounts(api)).toEqual(before);
});

describe('the data that a form must ask for', () => {
  test('is named as groups of pointers, and all of it is there in the end', async () => {
    const answer = await answerTo(createBody({ originator: { name: 'Anna Keller' } }));
    expect(answer.completeness).toMatchObject({ complete: false });
    expect(answer.missingFields).toEqual([
      { anyOf: [['/originator/accountNumber'], ['/blockchainInfo/origin']] },
      {
        anyOf: [
          [
            '/originator/address',
            '/originator/country',
            '/originator/nationalIdentificator',
            '/originator/customerIdentification',
          ],
          ['/originator/dateOfBirth', '/originator/placeOfBirth'],
        ],
      },
      { anyOf: [['/beneficiary/name']] },
    ]);
    const whole = await answerTo(
      createBody({ originator: fullParty('Anna'), beneficiary: fullParty('Jonas') }),
    );
    expect([whole.completeness?.complete, whole.missingFields]).toEqual([true, []]);
  });

  test('the chain and the value are those of the transaction', async () => {
    const answer = await answerTo(createBody({ amount: '2' }));
    expect([answer.blockchain, answer.amountUsd, answer.amountEur]).toEqual(['Ethereum', 8_000, 7_200]);
    const unpriced = await answerTo(createBody({ asset: 'NOPE' }));
    expect([unpriced.amountUsd, unpriced.amountEur]).toEqual([null, null]);
  });
});

describe('the route', () => {
  const named = (beneficiaryVaspName: string) =>
    createBody({ ...PARTIES, vaspInfo: { beneficiaryVaspName } });

  test('by the name of a tenant, who is named with the own policy', async () => {
    const { route, clearance } = await answerTo(named(receiver.name));
    expect(route).toMatchObject({
      outcome: 'NATIVE',
      vasp: { name: receiver.name, inNetwork: true, policy: 'ALLOW' },
    });
    expect(clearance).toEqual({
      outcome: 'WAIT',
      reasons: ['DELIVERED', 'AWAITING_COUNTERPARTY'],
      nextAction: 'WAIT_FOR_COUNTERPARTY',
    });
  });

  test('by a destination, which leads to a tenant and names nobody', async () => {
    const destination = evmAddress();
    await registerWallet(receiver, destination);
    const answer = await answerTo(
      createBody({ ...PARTIES, blockchainInfo: { blockchain: 'Ethereum', destination } }),
    );
    expect(answer.route).toEqual({ outcome: 'NATIVE', vasp: null, skipped: [] });
    expect(JSON.stringify(answer)).not.toContain(receiver.name);
  });

  test('to a suspended tenant, and to nobody', async () => {
    const { operatorKey } = api;
    await api.request('POST', `/operator/tenants/${receiver.id}/suspend`, { operatorKey });
    expect(await answerTo(named(receiver.name))).toMatchObject({
      route: { outcome: 'NOT_REACHABLE' },
      clearance: { outcome: 'WAIT', reasons: ['PENDING', 'VASP_NOT_REACHABLE'] },
    });
    expect(await answerTo(named('Nobody Knows This One'))).toMatchObject({
      route: { outcome: 'NOT_FOUND', vasp: null },
      clearance: { outcome: 'WAIT', nextAction: 'FIX_ROUTING' },
    });
  });

  test('by a partner, by TRP and by e-mail, with the networks before', async () => {
    await allowMails(api, tenant);
    const partner = await createPartner(api);
    const reached = await createOutsider(api, {
      name: 'Reached by a partner',
      networks: [`PARTNER:${partner.partner.name}`],
    });
    expect((await answerTo(named(reached.name))).route).toMatchObject({
      outcome: 'PARTNER',
      vasp: { entityId: reached.id, inNetwork: false },
      skipped: ['NATIVE:NO_TENANT'],
    });
    expect(await answerTo(createBody({ ...PARTIES, vaspInfo: FAR }))).toMatchObject({
      route: { outcome: 'TRP', vasp: null, skipped: [] },
      clearance: { outcome: 'WAIT', reasons: ['DELIVERED', 'AWAITING_COUNTERPARTY'] },
    });
    const known = await createOutsider(api, { name: 'Reached by a mail', email: 'ops@reached.example' });
    expect(await answerTo(named(known.name))).toMatchObject({
      route: {
        outcome: 'EMAIL',
        skipped: ['NATIVE:NO_TENANT', 'PARTNER:NO_PARTNER', 'TRP:NO_TRAVEL_ADDRESS'],
      },
      clearance: { outcome: 'WAIT', reasons: ['PENDING', 'EMAIL_SENT'], nextAction: 'WAIT_FOR_COUNTERPARTY' },
    });
  });

  test('by a mailbox that is not known to be of the VASP is foreseen to be held for a review', async () => {
    await allowMails(api, tenant);
    const { name } = await createOutsider(api, { name: 'With domains', emailDomains: ['with.example'] });
    const to = async (beneficiaryVaspEmail: string) => {
      const vaspInfo = { beneficiaryVaspName: name, beneficiaryVaspEmail };
      const { route, clearance } = await answerTo(createBody({ ...PARTIES, vaspInfo }));
      return [route.outcome, clearance.reasons.at(-1), clearance.nextAction];
    };
    expect(await to('someone@elsewhere.example')).toEqual(['EMAIL', 'MAILBOX', 'REVIEW']);
    expect(await to('with.domains@gmail.com')).toEqual(['EMAIL', 'MAILBOX', 'REVIEW']);
    expect(await to('ops@eu.with.example')).toEqual(['EMAIL', 'EMAIL_SENT', 'WAIT_FOR_COUNTERPARTY']);
  });

  test('by a travel address that nothing shows to be of the named VASP is foreseen to be held for a review', async () => {
    await ensureGateways(api.db, new Date());
    const { name } = await createOutsider(api, { name: 'At home elsewhere', emailDomains: ['home.example'] });
    const vaspInfo = { beneficiaryVaspName: name, ...FAR };
    const { route, clearance } = await answerTo(createBody({ ...PARTIES, vaspInfo }));
    expect([route.outcome, clearance]).toEqual([
      'TRP',
      { outcome: 'WAIT', reasons: ['PENDING', 'ON_HOLD', 'TRAVEL_ADDRESS'], nextAction: 'REVIEW' },
    ]);
  });

  test('is none where the deployment sends no mails, or TRP is closed', async () => {
    await allowMails(api, tenant);
    const byMail = { beneficiaryVaspEmail: 'ops@nobody.example' };
    const routeOf = async (vaspInfo: Json, { sendsMails, speaksTrp }: Record<string, boolean>) => {
      const { id } = (await tenant.post<Transaction>('/transactions', createBody({ ...PARTIES, vaspInfo })))
        .body;
      const { route } = await preflight(
        { ...preflightDeps(), db: { ...api.db, speaksTrp: speaksTrp! }, sendsMails: sendsMails! },
        (await findTransactionOfWorkflow(api.db, id))!,
      );
      return [route.outcome, route.skipped.at(-1)];
    };
    const [mails, trp] = [
      { sendsMails: true, speaksTrp: false },
      { sendsMails: false, speaksTrp: true },
    ];
    expect(await routeOf(byMail, mails)).toEqual(['EMAIL', 'TRP:NO_TRAVEL_ADDRESS']);
    expect(await routeOf(byMail, trp)).toEqual(['NOT_REACHABLE', 'EMAIL:NO_MAIL_SERVER']);
    expect(await routeOf(FAR, trp)).toEqual(['TRP', undefined]);
    // Without TRP the order goes on: nobody else is named.
    expect(await routeOf(FAR, mails)).toEqual(['NOT_FOUND', 'EMAIL:NO_MAILBOX']);
    expect(await routeOf({ ...FAR, ...byMail }, mails)).toEqual(['EMAIL', 'TRP:CLOSED']);
  });

  test('that fails says why, also where nobody is named', async () => {
    const vaspInfo = { beneficiaryVaspName: 'Nobody Knows', beneficiaryVaspEmail: 'ops@nobody.example' };
    const nobody = ['NATIVE:NO_HOLDER', 'PARTNER:VASP_UNKNOWN', 'TRP:NO_TRAVEL_ADDRESS'];
    expect((await answerTo(createBody({ ...PARTIES, vaspInfo }))).route).toEqual({
      outcome: 'NOT_FOUND',
      vasp: null,
      skipped: [...nobody, 'EMAIL:SWITCHED_OFF'],
    });
    const { skipped } = (await answerTo(named('Nobody Knows'))).route;
    expect(skipped).toEqual([...nobody, 'EMAIL:NO_MAILBOX']);
  });

  test('to an address that labels give to another institution than the one that registered it', async () => {
    const destination = evmAddress();
    await registerWallet(receiver, destination);
    await importLabel(api.db.pool, destination, 'Blue Whale Exchange');
    const blockchainInfo = { blockchain: 'Ethereum', destination };
    expect(await answerTo(createBody({ ...PARTIES, blockchainInfo }))).toMatchObject({
      route: { outcome: 'ADDRESS_DISPUTED', vasp: null },
      clearance: { outcome: 'WAIT', reasons: ['PENDING', 'VASP_NOT_FOUND'], nextAction: 'FIX_ROUTING' },
    });
  });

  test('of an incoming transfer there is none', async () => {
    const body = createBody({ direction: 'INCOMING', vaspInfo: { originatorVaspName: receiver.name } });
    const { route, decision } = await answerTo(body);
    expect(route).toMatchObject({ outcome: 'NONE', vasp: { name: receiver.name } });
    expect(decision).toBeNull();
  });
});

describe('what is probably a mistake', () => {
  test('is warned of as by the create request', async () => {
    const body = createBody({
      beneficiary: PARTIES.beneficiary,
      blockchainInfo: { blockchain: 'Etherium', destination: evmAddress() },
    });
    const { warnings } = await answerTo(body);
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['INCOMPLETE_PARTY', '/originator/name'],
      ['UNKNOWN_BLOCKCHAIN', '/blockchainInfo/blockchain'],
    ]);
    expect((await tenant.post<Transaction>('/transactions', body)).body.warnings).toEqual(warnings);
    expect((await answerTo(createBody(PARTIES))).warnings).toEqual([]);
  });

  test('is foreseen to be held where the settings say so', async () => {
    const nameless = createBody({ vaspInfo: { beneficiaryVaspName: receiver.name } });
    expect((await answerTo(nameless)).clearance.nextAction).toBe('WAIT_FOR_COUNTERPARTY');
    await tenant.patch('/tenant/me/settings', { holdIncomplete: true });
    expect((await answerTo(nameless)).clearance).toEqual({
      outcome: 'WAIT',
      reasons: ['PENDING', 'ON_HOLD', 'INCOMPLETE_PARTY'],
      nextAction: 'REVIEW',
    });
  });
});

describe('the proof of a self-hosted wallet', () => {
  test('is needed above the threshold, and says by which flows; then it confirms', async () => {
    const wallet = evmWallet();
    const above = await answerTo(toSelfHosted(wallet.address, { amount: '1' }));
    expect(above.proof).toEqual({
      required: true,
      verificationId: null,
      need: 'ABOVE_THRESHOLD',
      lack: 'NO_PROOF',
      flows: expect.arrayContaining(['SIGNATURE_PROOF']) as string[],
    });
    expect(above.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'PROVE_OWNERSHIP' });
    const verification = await createVerification(tenant, { address: wallet.address });
    expect((await submit(tenant, verification.id, await signedFor(wallet, verification))).status).toBe(200);
    const proven = await answerTo(toSelfHosted(wallet.address, { amount: '1' }));
    expect(proven.proof).toMatchObject({ required: false, verificationId: verification.id });
    expect(proven.clearance.outcome).toBe('GO');
  });

  test('of another tenant is none, and a transfer between businesses needs none', async () => {
    const wallet = evmWallet();
    const verification = await createVerification(receiver, { address: wallet.address });
    expect((await submit(receiver, verification.id, await signedFor(wallet, verification))).status).toBe(200);
    expect((await answerTo(toSelfHosted(wallet.address))).proof).toMatchObject({ required: true });
    expect((await answerTo(createBody(PARTIES))).proof).toBeNull();
  });
});

describe('lists and rules', () => {
  test('a listed name stops the transfer, and is shown by its role', async () => {
    const answer = await answerTo(createBody({ ...PARTIES, beneficiary: { name: LISTED_NAME } }));
    expect(answer.screening).toMatchObject({ lists: 'SEARCHED', nameMatch: true, addressMatch: false });
    expect(answer.screening.subjects).toContainEqual({
      role: 'beneficiary',
      sanctioned: true,
      totalMatches: 1,
    });
    expect(answer.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
    expect(answer.clearance.reasons).toContain('SANCTIONS');
  });

  test('a rule decides, and says why', async () => {
    const large = rule({ reason: 'Too large for one day.' });
    await publish([large]);
    const answer = await answerTo(createBody({ ...PARTIES, amount: '20000' }));
    expect(answer.decision).toEqual({
      outcome: 'BLOCK',
      decidedBy: 'RULE',
      ruleId: large.id,
      reason: 'Too large for one day.',
      rulesVersion: 1,
      waitMinutes: null,
      missingFacts: [],
    });
    expect(answer.clearance.outcome).toBe('STOP');
  });

  test('a provider is not asked, and the rules that need its score say so', async () => {
    await publish([
      rule({ conditions: { field: 'amlRiskScore', operator: 'GT', value: '0.5' }, decision: 'REVIEW' }),
    ]);
    const put = await tenant.put('/tenant/me/service-keys', {
      feature: 'aml_check',
      provider: 'crystal',
      key: 'not-a-real-key-0123456789',
    });
    expect(put.status).toBe(200);
    const { screening, decision } = await answerTo(
      createBody({ ...PARTIES, blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress() } }),
    );
    expect(screening).toMatchObject({ aml: 'TO_BE_ASKED', amlRiskScore: null });
    expect(decision?.missingFacts).toEqual(['amlRiskScore']);
  });

  test('without the required lists nothing is decided, and that is said', async () => {
    const settings = { screening: { requiredLists: ['OFAC_SDN', 'EU_FSF'] } };
    expect((await tenant.patch('/tenant/me/settings', settings)).status).toBe(200);
    expect(await answerTo(createBody(PARTIES))).toMatchObject({
      screening: { lists: 'MISSING', nameMatch: null, addressMatch: null, subjects: [] },
      decision: null,
      clearance: { outcome: 'WAIT', reasons: ['PENDING', 'SCREENING'], nextAction: 'NONE' },
    });
  });

  test('without the required lists a transfer is held at once, where the tenant does not let it wait', async () => {
    const settings = { screening: { requiredLists: ['EU_FSF'], maxWaitMinutes: 0 } };
    expect((await tenant.patch('/tenant/me/settings', settings)).status).toBe(200);
    const { clearance } = await answerTo(createBody(PARTIES));
    expect(clearance).toMatchObject({
      reasons: ['PENDING', 'ON_HOLD', 'UNSCREENED'],
      nextAction: 'REVIEW',
    });
  });

  test('lists that are being loaded are LOADING, and MISSING once they have not loaded in time', async () => {
    const { id } = (await tenant.post<Transaction>('/transactions', createBody(PARTIES))).body;
    const open = (await findTransactionOfWorkflow(api.db, id))!;
    const deps = { ...preflightDeps(), sendsMails: false };
    const whileBehind = async (ms: number) => {
      const prepare = async () => await Promise.reject(new IndexNotLoaded());
      const sanctions = { ...deps.sanctions, prepare, listsBehindMs: () => ms };
      const { lists, judged } = await preflight({ ...deps, sanctions }, open);
      return [lists, judged];
    };
    expect(await whileBehind(30_000)).toEqual(['LOADING', null]);
    expect(await whileBehind(30_001)).toEqual(['MISSING', null]);
  });

  test.each([
    ['a small one', {}],
    ['a large one', { amount: '20000' }],
    ['one of a listed person', { originator: { name: LISTED_NAME } }],
    ['one without names', { originator: undefined, beneficiary: undefined }],
  ])('%s is decided as it is once it is created', async (_what, overrides) => {
    await publish([rule()], { defaultDecision: 'REVIEW' });
    const body = createBody({ ...PARTIES, ...overrides });
    const { decision, screening } = await answerTo(body);
    const { id } = (await tenant.post<Transaction>('/transactions', body)).body;
    const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
    const { verdict } = settlement;
    expect(decision).toMatchObject({
      outcome: verdict.outcome,
      ...(verdict.decidedBy && { decidedBy: verdict.decidedBy.kind }),
    });
    expect(screening.nameMatch).toBe(settlement.screening.sanctions.nameMatch);
  });
});

describe('a brake', () => {
  const entityOf = async ({ name }: TestTenant) =>
    (await tenant.get<{ id: string }[]>(`/entities?q=${encodeURIComponent(name)}`)).body[0]!.id;
  const brake = async (by: TestTenant, kind: string, counterparty?: TestTenant) => {
    const towards = counterparty && { counterpartyEntityId: await entityOf(counterparty) };
    const answer = await by.post('/tenant/me/brakes', { kind, reason: 'for a test', ...towards });
    expect(answer.status).toBe(201);
  };
  const toReceiver = () => createBody({ ...PARTIES, vaspInfo: { beneficiaryVaspName: receiver.name } });
  /** What is foreseen, and what comes of the transaction. */
  const foreseenAndReal = async (body: Json) => {
    const asked = (await answerTo(body)).clearance;
    const made = await tenant.post<Transaction>('/transactions', body);
    const { outcome, reasons, nextAction } = (await lifecycleSteps(api)(tenant, made.body)).clearance;
    return { asked, real: { outcome, reasons, nextAction } };
  };
  const PAUSED = { outcome: 'WAIT', reasons: ['PENDING', 'PAUSED'], nextAction: 'NONE' };

  test.each<[string, () => Promise<void>]>([
    ['on everything that the tenant sends', async () => await brake(tenant, 'OUTGOING')],
    ['towards the receiver', async () => await brake(tenant, 'OUTGOING', receiver)],
    ['of the receiver on everything', async () => await brake(receiver, 'INCOMING')],
    ['of the receiver on what this tenant sends', async () => await brake(receiver, 'INCOMING', tenant)],
  ])('%s is foreseen, as it then holds the message back', async (_what, set) => {
    await set();
    expect(await foreseenAndReal(toReceiver())).toEqual({ asked: PAUSED, real: PAUSED });
  });

  test('on everything holds back a self-hosted transfer, too', async () => {
    await tenant.patch('/tenant/me/settings', { autoConfirmSelfHosted: true });
    await brake(tenant, 'OUTGOING');
    expect(await foreseenAndReal(toSelfHosted(evmAddress()))).toEqual({ asked: PAUSED, real: PAUSED });
  });

  test('of another kind or towards somebody else stops nothing', async () => {
    await brake(tenant, 'INCOMING');
    await brake(tenant, 'WEBHOOKS');
    await brake(tenant, 'OUTGOING', await createTenant(api));
    await brake(receiver, 'OUTGOING');
    const { asked, real } = await foreseenAndReal(toReceiver());
    expect([asked, asked.reasons]).toEqual([real, ['DELIVERED', 'AWAITING_COUNTERPARTY']]);
  });
});

test('a reference that is taken is refused as by the create request, also that of a deleted transaction', async () => {
  const body = createBody({ ...PARTIES, reference: 'taken' });
  expect((await ask(body)).status).toBe(200);
  const { id } = (await tenant.post<Transaction>('/transactions', body)).body;
  const both = async () => [await ask(body), await tenant.post<Json>('/transactions', body)];
  for (const { status, body: problem } of await both())
    expect([status, problem]).toMatchObject([409, { code: 'conflict', id }]);
  expect((await ask(body, receiver)).status).toBe(200);
  await tenant.delete(`/transactions/${id}`);
  const detail = (answer: Json) => [answer['code'], answer['detail'], answer['id']];
  const [asked, created] = await both();
  expect([asked!.status, detail(asked!.body as unknown as Json)]).toEqual([
    409,
    detail(created!.body as Json),
  ]);
});

test('another tenant learns nothing of rules, proofs and policies that are not its own', async () => {
  await publish([rule({ decision: 'BLOCK', conditions: { field: 'asset', operator: 'EQ', value: 'ETH' } })]);
  const asked = await ask(
    createBody({ ...PARTIES, vaspInfo: { beneficiaryVaspName: tenant.name } }),
    receiver,
  );
  expect(asked.body.decision).toMatchObject({ outcome: 'PROCEED', decidedBy: 'DEFAULT', rulesVersion: 0 });
  expect(asked.body.route.vasp).toMatchObject({ name: tenant.name, policy: 'ALLOW' });
});
