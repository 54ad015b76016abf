import { randomBytes } from 'node:crypto';
import { findOutgoingDelivery } from '../../db/webhooks/outgoing-delivery.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { readFeed } from '../factories/change-feed.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress, readTransaction } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { startReceiver, status, type Receiver } from '../workflows/webhook-system.ts';

/** One word that stands for every piece of personal data of a message to a wallet that its receiver does not know. */
const HIDDEN = `Quellario${randomBytes(4).toString('hex')}`;
const ANYWHERE = new RegExp(HIDDEN, 'i');
const party = {
  type: 'NATURAL',
  name: `${HIDDEN} Name`,
  firstName: HIDDEN,
  lastName: HIDDEN,
  aliases: [HIDDEN],
  accountNumber: HIDDEN,
  address: `${HIDDEN} street 1`,
  placeOfBirth: HIDDEN,
  customerIdentification: HIDDEN,
};

let system: TestSystem;
let hook: Receiver;
let alpine: TestTenant;
let harbour: TestTenant;
let sentId: string;
let id: string;
let walletId: number;

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  hook = await startReceiver(status(200));
  alpine = await createTenant(system);
  harbour = await createTenant(system, { webhookUrl: hook.url });
  const sent = await alpine.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { destination: evmAddress(), destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: harbour.name, beneficiaryVaspExtraInfo: HIDDEN },
    originator: party,
    beneficiary: party,
    additionalOriginators: [party],
  });
  sentId = sent.body.id;
  const arrived = await eventually(
    async () => (await harbour.get<Transaction[]>('/transactions')).body[0],
    (found) => found !== undefined,
  );
  id = arrived?.id ?? '';
  walletId = arrived?.blockchainInfo.destinationWalletId ?? 0;
});
afterAll(async () => {
  await system.stop();
  await hook.stop();
});

const bodies = () => hook.received.map(({ raw }) => raw.toString());
const webhooks = async (count: number) => await eventually(bodies, (got) => got.length >= count);
const search = async (q: string) => {
  const { body, headers } = await harbour.get<Json[]>(`/transactions?q=${encodeURIComponent(q)}`);
  return [body.length, headers.get('X-Total-Count')];
};

