import { randomUUID } from 'node:crypto';
import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Proposal } from '../../../domain/proposals/schema.ts';
import type { ReviewFile } from '../../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { createPerson } from '../../factories/people.ts';
import { clientOf, type Client } from '../../factories/tenant.ts';
import { createTransaction, letPass, readTransaction } from '../../factories/transaction.ts';
import { createUser, type TestUser } from '../../factories/user.ts';
import { useApi, useTenant } from '../../use-api.ts';

// Below the threshold from which a self-hosted wallet needs a proof.
const price = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
const { api, database } = useApi({
  prices: { ETH: price },
  config: { RATE_LIMIT_WRITES: 0, RATE_LIMIT_READS: 0 },
});
const tenant = useTenant(api);
let anna: TestUser;
let ben: TestUser;
let unproven: TestUser;
beforeAll(async () => {
  anna = await createPerson(api, tenant, 'ADMIN', { name: 'Anna Keller' });
  ben = await createPerson(api, tenant, 'COMPLIANCE', { name: 'Ben Ott' });
  unproven = await createUser(api, tenant, 'ADMIN');
  const settings = { autoConfirmSelfHosted: false, fourEyes: { review: true } };
  expect((await tenant.patch('/tenant/me/settings', settings)).status).toBe(200);
});

type Poster = Pick<Client, 'post'>;
type Reviewed = Transaction & { proposal?: Proposal } & Json;
const review = async (by: Poster, id: string, decision = 'PROCEED', reason = 'seen') =>
  await by.post<Reviewed>(`/transactions/${id}/review`, { decision, reason });
const end = async (by: Poster, id: string, how: 'approve' | 'refuse' | 'withdraw') =>
  await by.post<Proposal & Json>(`/proposals/${id}/${how}`);
const list = async (query = '') => (await tenant.get<Proposal[]>(`/proposals?${query}`)).body;
const waiting = async () => (await list()).map(({ id }) => id);

/** A payout to a self-hosted wallet whose owner has to prove that it is theirs. */
async function payout(): Promise<string> {
  const { id } = await createTransaction(tenant, {
    blockchainInfo: { blockchain: 'Ethereum', destinationType: 'NON_CUSTODIAL' },
  });
  await letPass(api.db, id);
  await confirmSelfHostedTransfer(api.db, await getTransaction(api.db, tenant.id, id), new Date());
  return id;
}

/** A payout that somebody proposed to let pass. */
async function proposed(by: Poster = tenant): Promise<{ id: string; proposal: Proposal }> {
  const id = await payout();
  const { status, body } = await review(by, id);
  if (!body.proposal) throw new Error(`nothing was proposed: ${status} ${JSON.stringify(body)}`);
  return { id, proposal: body.proposal };
}

