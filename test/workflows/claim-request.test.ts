import type { TransferClaim } from '../../domain/claims/schema.ts';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { askedClaim, claimBody, claimEvents, createClaim, readClaim } from '../factories/claim.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody } from '../factories/transaction.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
/** The originator VASP, which is asked. */
let alpine: TestTenant;
/** The beneficiary VASP, which asks. */
let harbour: TestTenant;

beforeAll(async () => {
  system = await startTestSystem();
  [alpine, harbour] = [await createTenant(system), await createTenant(system)];
});
afterAll(async () => await system.stop());
afterEach(() => {
  system.clock.offsetMs = 0;
});

const ofAlpine = () => ({ vaspInfo: { originatorVaspName: alpine.name } });
const record = async (id: string, name: string) =>
  await recordHistory(system.client, 'claimRequest', id, name);
const ended = async (id: string): Promise<unknown> =>
  await eventually<unknown>(
    async () => await system.client.workflow.getHandle(workflowId('claimRequest', id)).result(),
    () => true,
  );
const becomes = async (tenant: TestTenant, id: string, status: string) =>
  await eventually(
    async () => await readClaim(tenant, id),
    (claim) => claim.status === status,
  );
const reaches = async (claim: TransferClaim): Promise<TransferClaim> => {
  await becomes(harbour, claim.id, 'DELIVERED');
  const asked = await eventually(
    async () => await askedClaim(alpine, claim),
    (found) => found !== undefined,
  );
  return asked!;
};
/** Alpine's own transactions were looked through: its people have to decide. */
const isDecided = async ({ id }: TransferClaim) =>
  await eventually(
    async () => await claimEvents(alpine, id),
    (types) => types.includes('DECISION_NEEDED') || types.includes('ANSWER_SENT'),
  );
const read = async (tenant: TestTenant, id: string | null) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;

/** A message of Alpine of the transfer of a claim. */
const transferOf = ({ blockchainInfo }: TransferClaim, overrides: Record<string, unknown> = {}) => {
  const { blockchain, transactionHash, destination } = blockchainInfo;
  return createBody({
    blockchainInfo: { blockchain, transactionHash, destination },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    ...overrides,
  });
};

const transfer = async (claim: TransferClaim, overrides: Record<string, unknown> = {}) =>
  (await alpine.post<Transaction>('/transactions', transferOf(claim, overrides))).body;

test('reaches the originator VASP, and its answer with party data completes the record of the transfer', async () => {
  const claim = await createClaim(harbour, { ...ofAlpine(), beneficiary: { name: 'Jonas Brandt' } });
  const asked = await reaches(claim);
  expect(asked).toMatchObject({
    direction: 'INCOMING',
    status: 'DELIVERED',
    blockchainInfo: claim.blockchainInfo,
    vaspInfo: { originatorVaspName: alpine.name, beneficiaryVaspName: harbour.name },
    beneficiary: { name: 'Jonas Brandt' },
    requestedFields: claim.requestedFields,
    deadlineAt: claim.deadlineAt,
    transactionId: null,
    travelRuleMessageSource: 'NATIVE',
  });
  await isDecided(asked);
  const answer = await alpine.post<TransferClaim>(`/claims/${asked.id}/answer`, {
    amount: '1.5',
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  });
  expect(answer).toMatchObject({ status: 200, body: { status: 'DELIVERED' } });
  const own = await becomes(harbour, claim.id, 'ANSWERED');
  expect(own.transactionId).toBe(claim.transactionId);
  const completed = await read(harbour, own.transactionId);
  expect(completed).toMatchObject({
    status: 'DELIVERED',
    amountDecimal: '1.5',
    originator: { name: 'Anna Keller' },
    travelRuleMessageSource: 'NATIVE',
    received: { amountDecimal: '1.5' },
  });
  const theirs = await readClaim(alpine, asked.id);
  expect(theirs).toMatchObject({ status: 'ANSWERED', transactionId: answer.body.transactionId });
  expect(await read(alpine, theirs.transactionId)).toMatchObject({
    direction: 'OUTGOING',
    status: 'DELIVERED',
  });
  expect(await claimEvents(harbour, claim.id)).toEqual(['CREATED', 'DELIVERED', 'ANSWERED']);
  expect(await claimEvents(alpine, asked.id)).toEqual([
    'RECEIVED',
    'DECISION_NEEDED',
    'ANSWER_SENT',
    'ANSWERED',
  ]);
  expect(await ended(claim.id)).toBe('ANSWERED');
  expect(await ended(asked.id)).toBe('ANSWERED');
  await record(claim.id, 'answered');
  await record(asked.id, 'asked-and-answered');
});