describe('while the wallet is not confirmed', () => {
  test('record and list show none of it', async () => {
    const record = await readTransaction(harbour, id);
    expect(record).toMatchObject({
      originator: null,
      beneficiary: null,
      additionalOriginators: [],
      completeness: null,
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      blockchainInfo: { isDestinationConfirmed: false },
    });
    const list = (await harbour.get<Json[]>('/transactions')).body;
    expect(JSON.stringify([record, list])).not.toMatch(ANYWHERE);
  });

  test.each([HIDDEN, HIDDEN.slice(0, 5), `${HIDDEN} name`])(
    'search by %s finds and counts none',
    async (q) => {
      expect(await search(q)).toEqual([0, '0']);
    },
  );

  test('no search word of it is stored, not even as a token', async () => {
    const { rows } = await system.db.pool.query<{ count: number }>(
      'select cardinality(search_tokens)::int as count from transactions where id = $1',
      [id],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('exports have none: event log, change feed, stored and sent webhooks', async () => {
    const log = await harbour.get<Json[]>(`/transactions/${id}/events`);
    const feed = await readFeed(harbour, holdsAll(id, log.body.length));
    const deliveries = await harbour.get<{ id: string }[]>('/tenant/me/webhook-deliveries');
    expect(log.body.length).toBeGreaterThan(0);
    expect(deliveries.body.length).toBeGreaterThan(0);
    const details = await Promise.all(
      deliveries.body.map(
        async (delivery) => (await harbour.get(`/tenant/me/webhook-deliveries/${delivery.id}`)).body,
      ),
    );
    const sent = await webhooks(1);
    expect(sent.join()).toContain(id);
    expect(JSON.stringify([log.body, feed, details, sent])).not.toMatch(ANYWHERE);
  });

  test('a decision that needs the data is refused without naming any, and what may be decided is named', async () => {
    const confirmation = await harbour.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
    expect(confirmation).toMatchObject({ status: 409, body: { allowed: ['DECLINED'] } });
    const change = await harbour.patch(`/transactions/${id}`, { originator: { name: 'Somebody' } });
    expect(change.status).toBe(409);
    expect(JSON.stringify([confirmation.body, change.body])).not.toMatch(ANYWHERE);
  });

  test('what comes later stays hidden as well: new data of the counterparty, in record, log and webhook', async () => {
    const before = hook.received.length;
    await alpine.patch(`/transactions/${sentId}`, { originator: { placeOfBirth: `${HIDDEN} again` } });
    const sent = await webhooks(before + 1);
    const { body } = await harbour.get<Json[]>(`/transactions/${id}/events`);
    expect(body[0]).toMatchObject({ type: 'DATA_UPDATED', data: { fields: ['parties'] } });
    expect(JSON.stringify([sent, body, await readTransaction(harbour, id)])).not.toMatch(ANYWHERE);
    expect(await search(HIDDEN)).toEqual([0, '0']);
  });

  // Screening, rules, reports and CSV exports are to read the record's view, which the first test covers.
  test('no log line and no history of a workflow has it: neither screening nor rules can have been given any', async () => {
    const texts: string[] = [];
    for await (const execution of system.client.workflow.list()) {
      const handle = system.client.workflow.getHandle(execution.workflowId, execution.runId);
      texts.push(readable({ raw: execution.raw, history: await handle.fetchHistory() }));
    }
    expect(texts.join()).toContain(sentId);
    expect(JSON.stringify([texts, system.log, system.workerLog])).not.toMatch(ANYWHERE);
  });
});

describe('once the wallet is confirmed', () => {
  test('record, search, count and a further webhook have it, and the log says when', async () => {
    const before = hook.received.length;
    const answer = await system.request('PATCH', '/wallets', { key: harbour.apiKey, body: [walletId] });
    expect(answer.status).toBe(200);
    expect((await readTransaction(harbour, id)).originator?.name).toBe(`${HIDDEN} Name`);
    expect(await search(HIDDEN)).toEqual([1, '1']);
    const [sent] = (await webhooks(before + 1)).slice(before);
    expect(JSON.parse(sent ?? '')).toMatchObject({ id, originator: { name: `${HIDDEN} Name` } });
    const log = (await harbour.get<Json[]>(`/transactions/${id}/events`)).body.map(({ type }) => type);
    expect(log.toReversed()).toEqual(['RECEIVED', 'DATA_UPDATED', 'RELEASED', 'SCREENED']);
  });

  test('a late snapshot that shows it is dropped once the record is deleted, as it would be if it were sealed', async () => {
    const { rows } = await system.db.pool.query<{ id: string; masked: boolean }>(
      'select id, masked from webhook_deliveries where resource_id = $1 order by resource_version',
      [id],
    );
    const superseded = async () =>
      await Promise.all(
        rows.map(async (row) => (await findOutgoingDelivery(system.db.pool, row.id))?.isSuperseded),
      );
    const masks = rows.map(({ masked }) => masked);
    expect(masks).toEqual([true, true, false]);
    expect(await superseded()).toEqual([false, false, false]);
    await system.db.pool.query('update transactions set sealed = true where id = $1', [id]);
    expect(await superseded()).toEqual([false, false, true]);
    await system.db.pool.query('update transactions set sealed = false where id = $1', [id]);
    await harbour.delete(`/transactions/${id}`);
    expect(await superseded()).toEqual([true, true, true]);
  });
});

test('a listed name in a sealed message changes nothing for its receiver, and holds it from its release on', async () => {
  const name = 'Barnabas Ravenscroft';
  const destination = evmAddress();
  const { body } = await alpine.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '2',
    blockchainInfo: { destination, blockchain: 'Ethereum', destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: harbour.name },
    originator: { name },
    beneficiary: { name: 'Jonas Brandt' },
  });
  const isHeld = (found: Transaction | undefined) => found?.clearance.reasons.includes('SANCTIONS') === true;
  await eventually(async () => await readTransaction(alpine, body.id), isHeld);
  const review = { decision: 'PROCEED', reason: 'a namesake' };
  expect((await alpine.post(`/transactions/${body.id}/review`, review)).status).toBe(200);
  const arrived = await eventually(
    async () => (await harbour.get<Transaction[]>(`/transactions?_destination=${destination}`)).body[0],
    (found) => found !== undefined,
  );
  const own = ['', '/screening', '/decisions', '/events'].map(
    (path) => `/transactions/${arrived?.id}${path}`,
  );
  const read = async () =>
    await Promise.all(
      [...own, '/transactions', '/sanctions/history', '/sanctions/history?q=Barnabas Ravenscroft'].map(
        async (path) => (await harbour.get(path)).body,
      ),
    );
  const sealed = await read();
  const log = await harbour.get<Json[]>(`/transactions/${arrived?.id}/events`);
  const feed = await readFeed(harbour, holdsAll(String(arrived?.id), log.body.length));
  expect(sealed.slice(0, 3)).toMatchObject([
    { clearance: { reasons: ['DELIVERED', 'OWNERSHIP_UNCONFIRMED'] } },
    { hold: null, screening: null, reviews: [] },
    [],
  ]);
  expect(log.body.map(({ type }) => type)).toEqual(['RECEIVED']);
  expect(JSON.stringify([sealed, feed])).not.toMatch(/ravenscroft/i);
  expect(sealed.slice(-2)).toEqual([[], []]);
  expect(hook.received.map(({ raw }) => raw.toString()).join()).not.toMatch(/ravenscroft/i);
  const ofArrived = () => bodies().filter((sent) => sent.includes(String(arrived?.id)));
  await eventually(ofArrived, (sent) => sent.length === 1);
  await harbour.post('/wallets', { address: destination, asset: '*', blockchain: 'Ethereum' });
  const [released, file] = await read();
  expect(released).toMatchObject({ clearance: { reasons: ['DELIVERED', 'ON_HOLD', 'SANCTIONS'] } });
  expect(JSON.stringify(file)).toMatch(/ravenscroft/i);
  const [, webhook] = await eventually(ofArrived, (sent) => sent.length === 2);
  expect(JSON.parse(webhook ?? '')).toMatchObject({ originator: { name }, subStatus: 'ON_HOLD' });
});

/** Whether the change feed has that many entries of a record. */
function holdsAll(id: string, count: number) {
  return (events: readonly { id: string }[]) => events.filter((event) => event.id === id).length >= count;
}

/** Payloads are bytes: shown as text, so that a word in them is found. */
function readable(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Uint8Array) return Buffer.from(member).toString();
    return typeof member === 'bigint' ? String(member) : member;
  });
}