test('the first act changes nothing and is listed; the second person carries it out, and both are named', async () => {
  const id = await payout();
  const before = await readTransaction(tenant, id);
  const { status, body } = await review(tenant, id, 'PROCEED', 'a namesake');
  const { proposal, ...shown } = body;
  expect([status, shown]).toEqual([200, before]);
  expect(await readTransaction(tenant, id)).toEqual(before);
  expect(proposal).toMatchObject({
    kind: 'REVIEW',
    status: 'WAITING',
    resource: { kind: 'TRANSACTION', id },
    request: { decision: 'PROCEED', reason: 'a namesake' },
    proposedBy: { kind: 'API_KEY', id: tenant.apiKeyId },
    endedBy: null,
  });
  expect(await list(`_resourceId=${id}`)).toEqual([proposal]);
  expect(await review(ben, id, 'PROCEED', 'born elsewhere')).toMatchObject({
    status: 200,
    body: { status: 'CONFIRMED', proposal: { id: proposal?.id, status: 'CARRIED_OUT' } },
  });
  const [decided] = (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body;
  expect(decided).toMatchObject({
    type: 'REVIEWED',
    userId: ben.user.id,
    user: { id: ben.user.id, name: 'Ben Ott', email: ben.email },
    data: { proposalId: proposal?.id, proposedByApiKeyId: tenant.apiKeyId },
  });
  const file = await tenant.get<ReviewFile>(`/transactions/${id}/screening`);
  expect(file.body.reviews).toMatchObject([
    { reason: 'a namesake', isProposal: true },
    { reason: 'born elsewhere', isProposal: false },
  ]);
  expect(await list(`_resourceId=${id}`)).toEqual([]);
  expect(await list(`_resourceId=${id}&_status=CARRIED_OUT`)).toMatchObject([
    { endedBy: { kind: 'USER', id: ben.user.id, name: 'Ben Ott' } },
  ]);
});

test('the proposer, another key and whoever never proved their mailbox do not agree', async () => {
  const { id, proposal } = await proposed(anna);
  const conflict = { status: 409, body: { code: 'conflict', id: proposal.id } };
  const forbidden = { status: 403, body: { code: 'forbidden' } };
  expect(await review(anna, id)).toMatchObject(conflict);
  expect(await review(tenant, id)).toMatchObject(conflict);
  expect(await review(unproven, id)).toMatchObject(forbidden);
  expect(await end(anna, proposal.id, 'approve')).toMatchObject(conflict);
  expect(await end(tenant, proposal.id, 'approve')).toMatchObject(forbidden);
  expect(await end(unproven, proposal.id, 'approve')).toMatchObject(forbidden);
  expect((await readTransaction(tenant, id)).status).toBe('PENDING');
  expect((await review(ben, id)).body.status).toBe('CONFIRMED');
});

test('who made the proposing key does not agree, nor who made the key that made it', async () => {
  const made = async (by: Poster) =>
    clientOf(api, String((await by.post('/tenant/me/api-keys', { role: 'ADMIN' })).body['apiKey']));
  const first = await made(anna);
  for (const key of [first, await made(first)]) {
    const { id, proposal } = await proposed(key);
    expect((await review(anna, id)).status).toBe(409);
    expect((await end(anna, proposal.id, 'refuse')).status).toBe(403);
    expect((await end(anna, proposal.id, 'withdraw')).body.status).toBe('WITHDRAWN');
  }
});

test('of two who approve at once one carries it out; a repeat under the same Idempotency-Key is answered alike', async () => {
  const { id, proposal } = await proposed();
  const path = `/proposals/${proposal.id}/approve`;
  const key = { headers: { 'Idempotency-Key': randomUUID() } };
  const [one, other] = await Promise.all([ben.post(path, undefined, key), anna.post(path)]);
  expect([one.status, other.status].toSorted()).toEqual([200, 409]);
  const again = await ben.post(path, undefined, key);
  expect(again.status).toBe(one.status);
  if (one.status === 200) expect(again.body).toEqual(one.body);
  expect((await readTransaction(tenant, id)).status).toBe('CONFIRMED');
  const types = (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.map(({ type }) => type);
  expect(types.filter((type) => type === 'REVIEWED')).toHaveLength(1);
});

test('BLOCK needs one person, and ends the proposal', async () => {
  const { id, proposal } = await proposed();
  expect(await review(unproven, id, 'BLOCK')).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
  expect(await list(`_resourceId=${id}&_status=OUTDATED`)).toMatchObject([{ id: proposal.id }]);
});

test('a second person refuses, the first withdraws; then it is proposed anew', async () => {
  const { id, proposal } = await proposed();
  expect((await end(ben, proposal.id, 'withdraw')).status).toBe(403);
  expect((await end(tenant, proposal.id, 'refuse')).status).toBe(403);
  expect(await end(ben, proposal.id, 'refuse')).toMatchObject({
    status: 200,
    body: { status: 'REFUSED', endedBy: { id: ben.user.id } },
  });
  for (const how of ['approve', 'refuse'] as const)
    expect((await end(anna, proposal.id, how)).status).toBe(409);
  const again = (await review(tenant, id)).body.proposal?.id ?? '';
  expect(again).not.toBe(proposal.id);
  expect(await end(tenant, again, 'withdraw')).toMatchObject({ status: 200, body: { status: 'WITHDRAWN' } });
  expect((await review(tenant, id)).body.proposal?.status).toBe('WAITING');
});

describe('a proposal ends by itself', () => {
  const endedAs = async (status: string, id: string) => {
    expect(await waiting()).not.toContain(id);
    expect(await list(`_status=${status}`)).toContainEqual(expect.objectContaining({ id, endedBy: null }));
    expect(await end(ben, id, 'approve')).toMatchObject({ status: 409, body: { code: 'conflict' } });
  };

  test('when its transaction changes', async () => {
    const { id, proposal } = await proposed();
    expect((await tenant.patch(`/transactions/${id}`, { internalNote: 'seen again' })).status).toBe(200);
    await endedAs('OUTDATED', proposal.id);
    // What was proposed of another version is no first half of this one.
    expect((await review(ben, id)).body.proposal).toMatchObject({ status: 'WAITING' });
  });

  test('when its transaction is due for screening again, which makes no version', async () => {
    const { id, proposal } = await proposed();
    await database.pool.query('update transactions set screening_due_since = now() where id = $1', [id]);
    await endedAs('OUTDATED', proposal.id);
  });

  test.each([{ disabled: true }, { role: 'OBSERVER' }])(
    'when its proposer is %j, and stays so',
    async (change) => {
      const proposer = await createPerson(api, tenant);
      const { proposal } = await proposed(proposer);
      const path = `/users/${proposer.user.id}`;
      expect((await tenant.patch(path, { name: 'Another Name' })).status).toBe(200);
      expect(await waiting()).toContain(proposal.id);
      expect((await tenant.patch(path, change)).status).toBe(200);
      expect((await tenant.patch(path, { disabled: false, role: 'COMPLIANCE' })).status).toBe(200);
      await endedAs('OUTDATED', proposal.id);
    },
  );

  test('when the proposing key is revoked', async () => {
    const made = await tenant.post('/tenant/me/api-keys', { role: 'COMPLIANCE' });
    const { proposal } = await proposed(clientOf(api, String(made.body['apiKey'])));
    expect((await tenant.delete(`/tenant/me/api-keys/${String(made.body['id'])}`)).status).toBe(200);
    await endedAs('OUTDATED', proposal.id);
  });

  test('after seven days', async () => {
    const { id, proposal } = await proposed();
    expect(Date.parse(proposal.expiresAt) - Date.parse(proposal.createdAt)).toBe(7 * 86_400_000);
    await database.pool.query('update proposals set expires_at = now() where id = $1', [proposal.id]);
    await endedAs('EXPIRED', proposal.id);
    expect((await review(tenant, id)).body.proposal?.status).toBe('WAITING');
  });

  test('when its transaction is deleted', async () => {
    const { id, proposal } = await proposed();
    expect((await review(tenant, id, 'BLOCK')).status).toBe(200);
    expect((await tenant.delete(`/transactions/${id}`)).status).toBe(204);
    expect(await list(`_resourceId=${id}&_status=OUTDATED`)).toMatchObject([
      { id: proposal.id, request: null },
    ]);
  });
});

test('400: an unknown status, kind or record; a page; a search by id', async () => {
  for (const query of ['_status=OPEN', '_kind=OTHER', '_resourceId=x', '_sort=kind'])
    expect((await tenant.get(`/proposals?${query}`)).status).toBe(400);
  const { proposal } = await proposed();
  const { headers, body } = await tenant.get<Proposal[]>(`/proposals?_start=0&_end=1&_kind=REVIEW`);
  expect(body).toEqual([proposal]);
  expect(Number(headers.get('X-Total-Count'))).toBe((await waiting()).length);
  expect(await list(`q=${proposal.id.slice(0, 30)}`)).toContainEqual(proposal);
  expect(await list('q=nothing')).toEqual([]);
});

test('404: a proposal of nobody', async () => {
  for (const how of ['approve', 'refuse', 'withdraw'] as const)
    expect((await end(ben, randomUUID(), how)).status).toBe(404);
});
