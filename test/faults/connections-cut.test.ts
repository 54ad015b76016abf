import { randomBytes } from 'node:crypto';
import { walletImportActivities } from '../../activities/wallet-imports/import-wallets.ts';
import { deliverClaim } from '../../db/lifecycle/deliver-claim.ts';
import { makeCode } from '../../db/portal/portal-codes.ts';
import { portalTokenOf } from '../../db/portal/portal-token.ts';
import { findOpenTransaction } from '../../db/transactions/find-transaction.ts';
import { INQUIRY_PATH, travelTokenIn } from '../../domain/travel-address/travel-url.ts';
import type { Json, TestAnswer } from '../api-client.ts';
import { payloadOf } from '../domain/ivms101/fixtures.ts';
import { eventually } from '../eventually.ts';
import { createClaim } from '../factories/claim.ts';
import { evmFile, form, FORM_TYPE } from '../factories/csv.ts';
import { formOf, png } from '../factories/evidence.ts';
import { lifecycleSteps } from '../factories/lifecycle-steps.ts';
import { createPartner, type TestPartner } from '../factories/partner.ts';
import { useFourEyes } from '../factories/people.ts';
import { allowMails, sendOutside } from '../factories/portal.ts';
import { releaseDeps } from '../factories/release-deps.ts';
import { listCsv, listSteps, subjects } from '../factories/sanctions-list.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../factories/tenant.ts';
import {
  createBody,
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  findOnList,
} from '../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, verificationBody } from '../factories/verification.ts';
import { cutConnections, type ConnectionCuts } from '../fakes/cut-connections.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { TestUser } from '../factories/user.ts';
import { useApi, useTenant } from '../use-api.ts';
import { chosenCuts, type Cut } from './stories.ts';

// Each request loses its database connection at one of its statements, before or after the server has done it: in the full
// run once at each.

const { api, database } = useApi({
  // A request is repeated until it is answered, from one address.
  config: { RATE_LIMIT_HOSTED: 0, RATE_LIMIT_TRP: 0 },
  deps: {
    startImport: async (subject) => await inActivity(async () => await walletSteps().importWallets(subject)),
    startListUpdate: async (update) => void (await listSteps(api.db).importList(update)),
    importLimitMs: 500,
    listImportLimitMs: 500,
  },
});
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });
const sender = useTenant(api, { webhookUrl: WEBHOOK_URL });
/** Its reviews are decided by two. */
const paired = useTenant(api);
let approver: TestUser;
let partner: TestPartner;
let cuts: ConnectionCuts;

beforeAll(async () => {
  await allowMails(api, tenant);
  partner = await createPartner(api);
  [approver] = await useFourEyes(api, paired, { review: true });
  cuts = cutConnections(api.db.pool, database.pool);
});

const walletSteps = () => walletImportActivities(releaseDeps(api));
const inActivity = async (work: () => Promise<void>): Promise<void> =>
  void (await new MockActivityEnvironment().run(work));

interface Act {
  /** Sends the request; the second time it is its repeat. */
  send: (headers: Record<string, string>) => Promise<TestAnswer<Json>>;
  /** What one request that ended well has stored; `answer` is that of the repeat. */
  stored: (answer: TestAnswer<Json>) => Promise<unknown>;
  expected: unknown;
}

/** Repeats that are refused again and again do not become better later; a busy machine answers late. */
const LIMIT_MS = 30_000;

const newKey = () => randomBytes(8).toString('hex');
const rowsOf = async (text: string, ...values: unknown[]) =>
  (await database.pool.query<Json>(text, values)).rows;
const countOf = async (table: string, column: string, value: unknown): Promise<number> =>
  (await rowsOf(`select 1 from ${table} where ${column} = $1`, value)).length;
const operator = async (path: string, body: unknown, headers: Record<string, string>) =>
  await api.request('POST', path, { operatorKey: api.operatorKey, body, headers });

/** A key whose first request nobody answers is free a minute later; here that minute is over. */
async function endLeases(): Promise<void> {
  await database.pool.query(
    `update idempotency_keys set leased_until = now() where leased_until is not null`,
  );
}

