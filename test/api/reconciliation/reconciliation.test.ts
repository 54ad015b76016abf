import { changeClaim } from '../../../db/claims/change-claim.ts';
import { unroutedClaim } from '../../../domain/claims/deliver-claim.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { findClaimRoutes } from '../../../db/lifecycle/find-claim-routes.ts';
import { findNewGaps } from '../../../db/reconciliation/find-new-gaps.ts';
import type { TransferClaim } from '../../../domain/claims/schema.ts';
import type { ReconciliationItem } from '../../../domain/reconciliation/gap.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { WorkItem } from '../../../domain/work-items/work-item.ts';
import type { Json } from '../../api-client.ts';
import { addEntity, entityOf, mergeEntity } from '../../factories/directory.ts';
import { createTenant, WEBHOOK_URL, type Client } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  deliver,
  evmAddress,
  evmHash,
  findOnList,
  letPass,
  markUnrouted,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi, useTenant, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });
const stranger = useTenant(api);
const other = useTenant(api);

const list = async (query = '', by: Client = tenant) =>
  await by.get<ReconciliationItem[]>(`/reconciliation?${query}`);
const gaps = async (query = '') =>
  (await list(query)).body.map(({ kind, transactionId, nextAction }) => [kind, transactionId, nextAction]);
const work = async () => (await tenant.get<WorkItem[]>('/work-items?_kind=RECONCILIATION')).body;

/** As if the transaction had been made this many hours ago. */
async function age(id: string, hours: number): Promise<void> {
  await database.pool.query(
    `update transactions set created_at = now() - $2 * interval '1 hour', updated_at = now() - $2 * interval '1 hour' where id = $1`,
    [id, hours],
  );
}

/** A deposit that its own tenant has recorded. */
async function deposit(info: Json = {}, vaspInfo: Json = {}): Promise<string> {
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    vaspInfo,
    blockchainInfo: { blockchain: 'Ethereum', transactionHash: evmHash(), ...info },
  });
  await age(id, 25);
  return id;
}

const claim = async (id: string, body: Json = {}) =>
  await tenant.post<TransferClaim & Json>(`/transactions/${id}/claim`, body);

/** Ends a claim as its workflow does where nobody is found. */
async function fail({ id }: { id: string }): Promise<void> {
  const now = new Date();
  const decide = (own: Parameters<typeof unroutedClaim>[0]) =>
    unroutedClaim(own, { entityId: null, skipped: [], now });
  await changeClaim(api.db, { tenantId: tenant.id, id, now, decide });
}

