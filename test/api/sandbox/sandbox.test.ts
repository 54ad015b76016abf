import { randomBytes } from 'node:crypto';
import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import { markUnreachable } from '../../../domain/transactions/lifecycle/routing-outcomes.ts';
import { planOf } from '../../../domain/transactions/lifecycle/next-step.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { sandboxEndpoints } from '../../../api/sandbox/sandbox-endpoints.ts';
import { ensureTestVasps } from '../../../db/tenants/ensure-test-vasps.ts';
import type { Json, TestApi } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  readTransaction,
  createBody,
  evmAddress,
  evmHash,
  fullBody,
  fullParty,
  registerWallet,
  rowCounts,
  deliverUnscreened,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

const prices = { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } };
const { api, database } = useApi({ prices });

describe('POST /sandbox/transactions/{id}/fire-timer', () => {
  const alpine = useTenant(api);
  const harbour = useTenant(api);

  const pathOf = (id: string) => `/sandbox/transactions/${id}/fire-timer`;
  const fire = async (id: string, by: Pick<TestTenant, 'post'> = alpine) =>
    await by.post<Transaction & { code: string }>(pathOf(id));
  const eventsOf = async (id: string) => (await alpine.get<EventView[]>(`/transactions/${id}/events`)).body;

  /** Gives a transaction these facts, as SQL assignments. */
  async function setFacts(id: string, facts: string): Promise<void> {
    await database.pool.query(`update transactions set ${facts} where id = $1`, [id]);
  }

  describe('202: its time is over, its log says by whom, and its workflow is told', () => {
    test.each([
      ['a message that was delivered', `status = 'DELIVERED'`, 'AWAITING_COUNTERPARTY', 'ANSWER'],
      ['a message that waits for a route', `routing_fault = 'VASP_NOT_FOUND'`, 'VASP_NOT_FOUND', 'ANSWER'],
      [
        'a message that is tried again',
        `routing_fault = 'VASP_NOT_REACHABLE'`,
        'VASP_NOT_REACHABLE',
        'DELIVERY',
      ],
    ])('%s', async (_what, facts, subStatus, deadline) => {
      const sent = await createTransaction(alpine);
      await setFacts(sent.id, facts);
      const { status } = await readTransaction(alpine, sent.id);
      api.outbox.length = 0;
      const answer = await fire(sent.id);
      expect(answer).toMatchObject({ status: 202, body: { id: sent.id, status, subStatus, version: 2 } });
      expect(Date.parse(answer.body.clearance.deadlineAt ?? '')).toBeLessThan(Date.now());
      expect(await readTransaction(alpine, sent.id)).toEqual(answer.body);
      expect((await eventsOf(sent.id))[0]).toMatchObject({
        type: 'TIMER_FIRED',
        actor: 'API_KEY',
        apiKeyId: alpine.apiKeyId,
        data: { deadline },
      });
      expect(api.outbox.map(({ workflow, subjectId }) => [workflow, subjectId])).toEqual([
        ['transactionLifecycle', sent.id],
      ]);
    });

    test('ten times at once end one deadline once', async () => {
      const { id } = await createTransaction(alpine);
      const answers = await Promise.all(Array.from({ length: 10 }, async () => await fire(id)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['TIMER_FIRED', 'CREATED']);
    });

    test('a delivery that was under way, with an older clock, does not bring the time back', async () => {
      const { id } = await createTransaction(alpine);
      const begun = new Date();
      await fire(id);
      const delivery = { tenantId: alpine.id, id, receiverTenantId: harbour.id, now: begun };
      expect(await deliverUnscreened(api.db, delivery)).toBeNull();
      const record = await getTransaction(api.db, alpine.id, id);
      await changeTransaction(api.db, { ...delivery, decide: (own) => markUnreachable(own, begun) });
      const after = await getTransaction(api.db, alpine.id, id);
      expect(after.deadlineAt).toEqual(record.deadlineAt);
      expect(planOf(after, new Date())).toMatchObject({ step: 'EXPIRE' });
    });
  });

  describe('409: no deadline runs', () => {
    test('for what was received, which waits for its own tenant', async () => {
      const { incomingId } = await createMessagePair(api, alpine, harbour);
      expect(await fire(incomingId, harbour)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    });

    test('for what is decided', async () => {
      const { id } = await createTransaction(alpine);
      await alpine.patch(`/transactions/${id}`, { status: 'CANCELLED' });
      expect(await fire(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    });

    test.each([
      ['FAILED', 'EXPIRED', `status = 'FAILED', expired_at = now()`],
      ['FAILED', 'VASP_NOT_REACHABLE', `status = 'FAILED', routing_fault = 'VASP_NOT_REACHABLE'`],
      ['DELIVERED', 'EXPIRED', `status = 'DELIVERED', expired_at = now()`],
      ['PENDING', 'OWNERSHIP_UNCONFIRMED', `awaits_proof = true, destination_type = 'NON_CUSTODIAL'`],
    ])('for what is %s/%s', async (status, subStatus, facts) => {
      const { id } = await createTransaction(alpine);
      await setFacts(id, facts);
      expect(await readTransaction(alpine, id)).toMatchObject({ status, subStatus });
      await database.pool.query('update transactions set deadline_at = null, wake_at = null where id = $1', [
        id,
      ]);
      expect(await fire(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect(await eventsOf(id)).toHaveLength(1);
    });
  });

  test('401, 403, 404, 400: without key, by an observer, unknown, deleted or foreign, with a body that means something', async () => {
    const { id } = await createTransaction(alpine);
    expect((await api.request('POST', pathOf(id))).status).toBe(401);
    expect((await fire(id, await alpine.as('OBSERVER'))).status).toBe(403);
    expect((await fire(id, harbour)).status).toBe(404);
    expect((await fire('01a1fdeb-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await alpine.post(pathOf(id), { when: 'now' })).status).toBe(400);
    expect(await eventsOf(id)).toHaveLength(1);
    expect((await fire(id, await alpine.as('COMPLIANCE'))).status).toBe(202);
    await alpine.delete(`/transactions/${id}`);
    expect((await fire(id)).status).toBe(404);
  });
});

describe('POST /sandbox/incoming', () => {
  const PATH = '/sandbox/incoming';

  const harbour = useTenant(api, { webhookUrl: WEBHOOK_URL });
  beforeAll(async () => {
    expect(await ensureTestVasps(api.db, new Date())).toEqual([]);
  });

  const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
  const receive = async (body: unknown, headers: Record<string, string> = {}) =>
    await harbour.post<Transaction & Json>(PATH, body, { headers });
  const newKey = () => ({ 'Idempotency-Key': randomBytes(12).toString('hex') });
  const counterpartOf = async (id: string) => {
    const { rows } = await database.pool.query<Json>(
      `select t.name, o.* from message_pairs e join transactions o on o.id = e.outgoing_id join tenants t on t.id = o.tenant_id
       where e.incoming_id = $1`,
      [id],
    );
    return rows[0] ?? {};
  };

  describe('201', () => {
    test('the answer is the INCOMING record, sealed because the destination is not registered', async () => {
      const answer = await receive(createBody(PARTIES));
      expect(answer).toMatchObject({
        status: 201,
        body: {
          direction: 'INCOMING',
          status: 'DELIVERED',
          subStatus: 'OWNERSHIP_UNCONFIRMED',
          amountDecimal: '1.5',
          amountEur: 5400,
          originator: null,
          beneficiary: null,
          travelRuleMessageSource: 'NATIVE',
          vaspInfo: { originatorVaspName: 'Silent Test VASP', beneficiaryVaspName: harbour.name },
          blockchainInfo: { isDestinationConfirmed: false, destinationWalletId: expect.any(Number) },
        },
      });
      expect(await readTransaction(harbour, answer.body.id)).toEqual(answer.body);
    });

    test("a counterparty's hash is taken in any form", async () => {
      const body = createBody({
        ...PARTIES,
        blockchainInfo: { blockchain: 'Ethereum', transactionHash: '0xzz' },
      });
      expect(await receive(body)).toMatchObject({
        status: 201,
        body: { blockchainInfo: { transactionHash: '0xzz' }, warnings: [] },
      });
    });

    test('a registered destination shows everything; without a verdict it is not announced yet, and its workflow screens it', async () => {
      const body = { ...fullBody(), direction: 'INCOMING' };
      await registerWallet(harbour, body.blockchainInfo.destination);
      const told = api.outbox.length;
      const { reference, metadata, internalNote, ...sent } = body;
      const answer = await receive(body);
      expect(answer.status).toBe(201);
      expect([reference, metadata, internalNote].includes(answer.body.reference ?? '')).toBe(false);
      expect(answer.body).toMatchObject({
        subStatus: 'SCREENING',
        reference: null,
        metadata: null,
        internalNote: null,
        originator: fullParty('Anna Keller'),
        beneficiary: fullParty('Jonas Brandt'),
        blockchainInfo: { ...sent.blockchainInfo, isDestinationConfirmed: true },
        vaspInfo: sent.vaspInfo,
      });
      expect(answer.body.additionalOriginators).toHaveLength(5);
      expect(api.outbox.slice(told).map(({ workflow, tenantId }) => [workflow, tenantId])).toEqual([
        ['transactionLifecycle', harbour.id],
      ]);
      expect(await storedWebhooks(api, harbour, answer.body.id)).toEqual([]);
    });

    test.each([
      ['Confirming Test VASP', 'Confirming Test VASP'],
      ['  declining   test VASP ', 'Declining Test VASP'],
    ])('%j sends it where it is named', async (originatorVaspName, name) => {
      const vaspInfo = { originatorVaspName, originatorVaspEmail: 'desk@test.example' };
      const { body } = await receive(createBody({ vaspInfo }));
      expect(body.vaspInfo).toMatchObject({ ...vaspInfo, originatorVaspName: name });
      expect(await counterpartOf(body.id)).toMatchObject({
        name,
        status: 'DELIVERED',
        message_source: 'NATIVE',
      });
    });

    test('it arrives with its verdict in one webhook, and the decision on it reaches the test VASP', async () => {
      await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
      let told = 0;
      const receiveRegistered = async () => {
        const body = createBody(PARTIES);
        await registerWallet(harbour, body.blockchainInfo.destination);
        told = api.outbox.length;
        return (await receive(body)).body;
      };
      // On a busy machine a verdict may come too late, while the list is being loaded.
      const arrived = await eventually(receiveRegistered, ({ subStatus }) => subStatus !== 'SCREENING');
      const { id } = arrived;
      expect(arrived).toMatchObject({ status: 'DELIVERED', subStatus: 'ON_HOLD', version: 1 });
      expect(await storedWebhooks(api, harbour, id)).toEqual([arrived]);
      expect(api.outbox.slice(told).map(({ workflow }) => workflow)).toEqual(['webhookDelivery']);
      expect((await harbour.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status).toBe(200);
      expect(await counterpartOf(id)).toMatchObject({ status: 'CONFIRMED', deadline_at: null });
      const events = await harbour.get<EventView[]>(`/transactions/${id}/events`);
      expect(events.body.map(({ type, actor }) => [type, actor])).toEqual([
        ['STATUS_CHANGED', 'API_KEY'],
        ['SCREENED', 'SYSTEM'],
        ['RECEIVED', 'COUNTERPARTY'],
      ]);
    });

    test('it completes the record that the caller made itself of the same transfer', async () => {
      const place = { blockchain: 'Ethereum', transactionHash: evmHash(), destination: evmAddress() };
      const vaspInfo = { originatorVaspName: 'Silent Test VASP' };
      const own = createBody({ direction: 'INCOMING', vaspInfo, blockchainInfo: place });
      const { id } = (await harbour.post<Transaction>('/transactions', own)).body;
      const answer = await receive(createBody({ ...PARTIES, blockchainInfo: place }));
      expect(answer).toMatchObject({ status: 201, body: { id, status: 'DELIVERED', ...PARTIES } });
    });

    test('what other callers send with the same reference is in nobody’s way', async () => {
      const other = await createTenant(api);
      const body = createBody({ reference: 'order-1' });
      expect((await receive(body)).status).toBe(201);
      expect((await other.post(PATH, body)).status).toBe(201);
    });
  });

  describe('an Idempotency-Key', () => {
    test('30 requests at once make one pair of records and get 30 equal answers', async () => {
      const before = await rowCounts(api);
      const [body, headers] = [createBody(PARTIES), newKey()];
      const answers = await Promise.all(Array.from({ length: 30 }, async () => await receive(body, headers)));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      const added = (table: string) => Number((after as Json)[table]) - Number((before as Json)[table]);
      const after = await rowCounts(api);
      expect(['transactions', 'message_pairs', 'webhook_deliveries', 'idempotency_keys'].map(added)).toEqual([
        2, 1, 1, 1,
      ]);
    });

    test('422: the same key with another body, which stores nothing', async () => {
      const headers = newKey();
      await receive(createBody(), headers);
      const before = await rowCounts(api);
      const answer = await receive(createBody(), headers);
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect(await rowCounts(api)).toEqual(before);
    });

    test('what breaks off in the middle leaves nothing, and the repeat makes both records', async () => {
      const [body, headers] = [createBody(), newKey()];
      const before = await rowCounts(api);
      await database.pool.query(`alter table message_pairs add constraint crash check (false) not valid`);
      expect((await receive(body, headers)).status).toBe(500);
      expect(await rowCounts(api)).toEqual(before);
      await database.pool.query(`alter table message_pairs drop constraint crash`);
      expect((await receive(body, headers)).status).toBe(201);
    });
  });

  describe('400', () => {
    test.each<[string, Json, string]>([
      ['the other direction', { direction: 'OUTGOING' }, '/direction'],
      [
        'an originator VASP that is no test VASP',
        { vaspInfo: { originatorVaspName: 'Alpine Exchange' } },
        '/vaspInfo/originatorVaspName',
      ],
      [
        'a destination that no message reaches',
        { blockchainInfo: { destination: evmAddress(), destinationType: 'NON_CUSTODIAL' } },
        '/blockchainInfo/destinationType',
      ],
      ['an unknown field', { sender: 'me' }, '/sender'],
      ['no amount', { amount: undefined }, '/amount'],
      [
        'an address that is none',
        { blockchainInfo: { destination: '0x1', destinationType: 'CUSTODIAL' } },
        '/blockchainInfo/destination',
      ],
    ])('%s', async (_what, overrides, pointer) => {
      const before = await rowCounts(api);
      const answer = await receive({ ...createBody(), ...overrides });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer }] },
      });
      expect(await rowCounts(api)).toEqual(before);
    });
  });

  test('401 and 403: without a key, and with one that may only read', async () => {
    expect((await api.request('POST', PATH, { body: createBody() })).status).toBe(401);
    expect((await (await harbour.as('OBSERVER')).post(PATH, createBody())).status).toBe(403);
    expect((await (await harbour.as('COMPLIANCE')).post(PATH, createBody())).status).toBe(201);
  });

  const { api: taken } = useApi();

  test('409: where a tenant of an operator has the name, it does not speak for the test VASP', async () => {
    await createTenant(taken, { name: 'silent test vasp' });
    expect(await ensureTestVasps(taken.db, new Date())).toEqual(['Silent Test VASP']);
    const caller = await createTenant(taken);
    expect(await caller.post(PATH, createBody())).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    const vaspInfo = { originatorVaspName: 'Confirming Test VASP' };
    expect((await caller.post(PATH, createBody({ vaspInfo }))).status).toBe(201);
  });
});

describe('production', () => {
  const { api: production } = useApi({ config: { ENVIRONMENT: 'production' } });

  const pathsOf = async ({ request }: TestApi) =>
    Object.keys((await request<{ paths: Json }>('GET', '/openapi.json')).body.paths).filter((path) =>
      path.startsWith('/sandbox'),
    );

  test('production serves and documents nothing of the sandbox', async () => {
    expect((await pathsOf(api)).sort()).toEqual(sandboxEndpoints.map(({ path }) => path).sort());
    expect(await pathsOf(production)).toEqual([]);
    const tenant = await createTenant(production);
    for (const { method, path } of sandboxEndpoints) {
      const target = path.replace('{id}', '0190d1a2-7b3c-7def-8123-456789abcdef');
      const answer = await production.request(method, target, { key: tenant.apiKey, body: createBody() });
      expect([path, answer.status, answer.body['detail']]).toEqual([
        path,
        404,
        'There is no such path; /docs lists them all.',
      ]);
    }
  });
});
