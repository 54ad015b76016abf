import type { TransactionScreening } from '../../../domain/transactions/deciding/screening.ts';
import type { PreflightAnswer } from '../../../domain/transactions/preflight/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createBody, createTransaction, evmAddress, readTransaction } from '../../factories/transaction.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// Below the threshold from which a self-hosted wallet needs another proof than a declaration.
const price = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
const { api } = useApi({ prices: { ETH: price } });
const tenant = useTenantPerTest(api);

const LISTED = 'Barnabas Ravenscrofft';
const ALSO_LISTED = 'Grigori Rasputin';
const CLEAN = 'Anna Keller';
const HELD = { status: 'PENDING', subStatus: 'ON_HOLD' };
const UNPROVEN = { status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED' };

const list = async (...names: string[]) =>
  await activateList(
    api.db.pool,
    'OFAC_SDN',
    names.map((name, place) => listEntry(String(place), name)),
  );

beforeEach(async () => {
  await list(LISTED, ALSO_LISTED);
  expect((await tenant.patch('/tenant/me/settings', { autoConfirmSelfHosted: false })).status).toBe(200);
});

const advance = async (id: string): Promise<Transaction> => await lifecycleSteps(api)(tenant, { id });

const payout = (address: string) => ({ destination: address, destinationType: 'NON_CUSTODIAL' });
const deposit = (address: string) => ({ origin: address, originType: 'NON_CUSTODIAL' });

function bodyOf(info: Json, beneficiary = 'Jonas Brandt') {
  const direction = 'origin' in info ? 'INCOMING' : 'OUTGOING';
  const parties = { originator: { name: 'Eva Huber' }, beneficiary: { name: beneficiary } };
  return createBody({ direction, ...parties, blockchainInfo: { blockchain: 'Ethereum', ...info } });
}

async function transfer(info: Json, beneficiary?: string): Promise<string> {
  return (await createTransaction(tenant, bodyOf(info, beneficiary))).id;
}

/** What the owner of a wallet does on the hosted page. */
async function declare(address: string, name: string): Promise<string> {
  const { id, token } = await createVerification(tenant, { address, allowedFlows: ['SELF_DECLARED'] });
  const declaration = { name, statement: 'This wallet is mine.' };
  const answer = await api.request<Json>('POST', '/wallet/verification/proof', {
    headers: { 'X-Verification-Token': token },
    body: { verificationFlow: 'SELF_DECLARED', declaration },
  });
  expect([answer.status, answer.body['status']]).toEqual([200, 'VERIFIED']);
  return id;
}

async function review(id: string): Promise<void> {
  const answer = await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Cleared.' });
  expect(answer.status).toBe(200);
}

async function matchingRoles(id: string): Promise<string[]> {
  const { body } = await tenant.get<{ screening: TransactionScreening }>(`/transactions/${id}/screening`);
  const { subjects } = body.screening.sanctions;
  return subjects.filter(({ screening }) => screening?.sanctioned).map(({ role }) => role);
}

describe.each([
  ['a payout', payout],
  ['a deposit', deposit],
])('%s', (_what, infoOf) => {
  test('is held when the owner of its wallet has declared a listed name', async () => {
    const address = evmAddress();
    await declare(address, LISTED.toUpperCase());
    const foreseen = await eventually(
      async () => await tenant.post<PreflightAnswer>('/transactions/preflight', bodyOf(infoOf(address))),
      ({ body }) => body.screening.lists === 'SEARCHED',
    );
    expect(foreseen.body.clearance.reasons).toContain('SANCTIONS');
    const id = await transfer(infoOf(address));
    const held = await advance(id);
    expect(held).toMatchObject(HELD);
    expect(held.clearance.reasons).toContain('SANCTIONS');
    expect(await matchingRoles(id)).toEqual(['walletOwner']);
  });

  test('is held when a listed name is declared while it waits for the proof', async () => {
    const address = evmAddress();
    const id = await transfer(infoOf(address));
    expect(await advance(id)).toMatchObject(UNPROVEN);
    await declare(address, LISTED);
    expect(await advance(id)).toMatchObject(HELD);
  });

  test('that is held when a listed name is declared shows it to its reviewer', async () => {
    const address = evmAddress();
    const id = await transfer(infoOf(address), ALSO_LISTED);
    expect(await advance(id)).toMatchObject(HELD);
    await declare(address, LISTED);
    const early = await tenant.post(`/transactions/${id}/review`, {
      decision: 'PROCEED',
      reason: 'Cleared.',
    });
    // It is screened within the request, and what that finds has been read by nobody.
    expect([early.status, early.body['code']]).toEqual([409, 'conflict']);
    expect(await advance(id)).toMatchObject(HELD);
    expect(await matchingRoles(id)).toEqual(['beneficiary', 'walletOwner']);
    await review(id);
    expect(await advance(id)).toMatchObject({ status: 'CONFIRMED' });
  });

  test('that is held stays so when a clean name is declared, and is released once', async () => {
    const address = evmAddress();
    const id = await transfer(infoOf(address), ALSO_LISTED);
    expect(await advance(id)).toMatchObject(HELD);
    await declare(address, CLEAN);
    expect(await advance(id)).toMatchObject(HELD);
    expect(await matchingRoles(id)).toEqual(['beneficiary']);
    await review(id);
    expect(await advance(id)).toMatchObject({ status: 'CONFIRMED' });
  });

  test('is confirmed by the declaration of a clean name', async () => {
    const address = evmAddress();
    const id = await transfer(infoOf(address));
    expect(await advance(id)).toMatchObject(UNPROVEN);
    await declare(address, CLEAN);
    expect(await advance(id)).toMatchObject({ status: 'CONFIRMED' });
    expect(await matchingRoles(id)).toEqual([]);
  });
});

test('a deposit that was confirmed and is held shows its reviewer who is declared later', async () => {
  const address = evmAddress();
  const required = async (...requiredLists: string[]) =>
    await tenant.patch('/tenant/me/settings', { screening: { requiredLists } });
  await required('NOT_THERE');
  const id = await transfer(deposit(address), ALSO_LISTED);
  expect((await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status).toBe(200);
  await required();
  expect(await advance(id)).toMatchObject({ status: 'CONFIRMED', subStatus: 'ON_HOLD' });
  await declare(address, LISTED);
  const first = await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Cleared.' });
  expect([first.status, first.body['code']]).toEqual([409, 'conflict']);
  expect(await matchingRoles(id)).toEqual(['beneficiary', 'walletOwner']);
  await review(id);
});

test.each([
  ['another chain of the same key', 'Polygon'],
  ['a chain that is not known', 'Foochain'],
])('a payout on %s is held for a name that was declared', async (_what, blockchain) => {
  const address = evmAddress();
  const before = await transfer({ ...payout(address), blockchain }, ALSO_LISTED);
  expect(await advance(before)).toMatchObject(HELD);
  await declare(address, LISTED);
  expect(await advance(before)).toMatchObject(HELD);
  expect(await matchingRoles(before)).toEqual(['beneficiary', 'walletOwner']);
  const after = await transfer({ ...payout(address), blockchain });
  expect(await advance(after)).toMatchObject(HELD);
  expect(await matchingRoles(after)).toEqual(['walletOwner']);
});

test('what a reviewer has released is held again when a listed name is declared', async () => {
  const address = evmAddress();
  const id = await transfer(payout(address), ALSO_LISTED);
  expect(await advance(id)).toMatchObject(HELD);
  await review(id);
  expect(await advance(id)).toMatchObject(UNPROVEN);
  await declare(address, LISTED);
  expect(await advance(id)).toMatchObject(HELD);
  await review(id);
  expect(await advance(id)).toMatchObject({ status: 'CONFIRMED' });
});

test('nobody confirms what was released before a listed name was declared', async () => {
  const address = evmAddress();
  const id = await transfer(payout(address), ALSO_LISTED);
  expect(await advance(id)).toMatchObject(HELD);
  await review(id);
  expect(await advance(id)).toMatchObject(UNPROVEN);
  await declare(address, LISTED);
  const answer = await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Cleared.' });
  // It is screened within the request, and what that finds has been read by nobody.
  expect([answer.status, answer.body['code']]).toEqual([409, 'conflict']);
  expect(await readTransaction(tenant, id)).toMatchObject(HELD);
});

/** While no list can be asked nothing is compared, and a reviewer decides. */
async function holdUnscreened(id: string): Promise<void> {
  await requireLists(['NOT_THERE']);
  await api.db.pool.query(
    `update transactions set hold = 'UNSCREENED', screening_state = 'CLEARED', is_screening_delayed = true, wake_at = null where id = $1`,
    [id],
  );
}

async function requireLists(requiredLists: string[]): Promise<void> {
  expect((await tenant.patch('/tenant/me/settings', { screening: { requiredLists } })).status).toBe(200);
}

test('what a reviewer releases unscreened is not held again for a name that was declared before', async () => {
  const address = evmAddress();
  const id = await transfer(payout(address));
  expect(await advance(id)).toMatchObject(UNPROVEN);
  await holdUnscreened(id);
  await review(id);
  expect(await advance(id)).toMatchObject(UNPROVEN);
  await declare(address, LISTED);
  await holdUnscreened(id);
  await review(id);
  expect(await advance(id)).toMatchObject({ status: 'CONFIRMED' });
});

test('what a reviewer has released unscreened is compared with a name that is declared later', async () => {
  const address = evmAddress();
  const id = await transfer(payout(address));
  expect(await advance(id)).toMatchObject(UNPROVEN);
  await holdUnscreened(id);
  await review(id);
  expect(await advance(id)).toMatchObject(UNPROVEN);
  await requireLists([]);
  await declare(address, LISTED);
  expect(await advance(id)).toMatchObject(HELD);
});

test('an open transfer is held when the declared name is listed later', async () => {
  const selfHosted = { thresholdEur: '1' };
  expect((await tenant.patch('/tenant/me/settings', { selfHosted })).status).toBe(200);
  const address = evmAddress();
  await declare(address, CLEAN);
  const id = await transfer(payout(address));
  expect(await advance(id)).toMatchObject(UNPROVEN);
  const version = await list(LISTED, ALSO_LISTED, CLEAN);
  const rescreened = await rescreenSteps(api).rescreenOpen({ code: 'OFAC_SDN', version, afterId: null });
  expect(rescreened.found).toBe(1);
  expect(await advance(id)).toMatchObject(HELD);
  expect(await matchingRoles(id)).toEqual(['walletOwner']);
});

test('a declaration that was revoked, or is of another wallet, says nothing', async () => {
  const address = evmAddress();
  await declare(evmAddress(), LISTED);
  const revoked = await declare(address, LISTED);
  const { status } = await tenant.post(`/wallet-verification/${revoked}/revoke`, {
    reason: 'It was a mistake.',
  });
  expect(status).toBe(200);
  const id = await transfer(payout(address));
  expect(await advance(id)).toMatchObject(UNPROVEN);
  expect(await matchingRoles(id)).toEqual([]);
});