describe('GET /reconciliation', () => {
  test('a new tenant lacks nothing', async () => {
    const answer = await list();
    expect(answer).toMatchObject({ status: 200, body: [] });
    expect(answer.headers.get('X-Total-Count')).toBe('0');
  });

  test('a confirmed transfer lacks its hash after a day: the sender adds it, the receiver asks for it', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, stranger);
    await stranger.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' });
    const { status } = await readTransaction(tenant, outgoingId);
    expect(status).toBe('CONFIRMED');
    await age(outgoingId, 23);
    expect(await gaps()).toEqual([]);
    await age(outgoingId, 25);
    await age(incomingId, 25);
    expect(await gaps()).toEqual([['HASH_MISSING', outgoingId, 'ADD_HASH']]);
    const { body } = await list('', stranger);
    expect(body).toMatchObject([
      { kind: 'HASH_MISSING', transactionId: incomingId, nextAction: 'CONTACT_COUNTERPARTY' },
    ]);
    await tenant.patch(`/transactions/${outgoingId}`, { transactionHash: evmHash() });
    expect(await gaps()).toEqual([]);
    expect((await list('', stranger)).body).toEqual([]);
  });

  test('a message without an answer after three days', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, stranger);
    await age(outgoingId, 71);
    expect(await gaps()).toEqual([]);
    await age(outgoingId, 73);
    const [item] = (await list()).body;
    const { createdAt } = await readTransaction(tenant, outgoingId);
    expect(item).toEqual({
      kind: 'ANSWER_MISSING',
      transactionId: outgoingId,
      direction: 'OUTGOING',
      status: 'DELIVERED',
      reference: null,
      counterpartyEntityId: expect.any(String) as string,
      claimId: null,
      since: createdAt,
      nextAction: 'CONTACT_COUNTERPARTY',
    });
    expect(await gaps(`_counterpartyEntityId=${item?.counterpartyEntityId}`)).toHaveLength(1);
    expect(await gaps(`_counterpartyEntityId=${outgoingId}`)).toEqual([]);
  });

  test('a confirmed transfer that is held asks for no hash: its coins must not move before the review', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, stranger);
    await stranger.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' });
    await age(outgoingId, 25);
    await findOnList(api.db, outgoingId);
    expect((await readTransaction(tenant, outgoingId)).clearance.nextAction).toBe('REVIEW');
    expect(await gaps()).toEqual([['HASH_MISSING', outgoingId, 'REVIEW']]);
    expect(await work()).toEqual([]);
    await tenant.post(`/transactions/${outgoingId}/review`, { decision: 'PROCEED', reason: 'A namesake.' });
    expect(await gaps()).toEqual([['HASH_MISSING', outgoingId, 'ADD_HASH']]);
    expect(await work()).toHaveLength(1);
    await findOnList(api.db, outgoingId);
    await tenant.post(`/transactions/${outgoingId}/review`, {
      decision: 'BLOCK',
      reason: 'The same person.',
    });
    expect(await gaps()).toEqual([]);
  });

  test('a message whose receiver has asked for data waits for the tenant, as its clearance says', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, tenant, stranger);
    const request = { fields: ['originator.dateOfBirth'], reason: 'Two customers have this name.' };
    expect((await stranger.post(`/transactions/${incomingId}/repair`, request)).status).toBe(200);
    await age(outgoingId, 73);
    expect((await readTransaction(tenant, outgoingId)).clearance.nextAction).toBe('PROVIDE_DATA');
    expect(await gaps()).toEqual([['ANSWER_MISSING', outgoingId, 'PROVIDE_DATA']]);
    expect(await work()).toEqual([]);
    await tenant.patch(`/transactions/${outgoingId}`, { originator: { dateOfBirth: '1984-03-12' } });
    expect(await gaps()).toEqual([['ANSWER_MISSING', outgoingId, 'CONTACT_COUNTERPARTY']]);
  });

  test('a mail that nobody has opened is an answer that is missing', async () => {
    const { id } = await createTransaction(tenant);
    await letPass(api.db, id);
    await age(id, 73);
    await database.pool.query(`update transactions set routing_fault = 'EMAIL_SENT' where id = $1`, [id]);
    expect(await gaps()).toEqual([['ANSWER_MISSING', id, 'CONTACT_COUNTERPARTY']]);
    expect(await work()).toMatchObject([{ resource: { id }, nextAction: 'CONTACT_COUNTERPARTY' }]);
    await tenant.post(`/transactions/${id}/proceed`, { reason: 'The customer is known.' });
    expect(await gaps()).toEqual([['ANSWER_MISSING', id, 'WAIT_FOR_COUNTERPARTY']]);
    expect(await work()).toEqual([]);
  });

  test('a message that found nobody is to be routed, and stays one work item', async () => {
    const { id } = await createTransaction(tenant);
    await letPass(api.db, id);
    await markUnrouted(api.db, await getTransaction(api.db, tenant.id, id));
    await age(id, 73);
    expect(await gaps()).toEqual([['ANSWER_MISSING', id, 'FIX_ROUTING']]);
    expect(await work()).toEqual([]);
  });

  test('a deposit without a message: hash and blockchain first, then a claim, then a decision', async () => {
    const id = await deposit({ transactionHash: undefined });
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'ADD_HASH']]);
    await tenant.patch(`/transactions/${id}`, { transactionHash: evmHash() });
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'CLAIM']]);
    expect(await work()).toMatchObject([
      { resource: { id, path: `/transactions/${id}` }, why: 'MESSAGE_MISSING', nextAction: 'CLAIM' },
    ]);

    const made = await claim(id, { vaspInfo: { originatorVaspName: stranger.name } });
    expect(made).toMatchObject({ status: 201, body: { transactionId: id, status: 'PENDING' } });
    expect((await list()).body).toMatchObject([
      { transactionId: id, claimId: made.body.id, nextAction: 'WAIT_FOR_COUNTERPARTY' },
    ]);
    expect(await work()).toEqual([]);

    await tenant.patch(`/claims/${made.body.id}`, { status: 'CANCELLED' });
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'CLAIM']]);
    const again = await claim(id);
    await fail(again.body);
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'DECIDE_ON_ASSETS']]);
    expect(await work()).toMatchObject([{ nextAction: 'DECIDE_ON_ASSETS' }]);

    await tenant.patch(`/transactions/${id}`, { status: 'DECLINED' });
    expect(await gaps()).toEqual([]);
  });

  test('of two deposits of one transfer one is claimed: the other waits with it, then its tenant decides', async () => {
    const info = { transactionHash: evmHash(), destination: evmAddress() };
    await registerWallet(tenant, info.destination);
    const named = { originatorVaspName: stranger.name };
    const [claimed, twin] = [await deposit(info, named), await deposit(info, named)];
    const ofAnother = await deposit(info, { originatorVaspName: other.name });
    const made = (await claim(claimed)).body;
    const all = [twin, ofAnother, claimed];
    const told = async () =>
      (await gaps()).filter(([, id]) => all.some((one) => one === id)).map(([, id, next]) => [id, next]);
    const wait = 'WAIT_FOR_COUNTERPARTY';
    expect(await told()).toEqual([
      [ofAnother, wait],
      [twin, wait],
      [claimed, wait],
    ]);
    expect((await list()).body.map(({ claimId }) => claimId)).toEqual([made.id, made.id, made.id]);

    const blockchainInfo = { blockchain: 'Ethereum', ...info };
    const sent = await createTransaction(stranger, { blockchainInfo });
    expect(await deliver(api, stranger, tenant, sent.id)).toBe(claimed);
    expect(await told()).toEqual([
      [ofAnother, 'CLAIM'],
      [twin, 'DECIDE_ON_ASSETS'],
    ]);
  });

  test('what a VASP has answered counts for a deposit that named it by an entry merged since, and for no unknown one', async () => {
    const info = { transactionHash: evmHash(), destination: evmAddress() };
    await registerWallet(tenant, info.destination);
    const former = await addEntity(api, 'Former Stranger');
    const claimed = await deposit(info, { originatorVaspName: stranger.name });
    const [twin, ofUnknown, ofNobody] = [
      await deposit(info, { originatorVaspName: 'Former Stranger' }),
      await deposit(info, { originatorVaspName: 'Nobody Knows' }),
      await deposit(info),
    ];
    await claim(claimed);
    const blockchainInfo = { blockchain: 'Ethereum', ...info };
    const sent = await createTransaction(stranger, { blockchainInfo });
    expect(await deliver(api, stranger, tenant, sent.id)).toBe(claimed);
    const told = async () => (await gaps()).map(([, id, next]) => [id, next]);
    expect(await told()).toEqual([
      [ofNobody, 'DECIDE_ON_ASSETS'],
      [ofUnknown, 'CLAIM'],
      [twin, 'CLAIM'],
    ]);
    await mergeEntity(api, former, await entityOf(api, stranger.id));
    expect((await told()).at(-1)).toEqual([twin, 'DECIDE_ON_ASSETS']);
    const master = await entityOf(api, stranger.id);
    expect((await gaps(`_counterpartyEntityId=${master}`)).map(([, id]) => id)).toEqual([twin]);
  });

  test('a claim that a message of another asset has answered is not made again', async () => {
    const info = { transactionHash: evmHash(), destination: evmAddress() };
    await registerWallet(tenant, info.destination);
    const id = await deposit(info, { originatorVaspName: stranger.name });
    const made = (await claim(id)).body;
    const sent = await createTransaction(stranger, {
      asset: 'USDC',
      blockchainInfo: { blockchain: 'Ethereum', ...info },
    });
    await deliver(api, stranger, tenant, sent.id);
    expect((await tenant.get(`/claims/${made.id}`)).body['status']).toBe('ANSWERED');
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'DECIDE_ON_ASSETS']]);
  });

  test('a claim that has reached nobody is made again once there is a route, as long as there is one', async () => {
    const look = async (sendsMails = true) =>
      await findClaimRoutes(api.db, { tenantId: tenant.id, afterId: null, sendsMails, now: new Date() });
    const name = `Appearing ${tenant.id}`;
    const id = await deposit({}, { originatorVaspName: name });
    await fail((await claim(id)).body);
    await look();
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'DECIDE_ON_ASSETS']]);
    // The VASP becomes a tenant.
    const appeared = await createTenant(api, { name });
    await look();
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'CLAIM']]);
    expect(await work()).toMatchObject([{ nextAction: 'CLAIM' }]);
    const suspend = async (at: string) =>
      await database.pool.query(`update tenants set suspended_at = ${at} where id = $1`, [appeared.id]);
    await suspend('now()');
    await look();
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'DECIDE_ON_ASSETS']]);
    await suspend('null');
    await look();
    const again = await claim(id);
    expect(again.status).toBe(201);
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'WAIT_FOR_COUNTERPARTY']]);
  });

  test('a deposit is closed by its message, and one from a self-hosted wallet has none', async () => {
    const [hash, destination] = [evmHash(), evmAddress()];
    await registerWallet(tenant, destination);
    const named = { originatorVaspName: stranger.name };
    const id = await deposit({ transactionHash: hash, destination }, named);
    await deposit({ originType: 'NON_CUSTODIAL', origin: evmAddress() });
    expect(await gaps()).toEqual([['MESSAGE_MISSING', id, 'CLAIM']]);
    const sent = await createTransaction(stranger, {
      blockchainInfo: { blockchain: 'Ethereum', transactionHash: hash, destination },
    });
    expect(await deliver(api, stranger, tenant, sent.id)).toBe(id);
    expect(await gaps()).toEqual([]);
  });

  test('a deposit that names no sender is closed by the message beside it', async () => {
    const [hash, destination] = [evmHash(), evmAddress()];
    await registerWallet(tenant, destination);
    const id = await deposit({ transactionHash: hash, destination });
    const sent = await createTransaction(stranger, {
      blockchainInfo: { blockchain: 'Ethereum', transactionHash: hash, destination },
    });
    expect(await deliver(api, stranger, tenant, sent.id)).not.toBe(id);
    expect((await readTransaction(tenant, id)).relatedTransactionId).not.toBeNull();
    expect(await gaps()).toEqual([]);
  });

  test('filters, search and pages; the oldest last', async () => {
    const noHash = await deposit({ transactionHash: undefined });
    const claimable = await deposit();
    await age(claimable, 50);
    const { outgoingId } = await createMessagePair(api, tenant, stranger);
    await age(outgoingId, 100);
    const ids = async (query: string) => (await gaps(query)).map(([, id]) => id);
    expect(await ids('')).toEqual([noHash, claimable, outgoingId]);
    expect(await ids('_sort=since')).toEqual([outgoingId, claimable, noHash]);
    expect(await ids('_start=1&_end=2')).toEqual([claimable]);
    expect((await list('_start=1&_end=2')).headers.get('X-Total-Count')).toBe('3');
    expect(await ids('_kind=ANSWER_MISSING')).toEqual([outgoingId]);
    expect(await ids('_nextAction=CLAIM,ADD_HASH')).toEqual([noHash, claimable]);
    expect(await ids('_kind=HASH_MISSING&_nextAction=CLAIM')).toEqual([]);
    expect(await ids(`q=${claimable.toUpperCase()}`)).toEqual([claimable]);
    expect((await list('_kind=NOTHING')).status).toBe(400);
    expect((await list('', stranger)).body.map(({ transactionId }) => transactionId)).not.toContain(noHash);
  });
});

