import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import type { TransferClaim } from '../../domain/claims/schema.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { INQUIRY_PATH, travelTokenIn } from '../../domain/travel-address/travel-url.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { askedClaim, createClaim } from '../factories/claim.ts';
import { createPartner } from '../factories/partner.ts';
import { allowMails, openPortal, sendOutside, tokenFor, untilTransaction } from '../factories/portal.ts';
import { activateList } from '../factories/sanctions.ts';
import { startSmtp, type TestSmtp } from '../factories/smtp.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody, evmAddress, registerWallet } from '../factories/transaction.ts';
import { listedPerson } from '../factories/ways-to-name.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

// By whatever way a party comes from outside, or later, a listed person is found: however the name is written.

let smtp: TestSmtp;
let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;

beforeAll(async () => {
  smtp = await startSmtp();
  system = await startTestSystem({
    keepsLists: true,
    config: { SMTP_URL: smtp.url, MAIL_FROM: 'Waybill <waybill@alpine.example>', RATE_LIMIT_HOSTED: 0 },
  });
  await activateList(system.db.pool, 'OFAC_SDN', [listedPerson]);
  await ensureGateways(system.db, new Date());
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
  await allowMails(system, alpine);
});
afterAll(async () => {
  await smtp.stop();
  await system.stop();
});

const CLEAN = {
  originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
};
const WAYS: [way: string, fields: Json][] = [
  ['in one field', { name: 'Nicolas Maduro Moros' }],
  ['apart', { firstName: 'Nicolas', lastName: 'Maduro Moros' }],
  ['in Cyrillic', { name: 'Николас Мадуро Морос' }],
];
/** A party in the place of a named one. */
const instead = (party: Json) => ({ name: null, firstName: null, lastName: null, ...party });

