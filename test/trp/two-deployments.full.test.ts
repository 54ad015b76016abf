import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import type { EventView } from '../../domain/events/schema.ts';
import type { ReviewFile } from '../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Wallet } from '../../domain/wallets/schema.ts';
import { eventually } from '../eventually.ts';
import { createOutsider } from '../factories/portal.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress, evmHash } from '../factories/transaction.ts';
import { recordHistory } from '../record-history.ts';
import { runTrpSelfTest } from '../factories/trp-self-test.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { workflowId } from '../../workflows/contract.ts';

// Two deployments, each with its own database and namespace: they know of each other what travel addresses say.

let west: TestSystem;
let east: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;

const LOCAL = { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] };

beforeAll(async () => {
  west = await startTestSystem({ config: LOCAL, keepsLists: true });
  east = await startTestSystem({ config: LOCAL, sharesRuntime: true });
  for (const { db } of [west, east]) await ensureGateways(db, new Date());
  alpine = await createTenant(west, { legalName: 'Alpine Exchange AG', country: 'CH' });
  harbour = await createTenant(east);
});
afterAll(async () => {
  await west.stop();
  await east.stop();
});

async function newWallet(): Promise<{ address: string; travelAddress: string }> {
  const address = evmAddress();
  const wallet = { address, asset: 'ETH', blockchain: 'Ethereum' };
  const { id } = (await harbour.post<Wallet>('/wallets', wallet)).body;
  const found = await harbour.get<{ travelAddress: string }>(`/wallets/${id}/travel-address`);
  expect(found.status).toBe(200);
  return { address, travelAddress: found.body.travelAddress };
}

async function send(destination: string, travelAddress: string, place: object = {}) {
  const sent = await alpine.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '1.234567890123456789',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL', ...place },
    vaspInfo: { beneficiaryTravelAddress: travelAddress },
    originator: {
      type: 'NATURAL',
      firstName: 'Anna',
      lastName: 'Keller',
      dateOfBirth: '1984-03-12',
      country: 'CH',
    },
    beneficiary: { type: 'NATURAL', firstName: 'Jonas', lastName: 'Brandt' },
  });
  expect(sent.status).toBe(201);
  return sent.body.id;
}

const read = async (tenant: TestTenant, id: string) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;
const becomes = async (tenant: TestTenant, id: string, fits: (now: Transaction) => boolean) =>
  await eventually(async () => await read(tenant, id), fits);