/** Repeats a request until it is answered, as a client does after 503. */
async function untilAnswered(send: () => Promise<TestAnswer<Json>>): Promise<TestAnswer<Json>> {
  return await eventually(
    async () => {
      await endLeases();
      return await send();
    },
    ({ status }) => status < 300,
    LIMIT_MS,
  );
}

function expectRefusal({ status, body, headers }: TestAnswer<Json>, at: string): void {
  expect({ at, status, code: body['code'], type: headers.get('content-type') }).toEqual({
    at,
    status: 503,
    code: 'temporarily_unavailable',
    type: 'application/problem+json',
  });
}

/** Where the request of an act can be cut, once all is in memory that it reads only the first time. */
async function cutsOf(newAct: () => Promise<Act>): Promise<Cut[]> {
  for (const { send } of [await newAct(), await newAct()]) {
    cuts.arm(0, 'BEFORE');
    expect((await send({ 'Idempotency-Key': newKey() })).status).toBeLessThan(300);
  }
  return chosenCuts(cuts.statements());
}

/** Returns whether the request had so many statements. */
async function cutOnce(act: Act, { nth, when }: Cut): Promise<boolean> {
  const headers = { 'Idempotency-Key': newKey() };
  cuts.arm(nth, when);
  const first = await act.send(headers);
  const at = cuts.disarm();
  if (at !== undefined && first.status >= 300) expectRefusal(first, `${nth}: ${at}`);
  const last = at === undefined ? first : await untilAnswered(async () => await act.send(headers));
  expect({ at, when, status: last.status < 300, stored: await act.stored(last) }).toEqual({
    at,
    when,
    status: true,
    stored: act.expected,
  });
  return at !== undefined;
}

const eventsOf = async (of: TestTenant, id: unknown, type: string) =>
  (await of.get<Json[]>(`/transactions/${String(id)}/events`)).body.filter((event) => event['type'] === type)
    .length;
const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };

/** The link in the mail of a message to a VASP on no network. */
async function mailedLink(): Promise<{ transactionId: string; linkId: string; token: string }> {
  const vaspInfo = {
    beneficiaryVaspName: `Nobody ${newKey()}`,
    beneficiaryVaspEmail: `in@${newKey()}.example`,
  };
  const transactionId = await sendOutside(tenant, vaspInfo);
  await lifecycleSteps(api)(tenant, { id: transactionId });
  const [link] = await rowsOf('select id from portal_links where transaction_id = $1', transactionId);
  const linkId = String(link?.['id']);
  const { key } = (await findOpenTransaction(api.db, tenant.id, transactionId))!;
  return { transactionId, linkId, token: portalTokenOf(linkId, key) };
}

const webhooksOf = async (id: unknown) => await countOf('webhook_deliveries', 'resource_id', id);