describe('POST /transactions/{id}/claim', () => {
  test('409 for what cannot be claimed, 404 for a foreign record', async () => {
    const { outgoingId, incomingId } = await createMessagePair(api, stranger, tenant);
    expect(await claim(incomingId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await claim(outgoingId)).status).toBe(404);
    const { id } = await createTransaction(tenant);
    expect((await claim(id)).status).toBe(409);
    expect((await claim(await deposit({ transactionHash: undefined }))).status).toBe(409);
    expect((await claim(await deposit({ originType: 'NON_CUSTODIAL', origin: evmAddress() }))).status).toBe(
      409,
    );
    const declined = await deposit();
    await tenant.patch(`/transactions/${declined}`, { status: 'DECLINED' });
    expect((await claim(declined)).status).toBe(409);
  });

  test('409 with the open claim; of two deposits of one transfer each is claimed as itself', async () => {
    const info = { transactionHash: evmHash(), destination: evmAddress() };
    const [, second] = [await deposit(info), await deposit(info)];
    const made = await claim(second);
    expect(made.body.transactionId).toBe(second);
    const repeated = await claim(second);
    expect(repeated).toMatchObject({ status: 409, body: { code: 'conflict', id: made.body.id } });
  });

  test('names only what the caller names', async () => {
    const made = await claim(await deposit(), { requestedFields: ['originator.name'] });
    expect(made.body).toMatchObject({ beneficiary: null, requestedFields: ['originator.name'] });
    expect((await claim(await deposit(), { asset: 'BTC' })).status).toBe(400);
  });
});