const isHeld = ({ clearance }: Transaction) => clearance.reasons.includes('SANCTIONS');
async function isFound(tenant: TestTenant, id: string): Promise<Transaction> {
  const held = await untilTransaction(tenant, id, isHeld);
  expect(held.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
  return held;
}

/** A new wallet of Harbour; its address. */
async function newWallet(): Promise<string> {
  const address = evmAddress();
  await registerWallet(harbour, address);
  return address;
}

const placeOf = (destination: string) => ({
  blockchain: 'Ethereum',
  destination,
  destinationType: 'CUSTODIAL',
});

async function arrivedAt(destination: string): Promise<string> {
  const path = `/transactions?_direction=INCOMING&_destination=${destination}`;
  const list = await eventually(
    async () => (await harbour.get<Transaction[]>(path)).body,
    ({ length }) => length === 1,
  );
  return list[0]!.id;
}

test.each(WAYS)('POST /claims/{id}/answer: %s', async (_, party) => {
  const claim = await createClaim(harbour, { vaspInfo: { originatorVaspName: alpine.name } });
  const asked = await eventually(
    async () => await askedClaim(alpine, claim),
    (found) => found !== undefined,
  );
  const answer = await alpine.post<TransferClaim>(`/claims/${asked!.id}/answer`, {
    ...CLEAN,
    beneficiary: party,
  });
  expect(answer.status).toBe(200);
  await isFound(alpine, String(answer.body.transactionId));
  expect((await harbour.get<TransferClaim>(`/claims/${claim.id}`)).body.status).toBe('DELIVERED');
});

test.each(WAYS)('PATCH /portal/message: %s', async (_, party) => {
  const mailbox = `${evmAddress()}@harbour.example`;
  const id = await sendOutside(alpine, {
    beneficiaryVaspName: 'Nobody Known',
    beneficiaryVaspEmail: mailbox,
  });
  const token = await tokenFor(smtp, mailbox);
  const portal = await openPortal(system, smtp, { token, mailbox });
  const answer = { destinationConfirmed: true, beneficiary: party, status: 'CONFIRMED' };
  expect((await portal.patch('/portal/message', answer)).status).toBe(200);
  const held = await isFound(alpine, id);
  expect(held).toMatchObject({
    status: 'CONFIRMED',
    beneficiary: { name: 'Jonas Brandt' },
    received: { beneficiary: party, originator: null, differences: ['/beneficiary/name'] },
  });
  const { body } = await alpine.get<{ type: string }[]>(`/transactions/${id}/events`);
  expect(body.map(({ type }) => type)).toEqual(expect.arrayContaining(['BENEFICIARY_DIFFERS', 'HELD']));
  expect(JSON.stringify(body)).not.toMatch(/Maduro|Мадуро/);
});

test('PATCH /portal/message: somebody else holds the record, and a review lets it go', async () => {
  const mailbox = `${evmAddress()}@harbour.example`;
  const id = await sendOutside(alpine, {
    beneficiaryVaspName: 'Nobody Known',
    beneficiaryVaspEmail: mailbox,
  });
  const portal = await openPortal(system, smtp, { token: await tokenFor(smtp, mailbox), mailbox });
  const answer = { destinationConfirmed: true, beneficiary: { name: 'Somebody Else' }, status: 'CONFIRMED' };
  expect((await portal.patch('/portal/message', answer)).status).toBe(200);
  const held = await untilTransaction(alpine, id, ({ status }) => status === 'CONFIRMED');
  expect(held.clearance).toMatchObject({
    outcome: 'WAIT',
    reasons: ['CONFIRMED', 'ON_HOLD', 'COUNTERPARTY'],
  });
  const review = { decision: 'PROCEED', reason: 'The customer was known by another name.' };
  await eventually(
    async () => (await alpine.post(`/transactions/${id}/review`, review)).status,
    (status) => status === 200,
  );
  await untilTransaction(alpine, id, ({ clearance }) => clearance.outcome === 'GO');
});

describe('of a partner', () => {
  const send = async (parties: Json, destination: string) => {
    const { apiKey } = await createPartner(system);
    const headers = { 'X-Partner-Api-Key': apiKey.apiKey };
    const body = createBody({
      ...CLEAN,
      ...parties,
      blockchainInfo: placeOf(destination),
      vaspInfo: { beneficiaryVaspName: harbour.name },
    });
    const sent = await system.request('POST', '/partners/me/transactions', { headers, body });
    expect(sent.status).toBe(201);
    return { headers, id: String(sent.body['id']) };
  };

  test.each(WAYS)('POST /partners/me/transactions: %s', async (_, party) => {
    const destination = await newWallet();
    await send({ originator: party }, destination);
    await isFound(harbour, await arrivedAt(destination));
  });

  test.each(WAYS)('PATCH /partners/me/transactions/{id}: %s', async (_, party) => {
    const destination = await newWallet();
    const { headers, id } = await send({}, destination);
    const body = { originator: instead(party) };
    const path = `/partners/me/transactions/${id}`;
    expect((await system.request('PATCH', path, { headers, body })).status).toBe(200);
    await isFound(harbour, await arrivedAt(destination));
  });
});

describe('POST /trp/inquiries/{token}', () => {
  const person = (...nameIdentifier: Json[]) => ({ naturalPerson: { name: { nameIdentifier } } });
  const named = (primaryIdentifier: string, secondaryIdentifier = '', nameIdentifierType = 'LEGL') => ({
    primaryIdentifier,
    ...(secondaryIdentifier !== '' && { secondaryIdentifier }),
    nameIdentifierType,
  });

  test.each([
    ['in one field', person(named('Nicolas Maduro Moros'))],
    ['apart', person(named('Maduro Moros', 'Nicolas'))],
    ['in Cyrillic', person(named('Мадуро Морос', 'Николас'))],
    ['as another name', person(named('Keller', 'Anna'), named('Maduro Moros', 'Nicolas', 'ALIA'))],
  ])('%s', async (_, originator) => {
    const address = evmAddress();
    const { body } = await harbour.post('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' });
    const found = await harbour.get<{ travelAddress: string }>(
      `/wallets/${Number(body['id'])}/travel-address`,
    );
    const inquiry = {
      asset: { slip0044: 60 },
      amount: 1,
      callback: 'https://sender.example/resolutions/1',
      IVMS101: {
        originator: { originatorPersons: [originator] },
        beneficiary: { beneficiaryPersons: [person(named('Brandt', 'Jonas'))] },
      },
    };
    const path = `${INQUIRY_PATH}${travelTokenIn(found.body.travelAddress)}?t=i`;
    const headers = { 'api-version': '3.2.1', 'request-identifier': address };
    expect((await system.request('POST', path, { headers, body: inquiry })).status).toBe(200);
    await isFound(harbour, await arrivedAt(address));
  });
});

test.each(WAYS)('PATCH /transactions/{id} after a repair: %s', async (_, party) => {
  const destination = await newWallet();
  const body = createBody({
    ...CLEAN,
    blockchainInfo: placeOf(destination),
    vaspInfo: { beneficiaryVaspName: harbour.name },
  });
  const { id } = (await alpine.post<Transaction>('/transactions', body)).body;
  const incoming = await arrivedAt(destination);
  const asked = await harbour.post(`/transactions/${incoming}/repair`, {
    fields: ['originator.dateOfBirth'],
  });
  expect(asked.status).toBe(200);
  const originator = { ...instead(party), dateOfBirth: '1962-11-23' };
  expect((await alpine.patch(`/transactions/${id}`, { originator })).status).toBe(200);
  await isFound(harbour, incoming);
  await isFound(alpine, id);
});