test('an answer without an amount completes the record as well', async () => {
  const claim = await createClaim(harbour, ofAlpine());
  const asked = await reaches(claim);
  await alpine.post(`/claims/${asked.id}/answer`, {
    originator: { type: 'NATURAL', name: 'Anna Keller' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  });
  await becomes(harbour, claim.id, 'ANSWERED');
  expect(await read(harbour, claim.transactionId)).toMatchObject({
    status: 'DELIVERED',
    amount: null,
    originator: { name: 'Anna Keller' },
  });
});

describe('a transaction that the asked VASP already holds', () => {
  test('is sent by itself where the claim knows its beneficiary and it names no other VASP', async () => {
    const body = claimBody(ofAlpine()) as unknown as TransferClaim;
    const held = await transfer(body);
    await eventually(
      async () => await read(alpine, held.id),
      ({ subStatus }) => subStatus === 'VASP_NOT_FOUND',
    );
    const claim = await createClaim(harbour, {
      ...ofAlpine(),
      ...body,
      beneficiary: { name: 'JONAS  brandt' },
    });
    const own = await becomes(harbour, claim.id, 'ANSWERED');
    expect(await read(harbour, own.transactionId)).toMatchObject({ originator: { name: 'Anna Keller' } });
    expect(await read(alpine, held.id)).toMatchObject({
      status: 'DELIVERED',
      vaspInfo: { beneficiaryVaspName: harbour.name },
    });
    const asked = await askedClaim(alpine, claim);
    expect(asked).toMatchObject({ status: 'ANSWERED', transactionId: held.id });
  });

  test('is for a person where the claim does not know its beneficiary, and then is sent on their word', async () => {
    const body = claimBody(ofAlpine()) as unknown as TransferClaim;
    const held = await transfer(body);
    const claim = await createClaim(harbour, {
      ...ofAlpine(),
      ...body,
      beneficiary: { name: 'Somebody Else' },
    });
    const asked = await reaches(claim);
    expect(await isDecided(asked)).toContain('DECISION_NEEDED');
    expect(await read(alpine, held.id)).toMatchObject({ vaspInfo: { beneficiaryVaspName: null } });
    const answer = await alpine.post(`/claims/${asked.id}/answer`, { transactionId: held.id });
    expect(answer).toMatchObject({ status: 200, body: { transactionId: held.id } });
    await becomes(harbour, claim.id, 'ANSWERED');
  });

  test('is for a person where it names another VASP, whoever knows its beneficiary', async () => {
    const third = await createTenant(system);
    const body = claimBody(ofAlpine()) as unknown as TransferClaim;
    const held = await transfer(body, { vaspInfo: { beneficiaryVaspName: third.name } });
    const claim = await createClaim(harbour, {
      ...ofAlpine(),
      ...body,
      beneficiary: { name: 'Jonas Brandt' },
    });
    const asked = await reaches(claim);
    expect(await isDecided(asked)).toContain('DECISION_NEEDED');
    await eventually(
      async () => await read(alpine, held.id),
      ({ status }) => status === 'DELIVERED',
    );
    const answer = await alpine.post(`/claims/${asked.id}/answer`, { transactionId: held.id });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', id: held.id } });
    expect((await readClaim(harbour, claim.id)).status).toBe('DELIVERED');
  });
});

describe('a message of the transfer', () => {
  test('that arrives later answers the claim', async () => {
    const claim = await createClaim(harbour, ofAlpine());
    await reaches(claim);
    const sent = await transfer(claim, { vaspInfo: { beneficiaryVaspName: harbour.name } });
    const own = await becomes(harbour, claim.id, 'ANSWERED');
    expect(own.transactionId).toBe(claim.transactionId);
    expect(await askedClaim(alpine, claim)).toMatchObject({ status: 'ANSWERED', transactionId: sent.id });
  });

  test('that gets its hash later answers the claim', async () => {
    const claim = await createClaim(harbour, ofAlpine());
    await reaches(claim);
    const { destination, transactionHash } = claim.blockchainInfo;
    const sent = await transfer(claim, {
      vaspInfo: { beneficiaryVaspName: harbour.name },
      blockchainInfo: { destination, destinationType: 'CUSTODIAL' },
    });
    await eventually(
      async () => await read(alpine, sent.id),
      ({ status }) => status === 'DELIVERED',
    );
    expect((await readClaim(harbour, claim.id)).status).toBe('DELIVERED');
    await alpine.patch(`/transactions/${sent.id}`, { transactionHash });
    await becomes(harbour, claim.id, 'ANSWERED');
  });

  test('of a stranger does not answer a claim that names another VASP', async () => {
    const stranger = await createTenant(system);
    const claim = await createClaim(harbour, ofAlpine());
    await reaches(claim);
    const body = transferOf(claim, { vaspInfo: { beneficiaryVaspName: harbour.name } });
    const sent = (await stranger.post<Transaction>('/transactions', body)).body;
    await eventually(
      async () => await read(stranger, sent.id),
      ({ status }) => status === 'DELIVERED',
    );
    expect((await readClaim(harbour, claim.id)).status).toBe('DELIVERED');
  });

  test('that had arrived before answers the claim at once', async () => {
    const body = claimBody(ofAlpine()) as unknown as TransferClaim;
    const sent = await transfer(body, { vaspInfo: { beneficiaryVaspName: harbour.name } });
    await eventually(
      async () => await read(alpine, sent.id),
      ({ status }) => status === 'DELIVERED',
    );
    const claim = await createClaim(harbour, { ...ofAlpine(), ...body });
    expect(claim.status).toBe('ANSWERED');
    expect(await read(harbour, claim.transactionId)).toMatchObject({ status: 'DELIVERED' });
    expect(await claimEvents(harbour, claim.id)).toEqual(['CREATED', 'ANSWERED']);
  });
});

describe('the end of a claim', () => {
  test('the asking side takes it back: the other side learns that, not why', async () => {
    const claim = await createClaim(harbour, ofAlpine());
    const asked = await reaches(claim);
    const patch = { status: 'CANCELLED', statusReasoning: 'The customer told us.' };
    expect(await harbour.patch(`/claims/${claim.id}`, patch)).toMatchObject({ status: 200, body: patch });
    expect(await readClaim(alpine, asked.id)).toMatchObject({ status: 'CANCELLED', statusReasoning: null });
    expect(await ended(asked.id)).toBe('CANCELLED');
  });

  test('the asked side refuses it: the other side learns the reason', async () => {
    const claim = await createClaim(harbour, ofAlpine());
    const asked = await reaches(claim);
    const patch = { status: 'DECLINED', statusReasoning: 'This transfer is not ours.' };
    expect(await alpine.patch(`/claims/${asked.id}`, patch)).toMatchObject({ status: 200, body: patch });
    expect(await readClaim(harbour, claim.id)).toMatchObject(patch);
    expect(await ended(claim.id)).toBe('DECLINED');
    await record(claim.id, 'declined');
  });

  test('the asked side is reminded, and both sides are marked at the deadline', async () => {
    const claim = await createClaim(harbour, ofAlpine());
    const asked = await reaches(claim);
    await isDecided(asked);
    const left = Date.parse(claim.deadlineAt) - Date.now();
    system.clock.offsetMs = left * 0.8;
    await system.wake('claimRequest', asked.id);
    await eventually(
      async () => await readClaim(alpine, asked.id),
      ({ remindedAt }) => remindedAt !== null,
    );
    expect((await readClaim(harbour, claim.id)).status).toBe('DELIVERED');
    system.clock.offsetMs = left + 1_000;
    await system.wake('claimRequest', asked.id);
    expect(await ended(asked.id)).toBe('EXPIRED');
    expect(await ended(claim.id)).toBe('EXPIRED');
    expect(await claimEvents(alpine, asked.id)).toEqual([
      'RECEIVED',
      'DECISION_NEEDED',
      'REMINDED',
      'EXPIRED',
    ]);
    expect(await claimEvents(harbour, claim.id)).toEqual(['CREATED', 'DELIVERED', 'EXPIRED']);
    await record(asked.id, 'reminded-and-expired');
  });

  test('a timer that is fired by hand ends both sides', async () => {
    const claim = await createClaim(harbour, ofAlpine());
    const asked = await reaches(claim);
    expect((await harbour.post(`/sandbox/claims/${claim.id}/fire-timer`)).status).toBe(202);
    await becomes(harbour, claim.id, 'EXPIRED');
    await becomes(alpine, asked.id, 'EXPIRED');
    expect((await alpine.post(`/sandbox/claims/${asked.id}/fire-timer`)).status).toBe(409);
  });
});

describe('the way to the originator VASP', () => {
  test('no network leads to the VASP: the claim fails, and its record of the transfer stays', async () => {
    const claim = await createClaim(harbour, { vaspInfo: { originatorVaspName: 'Nobody At All Ltd' } });
    const failed = await becomes(harbour, claim.id, 'FAILED');
    expect(failed.failureCode).toBe('VASP_NOT_FOUND');
    expect(await read(harbour, claim.transactionId)).toMatchObject({ status: 'PENDING' });
    expect(await ended(claim.id)).toBe('FAILED');
  });

  test('without a name the tenant that has registered the origin is asked', async () => {
    const origin = claimBody().blockchainInfo.destination;
    await alpine.post('/wallets', { address: origin, asset: '*', blockchain: 'Ethereum' });
    const claim = await createClaim(harbour, { blockchainInfo: { origin } });
    await reaches(claim);
  });

  test('the test VASPs of a sandbox answer, refuse, or say nothing', async () => {
    await ensureTestVasps(system.db, new Date());
    const ask = async (name: string) =>
      await createClaim(harbour, { vaspInfo: { originatorVaspName: name } });
    const [confirming, declining, silent] = [
      await ask('Confirming Test VASP'),
      await ask('Declining Test VASP'),
      await ask('Silent Test VASP'),
    ];
    await becomes(harbour, confirming.id, 'ANSWERED');
    expect(await read(harbour, confirming.transactionId)).toMatchObject({
      status: 'DELIVERED',
      originator: { name: 'Greta Lindqvist' },
    });
    const refused = await becomes(harbour, declining.id, 'DECLINED');
    expect(refused.statusReasoning).toBe('A test VASP refused the claim.');
    await becomes(harbour, silent.id, 'DELIVERED');
  });

  test('a suspended VASP is tried again for 72 hours; then the claim fails', async () => {
    const third = await createTenant(system);
    await harbour.patch('/tenant/me/settings', { claimDeadlineDays: 30 });
    const { operatorKey } = system;
    await system.request('POST', `/operator/tenants/${third.id}/suspend`, { operatorKey });
    const claim = await createClaim(harbour, { vaspInfo: { originatorVaspName: third.name } });
    await eventually(
      async () => await claimEvents(harbour, claim.id),
      (types) => types.includes('DELIVERY_FAILED'),
    );
    system.clock.offsetMs = 3 * DAY_MS + HOUR_MS;
    await system.wake('claimRequest', claim.id);
    expect(await becomes(harbour, claim.id, 'FAILED')).toMatchObject({ failureCode: 'VASP_NOT_REACHABLE' });
    await record(claim.id, 'not-reached');
  });
});
