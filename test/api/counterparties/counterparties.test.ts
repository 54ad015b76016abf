import type { Json } from '../../api-client.ts';
import { createTransaction, deliver } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api, { country: 'IR' });
const receiver = useTenant(api);
const stranger = useTenant(api);
let receiverId: string;
let senderId: string;
beforeAll(async () => {
  [senderId, receiverId] = [await entityOf(sender.name), await entityOf(receiver.name)];
});

const entityOf = async (name: string) =>
  (await sender.get(`/entities/lookup?name=${encodeURIComponent(name)}`)).body['id'] as string;

/** A message that has arrived at the receiver, who has registered the address. */
async function send(): Promise<{ id: string; incomingId: string }> {
  const { id, destination } = await message();
  await receiver.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  return { id, incomingId: await deliver(api, sender, receiver, id) };
}

async function message(): Promise<{ id: string; destination: string }> {
  const made = await createTransaction(sender);
  const { body } = await sender.get<{ blockchainInfo: { destination: string } }>(`/transactions/${made.id}`);
  return { id: made.id, destination: body.blockchainInfo.destination };
}

test('messages are counted on both sides, answers, late and incomplete ones', async () => {
  const sent = [await send(), await send(), await send()];
  await receiver.patch(`/transactions/${sent[0]?.incomingId}`, { status: 'CONFIRMED' });
  await database.pool.query(
    `update transactions set created_at = now() - interval '73 hours' where id = $1`,
    [sent[1]?.id],
  );
  expect((await sender.get(`/counterparties/${receiverId}`)).body).toMatchObject({
    entityId: receiverId,
    entity: { id: receiverId, name: receiver.name, inNetwork: true },
    policy: 'ALLOW',
    sent: 3,
    answered: 1,
    late: 1,
    incomplete: 0,
    warnings: ['DUE_DILIGENCE_MISSING', 'LATE_ANSWERS'],
    note: null,
    updatedAt: null,
  });
  expect((await receiver.get(`/counterparties/${senderId}`)).body).toMatchObject({
    sent: 0,
    incomplete: 3,
    warnings: ['HIGH_RISK_COUNTRY', 'HIGH_RISK', 'INCOMPLETE_MESSAGES', 'REPEATED_FAILURES'],
  });
});

test('what a tenant decides is kept, sealed, and seen by nobody else', async () => {
  const decision = {
    policy: 'REVIEW',
    dueDiligenceAt: '2026-01-31',
    nextReviewAt: '2026-02-01T10:00:00+01:00',
    note: 'Jonas Brandt called.',
  };
  const { status, body } = await sender.patch(`/counterparties/${receiverId}`, decision);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      policy: 'REVIEW',
      dueDiligenceAt: '2026-01-31T00:00:00.000Z',
      nextReviewAt: '2026-02-01T09:00:00.000Z',
      note: 'Jonas Brandt called.',
      updatedAt: expect.any(String),
    },
  });
  expect(body['warnings']).toContain('REVIEW_OVERDUE');
  expect((await sender.patch(`/counterparties/${receiverId}`, { nextReviewAt: null })).body).toMatchObject({
    policy: 'REVIEW',
    nextReviewAt: null,
    note: 'Jonas Brandt called.',
  });
  for (const other of [stranger, receiver]) {
    expect((await other.get(`/counterparties/${receiverId}`)).body).toMatchObject({
      policy: 'ALLOW',
      note: null,
      sent: 0,
      updatedAt: null,
    });
  }
  expect((await stranger.get('/counterparties')).body).toEqual([]);
  const { rows } = await database.pool.query<{ text: string }>(
    `select encode(note, 'escape') as text from counterparties where tenant_id = $1`,
    [sender.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).not.toContain('Jonas');
});