describe('what is newly missing', () => {
  const reports = async () =>
    (await tenant.get<WebhookDelivery[]>('/tenant/me/webhook-deliveries?_kind=reconciliation')).body;
  const look = async () => (await findNewGaps(api.db, tenant.id, new Date())).found;

  test('is announced once, to those who ask for it', async () => {
    await deposit();
    expect(await look()).toBe(1);
    expect(await reports()).toEqual([]);
    await tenant.patch('/tenant/me/settings', { reconciliationWebhook: true });
    expect(await look()).toBe(0);
    const later = await deposit();
    await database.pool.query('update transactions set updated_at = now() where id = $1', [later]);
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
    const [report, ...none] = await reports();
    expect(none).toEqual([]);
    const { body } = await tenant.get(`/tenant/me/webhook-deliveries/${report?.id}`);
    expect(body).toMatchObject({ eventType: 'reconciliation', resourceId: tenant.id, status: 'PENDING' });
  });

  test('is found when its time has run out, and when an old record changes', async () => {
    const { outgoingId } = await createMessagePair(api, tenant, stranger);
    expect(await look()).toBe(0);
    // Nothing changes: three days pass after the look.
    const days = `interval '73 hours'`;
    await database.pool.query(`update tenants set reconciled_at = reconciled_at - ${days} where id = $1`, [
      tenant.id,
    ]);
    await age(outgoingId, 73);
    expect(await look()).toBe(1);

    const old = await deposit();
    await age(old, 500);
    expect(await look()).toBe(0);
    await tenant.patch(`/transactions/${old}`, { internalNote: 'seen' });
    expect(await look()).toBe(1);
  });
});
