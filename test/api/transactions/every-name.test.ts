import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import type { Json } from '../../api-client.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { untilJudged } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, evmHash } from '../../factories/transaction.ts';
import {
  listedCompany,
  listedPerson,
  waysToNameCompany,
  waysToNamePerson,
} from '../../factories/ways-to-name.ts';
import { aThirdOf } from '../../full.ts';
import { useApi } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_SCREENING: 0, RATE_LIMIT_WRITES: 0 } });
/** With a right check sum. */
const LISTED_LEI = '5493001KJTIIGC8Y1R12';
let sender: TestTenant;
let receiver: TestTenant;
const CLEAN = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };

beforeAll(async () => {
  const numbered = listEntry('C2', 'Ladoga Freight', {
    type: 'organisation',
    identifiers: [{ kind: 'lei', value: LISTED_LEI, country: '' }],
  });
  await activateList(api.db.pool, 'OFAC_SDN', [listedPerson, listedCompany, numbered]);
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
});

/** The verdict on a stored transaction as its workflow makes it. */
async function judged(tenant: TestTenant, id: string) {
  const outcome = await untilJudged(api, await findOpenTransaction(api.db, tenant.id, id));
  const { screening, verdict, decision } = outcome.settlement;
  const { nameMatch } = screening.sanctions;
  return { hold: verdict.hold, nameMatch, inRules: decision?.facts.sanctionsNameMatch };
}

const HELD = { hold: 'SANCTIONS', nameMatch: true, inRules: true };
const ways: [string, Json][] = [
  ...waysToNamePerson.map(([way, fields]): [string, Json] => [
    `a person, ${way}`,
    { ...fields, type: 'NATURAL' },
  ]),
  ...waysToNameCompany.map(([way, fields]): [string, Json] => [
    `a company, ${way}`,
    { ...fields, type: 'LEGAL' },
  ]),
];

test.each(aThirdOf(ways))('a listed party is found on POST and PATCH: %s', async (_, party) => {
  for (const listed of [{ beneficiary: party }, { additionalOriginators: [{ name: 'Eva Roth' }, party] }]) {
    const created = await createTransaction(sender, { ...CLEAN, ...listed });
    expect(await judged(sender, created.id)).toEqual(HELD);
  }
  const patched = await createTransaction(sender, CLEAN);
  expect(await judged(sender, patched.id)).toMatchObject({ nameMatch: false });
  const cleared = { name: null, firstName: null, lastName: null, ...party };
  expect((await sender.patch(`/transactions/${patched.id}`, { originator: cleared })).status).toBe(200);
  expect(await judged(sender, patched.id)).toEqual(HELD);
});

test.each([
  ['a person as LEGAL', { type: 'LEGAL', name: 'Nicolas Maduro Moros' }],
  ['a company as NATURAL', { type: 'NATURAL', name: 'Petrograd General Trading LLC' }],
])('a listed party of a transfer is found whatever type the sender gives it: %s', async (_, party) => {
  const created = await createTransaction(sender, { ...CLEAN, beneficiary: party });
  expect(await judged(sender, created.id)).toEqual(HELD);
  const { body } = await sender.post<SanctionsScreening>('/sanctions/search', party);
  expect(body.sanctioned).toBe(false);
});

test.each(aThirdOf(ways, 1))(
  'a listed party is found when a message completes an own record: %s',
  async (_, party) => {
    const place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
    const vaspInfo = { originatorVaspName: sender.name };
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      beneficiary: { name: 'Jonas Brandt' },
      vaspInfo,
      blockchainInfo: place,
    });
    const sent = await createTransaction(sender, { ...CLEAN, originator: party, blockchainInfo: place });
    const arrived = await deliverJudged(api, { id: sent.id, sender, receiver });
    expect(arrived).toMatchObject({ id: own.id, subStatus: 'ON_HOLD' });
    expect(arrived.clearance.reasons).toContain('SANCTIONS');
  },
);

test.each(ways)('a listed party is found on POST /sanctions/search: %s', async (_, party) => {
  const { status, body } = await sender.post<SanctionsScreening>('/sanctions/search', party);
  expect({ status, sanctioned: body.sanctioned }).toEqual({ status: 200, sanctioned: true });
  const stored = await sender.get<SanctionsScreening>(`/sanctions/history/${body.id}`);
  expect(stored.body).toEqual(body);
});

test('what names neither party says nothing about names, whatever the VASP is called', async () => {
  for (const parties of [
    {},
    { originator: { name: '-' }, beneficiary: { accountNumber: 'A-1' } },
    { originator: { name: 'N/A' }, beneficiary: { firstName: 'FNU', lastName: 'no last name' } },
    { originator: { name: 'NULL' }, beneficiary: { name: 'Unknown' } },
  ]) {
    const nameless = await createTransaction(sender, {
      originator: undefined,
      beneficiary: undefined,
      ...parties,
      vaspInfo: { beneficiaryVaspName: 'Some Exchange' },
    });
    expect(await judged(sender, nameless.id)).toMatchObject({ hold: null, nameMatch: null });
  }
  const half = await createTransaction(sender, { ...CLEAN, originator: undefined });
  expect(await judged(sender, half.id)).toMatchObject({ nameMatch: false });
  for (const listed of ['Petrograd General Trading LLC', 'Nicolas Maduro Moros']) {
    const vasp = await createTransaction(sender, {
      originator: undefined,
      beneficiary: undefined,
      vaspInfo: { beneficiaryVaspName: listed },
    });
    expect(await judged(sender, vasp.id)).toEqual(HELD);
  }
});

test.each<[string, Json]>([
  ['without a name', { type: 'LEGAL', lei: LISTED_LEI }],
  ['beside a placeholder', { type: 'LEGAL', name: '-', lei: LISTED_LEI }],
])('a listed number is shown %s', async (_, beneficiary) => {
  const { id } = await createTransaction(sender, { ...CLEAN, beneficiary });
  const outcome = await untilJudged(api, await findOpenTransaction(api.db, sender.id, id));
  const { screening, verdict } = outcome.settlement;
  const subject = screening.sanctions.subjects.find(({ role }) => role === 'beneficiary');
  expect(subject?.screening).toMatchObject({ totalMatches: 1, sanctioned: false });
  expect(verdict).toMatchObject({ hold: null, findings: { sanctions: 'POSSIBLE' } });
});

test('a rule that confirms what is clean does not confirm what could not be compared', async () => {
  const tenant = await createTenant(api);
  const { body: configurations } =
    await tenant.get<{ id: string; direction: string; draft: { revision: number } }[]>('/rule-engine');
  const outgoing = configurations.find(({ direction }) => direction === 'OUTGOING');
  const rules = [
    {
      name: 'clean',
      enabled: true,
      priority: 1,
      conditions: { field: 'sanctionsNameMatch', operator: 'EQ', value: true },
      decision: 'REVIEW',
      reason: 'listed',
    },
  ];
  const path = `/rule-engine/${outgoing?.id}`;
  const body = {
    rules,
    defaultDecision: 'PROCEED',
    onUndecided: 'REVIEW',
    revision: outgoing?.draft.revision,
  };
  expect((await tenant.patch(`${path}/draft`, body)).status).toBe(200);
  expect((await tenant.post(`${path}/publish`, { comment: 'for a test' })).status).toBe(201);
  const nameless = await createTransaction(tenant, { originator: undefined, beneficiary: undefined });
  expect((await judged(tenant, nameless.id)).hold).not.toBeNull();
  const named = await createTransaction(tenant, CLEAN);
  expect((await judged(tenant, named.id)).hold).toBeNull();
});