const received = async (destination: string) => {
  const path = `/transactions?_direction=INCOMING&_destination=${destination}`;
  const found = await eventually(
    async () => (await harbour.get<Transaction[]>(path)).body,
    (list) => list.length === 1,
  );
  return found[0]!;
};
const eventsOf = async (tenant: TestTenant, id: string) =>
  (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.map(({ type }) => type).toReversed();

/** For how long the activity that sends a message is tried before the delivery is put off. */
async function secondsOfSending(id: string): Promise<number[]> {
  const { events } = await west.client.workflow
    .getHandle(workflowId('transactionLifecycle', id))
    .fetchHistory();
  return (events ?? [])
    .map(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)
    .filter((scheduled) => scheduled?.activityType?.name === 'sendInquiry')
    .map((scheduled) => Number(scheduled?.scheduleToCloseTimeout?.seconds ?? 0));
}

test('a message reaches the other deployment, is confirmed, and its transaction hash follows', async () => {
  const { address, travelAddress } = await newWallet();
  const id = await send(address, travelAddress);
  await becomes(alpine, id, ({ status }) => status === 'DELIVERED');
  const incoming = await received(address);
  expect(incoming).toMatchObject({
    status: 'DELIVERED',
    amountDecimal: '1.234567890123456789',
    asset: 'ETH',
    blockchainInfo: { blockchain: 'Ethereum', destination: address, isDestinationConfirmed: true },
    originator: { firstName: 'Anna', lastName: 'Keller', dateOfBirth: '1984-03-12' },
    beneficiary: { firstName: 'Jonas', lastName: 'Brandt' },
    vaspInfo: { originatorVaspName: 'Alpine Exchange AG', originatorVaspEntityId: null },
    travelRuleMessageSource: 'TRP',
  });
  expect((await harbour.patch(`/transactions/${incoming.id}`, { status: 'CONFIRMED' })).status).toBe(200);
  const confirmed = await becomes(alpine, id, ({ status }) => status === 'CONFIRMED');
  expect(confirmed).toMatchObject({
    travelRuleMessageSource: 'TRP',
    clearance: { outcome: 'GO' },
    blockchainInfo: { isDestinationConfirmed: true },
    vaspInfo: { beneficiaryTravelAddress: travelAddress },
  });
  const hash = evmHash();
  await alpine.patch(`/transactions/${id}`, { transactionHash: hash });
  await becomes(harbour, incoming.id, ({ blockchainInfo }) => blockchainInfo.transactionHash === hash);
  await recordHistory(west.client, 'transactionLifecycle', id, 'sent-by-trp');
  expect(await secondsOfSending(id)).toEqual([180]);
  const { rows } = await east.db.pool.query<{ id: string }>(
    `select id from trp_transfers where told = 'APPROVED'`,
  );
  await recordHistory(east.client, 'trpNotice', rows[0]?.id ?? '', 'approved');
  expect(await eventsOf(alpine, id)).toEqual(
    expect.arrayContaining(['DELIVERED', 'DESTINATION_CONFIRMED', 'STATUS_CHANGED', 'HASH_ADDED']),
  );
});

test('a hash that came with the message arrives with it', async () => {
  const { address, travelAddress } = await newWallet();
  const hash = evmHash();
  await send(address, travelAddress, { transactionHash: hash });
  expect((await received(address)).blockchainInfo.transactionHash).toBe(hash);
});

test('a refusal comes back with its code and a neutral sentence', async () => {
  const { address, travelAddress } = await newWallet();
  const id = await send(address, travelAddress);
  const incoming = await received(address);
  await harbour.patch(`/transactions/${incoming.id}`, {
    status: 'DECLINED',
    statusReasonCode: 'NAME_MISMATCH',
    statusReasoning: 'Our customer is called Brand.',
  });
  const declined = await becomes(alpine, id, ({ status }) => status === 'DECLINED');
  expect(declined.statusReasonCode).toBe('NAME_MISMATCH');
  expect(JSON.stringify(declined)).not.toContain('Brand.');
});

test('a withdrawal before the answer is told once the other VASP has approved', async () => {
  const { address, travelAddress } = await newWallet();
  const id = await send(address, travelAddress);
  const incoming = await received(address);
  await becomes(alpine, id, ({ status }) => status === 'DELIVERED');
  await alpine.patch(`/transactions/${id}`, { status: 'CANCELLED' });
  await harbour.patch(`/transactions/${incoming.id}`, { status: 'CONFIRMED' });
  await eventually(
    async () => await eventsOf(harbour, incoming.id),
    (types) => types.includes('TRANSFER_CANCELED'),
  );
  expect((await read(alpine, id)).status).toBe('CANCELLED');
});

test('an approval of another address confirms, and a reviewer has to look at it', async () => {
  const wallet = await newWallet();
  const other = evmAddress();
  const id = await send(other, wallet.travelAddress);
  const incoming = await received(wallet.address);
  await harbour.patch(`/transactions/${incoming.id}`, { status: 'CONFIRMED' });
  const held = await becomes(alpine, id, ({ status }) => status === 'CONFIRMED');
  expect(held.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
  expect(held.blockchainInfo).toMatchObject({ destination: other, approvedAddress: wallet.address });
  expect(await eventsOf(alpine, id)).toContain('ADDRESS_DIFFERS');
  const review = { decision: 'PROCEED', reason: 'The customer has named both addresses.' };
  await eventually(
    async () => (await alpine.post(`/transactions/${id}/review`, review)).status,
    // Until the other address has been compared with the lists it is 503.
    (status) => status === 200,
  );
  expect((await read(alpine, id)).clearance.outcome).toBe('GO');
});

test('the other address is compared with the lists', async () => {
  const wallet = await newWallet();
  const wallets = [{ asset: 'ETH', address: wallet.address }];
  await activateList(west.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft', { wallets })]);
  const id = await send(evmAddress(), wallet.travelAddress);
  const incoming = await received(wallet.address);
  await harbour.patch(`/transactions/${incoming.id}`, { status: 'CONFIRMED' });
  const held = await becomes(alpine, id, ({ clearance }) => clearance.reasons.includes('SANCTIONS'));
  expect(held).toMatchObject({ status: 'CONFIRMED', clearance: { outcome: 'WAIT', nextAction: 'REVIEW' } });
  const { body } = await alpine.get<ReviewFile>(`/transactions/${id}/screening`);
  expect(body.screening?.sanctions.subjects).toContainEqual(
    expect.objectContaining({
      role: 'approvedAddress',
      screening: expect.objectContaining({ sanctioned: true }) as unknown,
    }),
  );
});

test('a travel address of this deployment is delivered between its tenants', async () => {
  const bay = await createTenant(east);
  const { address, travelAddress } = await newWallet();
  const sent = await bay.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '2',
    blockchainInfo: { blockchain: 'Ethereum', destination: address, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryTravelAddress: travelAddress },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
  });
  const delivered = await becomes(bay, sent.body.id, ({ status }) => status === 'DELIVERED');
  expect(delivered.travelRuleMessageSource).toBe('NATIVE');
});

describe('a travel address beside the name of a VASP', () => {
  const sendNamed = async (
    sender: TestTenant,
    to: { address: string; travelAddress: string },
    beneficiaryVaspName: string,
  ) => {
    const { address: destination, travelAddress: beneficiaryTravelAddress } = to;
    const sent = await sender.post<Transaction>('/transactions', {
      asset: 'ETH',
      amount: '1',
      blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
      vaspInfo: { beneficiaryTravelAddress, beneficiaryVaspName },
      originator: { name: 'Anna Keller' },
      beneficiary: { name: 'Jonas Brandt' },
    });
    return sent.body.id;
  };
  const isHeld = ({ clearance }: Transaction) => clearance.reasons.includes('TRAVEL_ADDRESS');
  const pass = async (tenant: TestTenant, id: string) =>
    await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Known by telephone.' });

  test('that the directory knows at no such host is held, and a release counts for that address alone', async () => {
    const { name } = await createOutsider(west, {
      name: 'Merlion Exchange',
      emailDomains: ['merlion.example'],
    });
    const [first, second] = [await newWallet(), await newWallet()];
    const id = await sendNamed(alpine, first, name);
    const held = await becomes(alpine, id, isHeld);
    expect(held.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
    expect(await eventsOf(alpine, id)).not.toContain('DELIVERED');
    const moved = { vaspInfo: { beneficiaryTravelAddress: second.travelAddress } };
    expect((await alpine.patch(`/transactions/${id}`, moved)).status).toBe(200);
    await pass(alpine, id);
    await becomes(alpine, id, (now) => isHeld(now) && now.version > held.version + 2);
    await pass(alpine, id);
    expect(await becomes(alpine, id, ({ status }) => status === 'DELIVERED')).toMatchObject({
      travelRuleMessageSource: 'TRP',
    });
  });

  test('that the directory knows at this host is sent', async () => {
    const wallet = await newWallet();
    const { name } = await createOutsider(west, {
      name: 'Orchid Exchange',
      travelAddress: (await newWallet()).travelAddress,
    });
    const id = await sendNamed(alpine, wallet, name);
    await becomes(alpine, id, ({ status }) => status === 'DELIVERED');
  });

  test('of this deployment that leads to a tenant of another name is held', async () => {
    const bay = await createTenant(east);
    const { name } = await createOutsider(east, { name: 'Lotus Exchange' });
    for (const other of [name, 'Zanzibar Savings']) {
      const wallet = await newWallet();
      const id = await sendNamed(bay, wallet, other);
      await becomes(bay, id, isHeld);
      expect((await harbour.get(`/transactions?_destination=${wallet.address}`)).body).toEqual([]);
    }
    const id = await sendNamed(bay, await newWallet(), harbour.name);
    await becomes(bay, id, ({ status }) => status === 'DELIVERED');
  });
});

test('a travel address to a private address is refused before anything is stored', async () => {
  const { address } = await newWallet();
  const gone = 'ta226rAKyTmMxzsmkda5U2Vhw1';
  const refused = await alpine.post('/transactions', {
    asset: 'ETH',
    amount: '1',
    blockchainInfo: { destination: address, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryTravelAddress: gone },
  });
  // localhost is not 127.0.0.1, which the operator has allowed.
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/vaspInfo/beneficiaryTravelAddress', code: 'address_not_allowed' }] },
  });
});

test('the self-test of an operator finds nothing wrong in a sandbox without certificates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-self-test-'));
  const key = join(folder, 'key');
  writeFileSync(key, (await createTenant(east)).apiKey);
  const args = ['--url', east.url, '--api', east.url, '--key-file', key];
  const tested = await runTrpSelfTest(args, { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  rmSync(folder, { recursive: true });
  expect(tested).toMatchObject({ code: 0, wrong: [] });
  expect(tested.left).toEqual(
    ['Certificate', '/identity'].map((step) => expect.stringMatching(`^${step}: `) as unknown),
  );
});