const ACTS: Record<string, () => Promise<Act>> = {
  async 'POST /transactions'() {
    const reference = `ref-${newKey()}`;
    const body = createBody({ reference });
    return {
      send: async (headers) => await tenant.post('/transactions', body, { headers }),
      stored: async ({ body: { id } }) => [
        await countOf('transactions', 'id', id),
        await countOf('events', 'subject_id', id),
        await countOf('outbox', 'subject_id', id),
        (await tenant.get<Json[]>(`/transactions?q=${reference}`)).body.length,
      ],
      expected: [1, 1, 1, 1],
    };
  },
  async 'PATCH /transactions/{id}'() {
    const { incomingId, outgoingId } = await createMessagePair(api, sender, tenant);
    const before = await webhooksOf(incomingId);
    return {
      send: async () => await tenant.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' }),
      stored: async () => [
        (await tenant.get(`/transactions/${incomingId}`)).body['status'],
        (await sender.get(`/transactions/${outgoingId}`)).body['status'],
        (await webhooksOf(incomingId)) - before,
      ],
      expected: ['CONFIRMED', 'CONFIRMED', 1],
    };
  },
  async 'POST /transactions/{id}/review'() {
    const { id } = await createTransaction(tenant);
    await findOnList(api.db, id);
    return {
      send: async (headers) =>
        await tenant.post(`/transactions/${id}/review`, { decision: 'BLOCK', reason: 'listed' }, { headers }),
      stored: async () => (await tenant.get(`/transactions/${id}`)).body['status'],
      expected: 'CANCELLED',
    };
  },
  async 'POST /wallet-verification'() {
    const body = verificationBody();
    return {
      send: async (headers) => await tenant.post('/wallet-verification', body, { headers }),
      stored: async ({ body: { id } }) => [
        (await tenant.get<Json[]>(`/wallet-verification?q=${String(body['address'])}`)).body.map(
          (made) => made['id'] === id,
        ),
        await countOf('events', 'subject_id', id),
      ],
      expected: [[true], 1],
    };
  },
  async 'POST /wallet-verification/{id}/verification: a signature'() {
    const wallet = evmWallet();
    const { id } = await createVerification(tenant, { address: wallet.address });
    const body = await signedFor(wallet, { id });
    return {
      send: async (headers) =>
        await tenant.post(`/wallet-verification/${id}/verification`, body, { headers }),
      stored: async () => [
        (await tenant.get(`/wallet-verification/${id}`)).body['status'],
        await webhooksOf(id),
      ],
      expected: ['VERIFIED', 1],
    };
  },
  async 'POST /wallet-verification/{id}/verification: a photo'() {
    const { id } = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });
    const content = png();
    return {
      send: async (headers) => {
        const answer = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
          method: 'POST',
          headers: { 'X-Api-Key': tenant.apiKey, ...headers },
          body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [
            { fileName: 'a.png', type: 'image/png', content },
          ]),
        });
        return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
      },
      stored: async () => [
        (await tenant.get(`/wallet-verification/${id}`)).body['status'],
        (await rowsOf(`select 1 from verification_files where verification_id = $1 and state = 'STORED'`, id))
          .length,
        await webhooksOf(id),
      ],
      expected: ['ACTION_REQUIRED', 1, 1],
    };
  },
  async 'POST /wallets'() {
    const { incomingId, destination } = await createMessagePair(api, sender, tenant, { registered: false });
    const body = { address: destination, asset: '*', blockchain: 'Ethereum' };
    return {
      send: async (headers) => await tenant.post('/wallets', body, { headers }),
      stored: async () => [
        (await rowsOf(`select 1 from wallets where address = $1 and asset = '*'`, destination)).length,
        await rowsOf(
          `select not t.sealed or r.wake_at is not null as going_on
           from transactions t left join wallet_releases r on r.id = t.release_id where t.id = $1`,
          incomingId,
        ),
      ],
      expected: [1, [{ going_on: true }]],
    };
  },
  async 'POST /wallets/upload-csv'() {
    const file = evmFile(3);
    const addresses = file.match(/0x[0-9a-f]{40}/g);
    return {
      send: async (headers) =>
        await tenant.post('/wallets/upload-csv', form([['file', file, 'a.csv']]), {
          headers: { ...FORM_TYPE, ...headers },
        }),
      stored: async () => (await rowsOf('select 1 from wallets where address = any($1)', addresses)).length,
      expected: 3,
    };
  },
  async 'POST /operator/labels'() {
    const [source, address] = [`s-${newKey()}`, evmAddress()];
    const file = `address,label,type,blockchain\n${address},Cold wallet,exchange,Ethereum\n`;
    const body = form([
      ['file', file, 'labels.csv'],
      ['source', source],
    ]);
    return {
      send: async (headers) => await operator('/operator/labels', body, { ...FORM_TYPE, ...headers }),
      stored: async () =>
        await rowsOf(
          `select i.is_active, count(*)::int as labels from label_imports i join labels l on l.import_id = i.id
           where i.source = $1 group by i.id`,
          source,
        ),
      expected: [{ is_active: true, labels: 1 }],
    };
  },
  async 'POST /operator/entities/import'() {
    const sourceId = newKey();
    const body = form([
      ['file', `name,type,sourceId\nExchange ${sourceId},exchange,${sourceId}\n`, 'entities.csv'],
    ]);
    return {
      send: async (headers) =>
        await operator('/operator/entities/import', body, { ...FORM_TYPE, ...headers }),
      stored: async () => [
        await countOf('entities', 'source_id', sourceId),
        await rowsOf(
          'select n.kind from entity_names n join entities e on e.id = n.entity_id where e.source_id = $1',
          sourceId,
        ),
      ],
      expected: [1, [{ kind: 'NAME' }]],
    };
  },
  async 'POST /operator/lists/{code}/versions'() {
    const code = `L_${newKey().toUpperCase()}`;
    const body = form([
      ['file', listCsv(subjects(3)), 'list.csv'],
      ['format', 'CSV'],
    ]);
    return {
      send: async (headers) =>
        await operator(`/operator/lists/${code}/versions`, body, { ...FORM_TYPE, ...headers }),
      stored: async () => [
        (await rowsOf(`select 1 from sanctions_entries where code = $1 and version_removed is null`, code))
          .length,
        await rowsOf(`select version from sanctions_versions where code = $1 and state = 'ACTIVE'`, code),
      ],
      expected: [3, [{ version: 1 }]],
    };
  },
  async 'PATCH /tenant/me'() {
    const own = await createTenant(api, { webhookUrl: WEBHOOK_URL });
    const webhookUrl = `https://hooks.example/${newKey()}`;
    return {
      send: async () => await own.patch('/tenant/me', { webhookUrl }),
      stored: async () => {
        const { body } = await own.get('/tenant/me');
        return [body['webhookUrl'], body['webhookSecret'] !== own.webhookSecret];
      },
      expected: [webhookUrl, true],
    };
  },
  async 'POST /tenant/me/webhook/rotate-secret'() {
    const own = await createTenant(api, { webhookUrl: WEBHOOK_URL });
    return {
      send: async (headers) => await own.post('/tenant/me/webhook/rotate-secret', undefined, { headers }),
      stored: async () => (await own.get('/tenant/me')).body['webhookSecret'] !== own.webhookSecret,
      expected: true,
    };
  },
  async 'POST /operator/tenants'() {
    const name = `Tenant ${newKey()}`;
    return {
      send: async (headers) => await operator('/operator/tenants', { name }, headers),
      stored: async () => await countOf('tenants', 'name', name),
      expected: 1,
    };
  },
  async 'DELETE /transactions/{id}'() {
    const { id } = await createTransaction(tenant);
    return {
      send: async () => {
        const answer = await tenant.delete(`/transactions/${id}`);
        // Whoever repeats a deletion may be told that it has been done.
        return answer.status === 404 ? { ...answer, status: 204 } : answer;
      },
      stored: async () => (await tenant.get(`/transactions/${id}`)).status,
      expected: 404,
    };
  },
  async 'POST /claims/{id}/answer'() {
    const claim = await createClaim(tenant, { vaspInfo: { originatorVaspName: sender.name } });
    const delivery = { tenantId: tenant.id, id: claim.id, askedTenantId: sender.id, now: new Date() };
    const { incomingId } = (await deliverClaim(api.db, delivery))!;
    return {
      send: async (headers) =>
        await sender.post(`/claims/${incomingId}/answer`, { amount: '1', ...PARTIES }, { headers }),
      stored: async ({ body }) => {
        const { body: found } = await sender.get<Json[]>(
          `/transactions?_transactionHash=${claim.blockchainInfo.transactionHash}`,
        );
        return found.map(({ id }) => id === body['transactionId']);
      },
      expected: [true],
    };
  },
  async 'POST /partners/me/transactions'() {
    await Promise.resolve();
    const transactionHash = evmHash();
    const destination = { destination: evmAddress(), destinationType: 'CUSTODIAL' };
    const blockchainInfo = { blockchain: 'Ethereum', ...destination, transactionHash };
    const vaspInfo = { beneficiaryVaspName: tenant.name };
    const body = { asset: 'ETH', amount: '0.5', blockchainInfo, vaspInfo, ...PARTIES };
    return {
      send: async (headers) =>
        await api.request('POST', '/partners/me/transactions', {
          headers: { 'X-Partner-Api-Key': partner.apiKey.apiKey, ...headers },
          body,
        }),
      stored: async ({ body: { id } }) => [
        await countOf('transactions', 'id', id),
        await countOf('transactions', 'hash_normal', transactionHash.slice(2)),
        (await tenant.get<Json[]>(`/transactions?_transactionHash=${transactionHash}`)).body.length,
      ],
      // That of the partner and that of the tenant.
      expected: [1, 2, 1],
    };
  },
  async 'POST /portal/session'() {
    const { transactionId, linkId, token } = await mailedLink();
    return {
      // A code counts once: whoever got no answer asks for another.
      send: async () => {
        const code = await makeCode(api.db, database.pool, linkId, new Date());
        return await api.request('POST', '/portal/session', {
          headers: { 'X-Portal-Token': token },
          body: { code },
        });
      },
      stored: async ({ body: { session } }) => {
        const headers = { 'X-Portal-Token': token, 'X-Portal-Session': String(session) };
        return [
          (await api.request('GET', '/portal/message', { headers })).status,
          (await tenant.get(`/transactions/${transactionId}`)).body['status'],
          await eventsOf(tenant, transactionId, 'DELIVERED'),
          await rowsOf(
            `select 1 as one from message_pairs where outgoing_id = $1 and incoming_id is not null`,
            transactionId,
          ),
        ];
      },
      expected: [200, 'DELIVERED', 1, [{ one: 1 }]],
    };
  },
  async 'POST /trp/inquiries/{token}'() {
    const [address, identifier] = [evmAddress(), newKey()];
    const wallet = { address, asset: 'ETH', blockchain: 'Ethereum' };
    const { id } = (await tenant.post('/wallets', wallet)).body;
    const { travelAddress } = (await tenant.get(`/wallets/${String(id)}/travel-address`)).body;
    const body = {
      asset: { slip0044: 60 },
      amount: 1.5,
      callback: `https://alpine.example/${identifier}`,
      IVMS101: payloadOf('21-analytics-2020.json'),
    };
    const path = `${INQUIRY_PATH}${travelTokenIn(String(travelAddress))}?t=i`;
    const headers = { 'api-version': '3.2.1', 'request-identifier': identifier };
    return {
      send: async () => await api.request('POST', path, { body, headers }),
      stored: async () => [
        await countOf('trp_transfers', 'request_identifier', identifier),
        (await tenant.get<Json[]>(`/transactions?_direction=INCOMING&_destination=${address}`)).body.length,
      ],
      expected: [1, 1],
    };
  },
  async 'POST /transactions/{id}/repair'() {
    const { incomingId, outgoingId } = await createMessagePair(api, sender, tenant);
    const before = await webhooksOf(outgoingId);
    const body = { fields: ['originator.dateOfBirth'], reason: 'Which of the two?' };
    return {
      send: async (headers) => await tenant.post(`/transactions/${incomingId}/repair`, body, { headers }),
      stored: async () => [
        (await tenant.get(`/transactions/${incomingId}`)).body['requestedFields'],
        (await sender.get(`/transactions/${outgoingId}`)).body['requestedFields'],
        await eventsOf(tenant, incomingId, 'REPAIR_REQUESTED'),
        (await webhooksOf(outgoingId)) - before,
      ],
      expected: [body.fields, body.fields, 1, 1],
    };
  },
  async 'POST /proposals/{id}/approve'() {
    const { id } = await createTransaction(paired);
    await findOnList(api.db, id);
    const { body } = await paired.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'seen' });
    const proposalId = String((body['proposal'] as Json)['id']);
    return {
      send: async (headers) =>
        await approver.post(`/proposals/${proposalId}/approve`, undefined, { headers }),
      stored: async () => [
        await rowsOf('select status from proposals where id = $1', proposalId),
        await eventsOf(paired, id, 'REVIEWED'),
      ],
      expected: [[{ status: 'CARRIED_OUT' }], 1],
    };
  },
};

test.each(Object.entries(ACTS))('%s', async (_name, newAct) => {
  const chosen = await cutsOf(newAct);
  expect(chosen.length).toBeGreaterThan(0);
  let done = 0;
  for (const cut of chosen) if (await cutOnce(await newAct(), cut)) done += 1;
  // Now and then a request has a statement less than the one before.
  expect(done).toBeGreaterThan(chosen.length / 2);
});

test('the pool has all its connections, and nobody waits for one', async () => {
  expect((await api.request('GET', '/health/live')).status).toBe(200);
  const { max } = api.db.pool.options;
  const answers = await Promise.all(
    Array.from({ length: 2 * max }, async () => await tenant.get('/transactions')),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect([api.db.pool.waitingCount, api.db.pool.idleCount]).toEqual([0, api.db.pool.totalCount]);
});