test('the list has everybody with a message or a decision; filters and search narrow it', async () => {
  const { body: made } = await api.request('POST', '/operator/entities', {
    operatorKey: api.operatorKey,
    body: { name: 'Shady Tumbler', type: 'mixing_service' },
  });
  await sender.patch(`/counterparties/${String(made['id'])}`, { policy: 'BLOCK' });
  const list = async (query: string) => {
    const { body, headers } = await sender.get<{ entity: Json }[]>(`/counterparties${query}`);
    return [headers.get('x-total-count'), body.map(({ entity }) => entity['name'])];
  };
  expect(await list('?_sort=name')).toEqual(['2', ['Shady Tumbler', receiver.name]]);
  expect(await list('?_policy=REVIEW,BLOCK&_end=1&_sort=riskScore&_order=DESC')).toEqual([
    '2',
    ['Shady Tumbler'],
  ]);
  expect(await list('?_policy=BLOCK')).toEqual(['1', ['Shady Tumbler']]);
  expect(await list('?q=tumb')).toEqual(['1', ['Shady Tumbler']]);
  expect((await sender.get('/counterparties?_policy=MAYBE')).status).toBe(400);
});

test('a duplicate answers for its master, and a merge never lifts a block', async () => {
  const add = async (name: string) =>
    (
      await api.request('POST', '/operator/entities', {
        operatorKey: api.operatorKey,
        body: { name, type: 'exchange' },
      })
    ).body['id'] as string;
  const [old, current] = [await add('Old House'), await add('New House')];
  await stranger.patch(`/counterparties/${old}`, { policy: 'BLOCK' });
  await api.request('POST', `/operator/entities/${old}/merge`, {
    operatorKey: api.operatorKey,
    body: { masterId: current },
  });
  for (const id of [old, current]) {
    expect((await stranger.get(`/counterparties/${id}`)).body).toMatchObject({
      entityId: current,
      policy: 'BLOCK',
    });
  }
  expect((await stranger.get<Json[]>('/counterparties')).body).toHaveLength(1);
  await stranger.patch(`/counterparties/${old}`, { note: 'Looked at.' });
  expect((await stranger.get(`/counterparties/${current}`)).body).toMatchObject({
    policy: 'BLOCK',
    note: 'Looked at.',
  });
  expect((await stranger.patch(`/counterparties/${current}`, { policy: null })).body).toMatchObject({
    policy: 'ALLOW',
  });
});

test('a PATCH without a field says which there are', async () => {
  const answer = await sender.patch(`/counterparties/${receiverId}`, {});
  expect(answer).toMatchObject({
    status: 400,
    body: {
      detail: 'Give at least one of policy, dueDiligenceAt, nextReviewAt, note and claimDeadlineDays.',
    },
  });
});

test.each([
  [{}, ''],
  [{ policy: 'TRUST' }, '/policy'],
  [{ dueDiligenceAt: '2026-02-30' }, '/dueDiligenceAt'],
  [{ nextReviewAt: 'soon' }, '/nextReviewAt'],
  [{ claimDeadlineDays: 31 }, '/claimDeadlineDays'],
  [{ note: '' }, '/note'],
  [{ note: 'x'.repeat(5_001) }, '/note'],
  [{ policy: 'ALLOW', sent: 1 }, '/sent'],
])('400: %j', async (body, pointer) => {
  const answer = await sender.patch(`/counterparties/${receiverId}`, body);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
});

test('404 for an entity that is not there, 403 for an observer', async () => {
  for (const id of ['0190d1a2-7b3c-7def-8123-456789abcdef', 'nobody']) {
    expect((await sender.get(`/counterparties/${id}`)).status).toBe(404);
    expect((await sender.patch(`/counterparties/${id}`, { policy: 'BLOCK' })).status).toBe(404);
  }
  const observer = await sender.as('OBSERVER');
  expect((await observer.get(`/counterparties/${receiverId}`)).status).toBe(200);
  expect((await observer.patch(`/counterparties/${receiverId}`, { policy: 'BLOCK' })).status).toBe(403);
  const officer = await sender.as('COMPLIANCE');
  expect((await officer.patch(`/counterparties/${receiverId}`, { policy: 'ALLOW' })).status).toBe(200);
});
