import { randomBytes } from 'node:crypto';
import type { ReviewFile } from '../../domain/transactions/deciding/screening.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { readFeed } from '../factories/change-feed.ts';
import { askedClaim, createClaim, readClaim } from '../factories/claim.ts';
import { importLabel } from '../factories/labels.ts';
import { useFourEyes } from '../factories/people.ts';
import { configurations, draft, rule } from '../factories/rules.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress } from '../factories/transaction.ts';
import type { TestUser } from '../factories/user.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { startReceiver, status, type Receiver } from '../workflows/webhook-system.ts';

/** One word that stands for every piece of personal data and free text; it must show up nowhere in clear. */
const CANARY = `Zanarrio${randomBytes(4).toString('hex')}`;

const mark = randomBytes(4).toString('hex');
/** What each side writes for its own eyes: reasons, notes, comments, names of rules. */
const SENDERS_OWN = `Sendersown${mark}`;
const RECEIVERS_OWN = `Receiversown${mark}`;
/** A name that is on no list, and the one on a list that it is taken for. */
const HELD_NAME = 'Barnabas Ravenscrofft';
const LISTED_NAME = /ravenscroft/i;
/** Who a wallet is said to be of, in a label that is public to the deployment. */
const LABELLED = `Labelled${mark}`;
const SECRETS = [CANARY, SENDERS_OWN, RECEIVERS_OWN, 'Ravenscrofft'];

const party = {
  type: 'NATURAL',
  name: `${CANARY} Name`,
  firstName: CANARY,
  lastName: CANARY,
  aliases: [CANARY],
  accountNumber: CANARY,
  address: `${CANARY} street 1`,
  addressDetails: { street: CANARY, town: CANARY },
  nationalIdentificator: CANARY,
  customerIdentification: CANARY,
  placeOfBirth: CANARY,
};

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;
let sent: Transaction;
let hooks: Receiver[];
let sender: TestTenant;
let receiver: TestTenant;
/** Who decides for the sender. */
const people: TestUser[] = [];
const screened = { held: '', arrived: '', blocked: '' };
/** What the requests of the second life were answered, refusals apart. */
const told: Json[] = [];
const refused: Json[] = [];

beforeAll(async () => {
  system = await startTestSystem({ keepsLists: true, config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  // A port where nobody listens: failures of deliveries are part of what is searched.
  const webhookUrl = 'http://127.0.0.1:9/webhooks';
  alpine = await createTenant(system, { webhookUrl });
  harbour = await createTenant(system, { webhookUrl });
  hooks = [await startReceiver(status(200)), await startReceiver(status(200))];
  [sender, receiver] = [
    await createTenant(system, { webhookUrl: hooks[0]?.url }),
    await createTenant(system, { webhookUrl: hooks[1]?.url }),
  ];
  await Promise.all([play(), playScreened(), playClaims()]);
});
afterAll(async () => {
  await system.stop();
  await Promise.all(hooks.map(async (hook) => await hook.stop()));
});

/** A whole life with the canary in every field, and requests that are refused for carrying it in the wrong place. */
async function play(): Promise<void> {
  const body = {
    asset: 'ETH',
    amount: '1.5',
    metadata: `${CANARY} metadata`,
    internalNote: CANARY,
    blockchainInfo: { destination: `0x${randomBytes(20).toString('hex')}`, destinationType: 'CUSTODIAL' },
    vaspInfo: {
      beneficiaryVaspName: harbour.name,
      beneficiaryVaspExtraInfo: CANARY,
      beneficiaryVaspEmail: `${CANARY}@x.example`,
    },
    originator: party,
    beneficiary: party,
    additionalOriginators: [party],
  };
  const answer = await alpine.post<Transaction>('/transactions', body, {
    headers: { 'Idempotency-Key': 'canary-1' },
  });
  expect(answer.status).toBe(201);
  sent = answer.body;
  await alpine.post('/transactions', {
    ...body,
    amount: CANARY,
    originator: { ...party, country: CANARY, [CANARY]: 1 },
  });
  await alpine.get(`/transactions?q=${CANARY}&_sort=${CANARY}`);
  await alpine.get(`/transactions?q=${CANARY}`);
  const incoming = await eventually(
    async () => (await harbour.get<Transaction[]>('/transactions')).body[0],
    (found) => found !== undefined,
  );
  await alpine.patch(`/transactions/${sent.id}`, { originator: { name: `${CANARY} Second` } });
  await harbour.post('/wallets', {
    address: sent.blockchainInfo.destination,
    asset: 'ETH',
    blockchain: 'Ethereum',
    metadata: CANARY,
  });
  await harbour.patch(`/transactions/${incoming?.id}`, {
    status: 'DECLINED',
    statusReasoning: `${CANARY} reason`,
  });
  await eventually(
    async () => (await alpine.get<Transaction>(`/transactions/${sent.id}`)).body.status,
    (status) => status === 'DECLINED',
  );
  await system.client.workflow.getHandle(workflowId('transactionLifecycle', sent.id)).result();
}

/** Claims with the canary in every text: one that reaches nobody, one that is refused and one that is answered. */
async function playClaims(): Promise<void> {
  const named = { beneficiary: { name: `${CANARY} Customer` } };
  const { id: lost } = await createClaim(receiver, {
    ...named,
    vaspInfo: { originatorVaspName: `${CANARY} Bank` },
  });
  await eventually(
    async () => await readClaim(receiver, lost),
    ({ status: reached }) => reached === 'FAILED',
  );
  const asking = { ...named, vaspInfo: { originatorVaspName: sender.name } };
  const asked = async () => {
    const claim = await createClaim(receiver, asking);
    const found = await eventually(
      async () => await askedClaim(sender, claim),
      (reached) => reached !== undefined,
    );
    return { claim, id: found?.id };
  };
  const refusal = { status: 'DECLINED', statusReasoning: `${CANARY} reason` };
  expect((await sender.patch(`/claims/${(await asked()).id}`, refusal)).status).toBe(200);
  const { claim, id } = await asked();
  const answer = { originator: party, beneficiary: party, additionalOriginators: [party] };
  expect((await sender.post(`/claims/${id}/answer`, answer)).status).toBe(200);
  await eventually(
    async () => await readClaim(receiver, claim.id),
    ({ status: reached }) => reached === 'ANSWERED',
  );
}

/** Asks for something that has to be granted. */
async function ask(tenant: TestTenant, method: 'get' | 'post' | 'patch' | 'put', path: string, body?: Json) {
  const answer = method === 'get' ? await tenant.get(path) : await tenant[method](path, body);
  expect(`${path} ${answer.status}`).toMatch(/ 20[01]$/);
  told.push(answer.body);
  return answer.body;
}

/** Asks for something that is refused as faulty. */
async function askInVain(tenant: TestTenant, method: 'post' | 'patch', path: string, body: Json) {
  const answer = await tenant[method](path, body);
  expect(`${path} ${answer.status}`).toMatch(/ 4\d\d$/);
  refused.push(answer.body);
}

const becomes = async (tenant: TestTenant, id: string, fits: (now: Transaction) => boolean) =>
  await eventually(async () => (await tenant.get<Transaction>(`/transactions/${id}`)).body, fits);

/** One transfer that a name on a list holds on both sides, one that a rule blocks, and all that is written about them. */
async function playScreened(): Promise<void> {
  const destination = evmAddress();
  await importLabel(system.db.pool, destination, LABELLED);
  await ask(receiver, 'post', '/wallets', { address: destination, asset: '*', blockchain: 'Ethereum' });
  await ask(sender, 'put', '/tenant/me/service-keys', { feature: 'aml_check', provider: 'builtin' });
  await ask(sender, 'get', `/aml/analysis/Ethereum/wallet/${destination}`);
  await ask(sender, 'get', `/kyw/Ethereum/${destination}`);
  const entity = await ask(sender, 'get', `/entities/lookup?name=${receiver.name}`);
  const counterparty = `/counterparties/${String(entity['id'])}`;
  await ask(sender, 'patch', counterparty, { note: SENDERS_OWN });
  await askInVain(sender, 'patch', counterparty, { policy: SENDERS_OWN });
  await publishBlock();
  await ask(sender, 'post', '/sanctions/search', { type: 'NATURAL', name: HELD_NAME });
  people.push(...(await useFourEyes(system, sender, { review: true })));
  screened.held = await sendScreened(destination, '1');
  screened.blocked = await sendScreened(destination, '7');
  await becomes(sender, screened.blocked, ({ status: now }) => now === 'CANCELLED');
  await becomes(sender, screened.held, ({ clearance }) => clearance.reasons.includes('SANCTIONS'));
  await suppress(await ask(sender, 'get', `/transactions/${screened.held}/screening`));
  await reviewHeld();
}

async function publishBlock(): Promise<void> {
  const { id } = (await configurations(sender)).OUTGOING;
  const words = { name: SENDERS_OWN, reason: SENDERS_OWN };
  const seven = { field: 'amount', operator: 'EQ', value: '7' };
  const rules = [rule({ ...words, conditions: seven, decision: 'BLOCK' })];
  await draft(sender, id, rules, { defaultDecision: 'PROCEED' });
  await ask(sender, 'post', `/rule-engine/${id}/publish`, { comment: SENDERS_OWN });
  const faulty = [rule({ ...words, conditions: { ...seven, value: SENDERS_OWN } })];
  await askInVain(sender, 'patch', `/rule-engine/${id}/draft`, { rules: faulty, revision: 2 });
}

async function sendScreened(destination: string, amount: string): Promise<string> {
  const { id } = await ask(sender, 'post', '/transactions', {
    asset: 'ETH',
    amount,
    internalNote: SENDERS_OWN,
    blockchainInfo: { destination, blockchain: 'Ethereum', destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: receiver.name },
    originator: party,
    beneficiary: { ...party, name: HELD_NAME },
  });
  return String(id);
}

async function suppress(file: Json): Promise<void> {
  const { screening } = file as unknown as ReviewFile;
  const { id } = screening?.sanctions.subjects.find(({ role }) => role === 'beneficiary')?.screening ?? {};
  const body = { screeningId: id, listCode: 'OFAC_SDN', listingId: '1', note: SENDERS_OWN };
  await ask(sender, 'post', '/sanctions/suppressions', body);
  await askInVain(sender, 'post', '/sanctions/suppressions', { ...body, listingId: HELD_NAME });
}

/** Two let it go out, and the other side, which is held up as well, ends it. */
async function reviewHeld(): Promise<void> {
  const { held } = screened;
  const second = { ...sender, ...people[1] };
  const letPass = { decision: 'PROCEED', reason: SENDERS_OWN };
  await ask(sender, 'post', `/transactions/${held}/review`, letPass);
  await askInVain(sender, 'post', `/transactions/${held}/review`, letPass);
  await ask(second, 'post', `/transactions/${held}/review`, letPass);
  const arrived = await eventually(
    async () => (await receiver.get<Transaction[]>('/transactions')).body[0],
    (found) => found?.clearance.reasons.includes('SANCTIONS') === true,
  );
  screened.arrived = arrived?.id ?? '';
  await ask(receiver, 'patch', `/transactions/${screened.arrived}`, { internalNote: RECEIVERS_OWN });
  const review = { decision: 'BLOCK', reason: RECEIVERS_OWN };
  await ask(receiver, 'post', `/transactions/${screened.arrived}/review`, review);
  await becomes(sender, held, ({ status: now }) => now === 'DECLINED');
  for (const id of [held, screened.blocked]) {
    await system.client.workflow.getHandle(workflowId('transactionLifecycle', id)).result();
  }
}

const CANARY_ANYWHERE = new RegExp([...SECRETS, LISTED_NAME.source, LABELLED].join('|'), 'i');

test('the canary is really stored: its tenant reads it back', async () => {
  const { body } = await alpine.get<Transaction>(`/transactions/${sent.id}`);
  expect(body.originator?.name).toBe(`${CANARY} Second`);
  expect((await alpine.get<Transaction[]>(`/transactions?q=${CANARY}`)).body).toHaveLength(1);
});

test('what was found and written about a transfer is really stored: whose it is reads it back', async () => {
  const read = async (tenant: TestTenant, path: string) => JSON.stringify((await tenant.get(path)).body);
  const { held, blocked, arrived } = screened;
  for (const path of [`/transactions/${held}/screening`, '/sanctions/suppressions']) {
    expect(await read(sender, path)).toMatch(LISTED_NAME);
  }
  for (const path of ['/sanctions/suppressions', '/rule-engine', `/transactions/${blocked}/decisions`]) {
    expect(await read(sender, path)).toContain(SENDERS_OWN);
  }
  expect(JSON.stringify(told)).toContain(LABELLED);
  expect(await read(receiver, `/transactions/${arrived}`)).toContain(RECEIVERS_OWN);
});

test('refusals do not repeat what was sent', () => {
  expect(refused).toHaveLength(4);
  expect(JSON.stringify(refused)).not.toMatch(CANARY_ANYWHERE);
});

test('the other side learns nothing of it: neither by record, log and feed nor by webhook', async () => {
  const sides = [
    [sender, hooks[0], screened.held, new RegExp(RECEIVERS_OWN, 'i')],
    [
      receiver,
      hooks[1],
      screened.arrived,
      new RegExp(`${SENDERS_OWN}|${LABELLED}|SANCTIONS_|BLOCKED_BY_RULE`, 'i'),
    ],
  ] as const;
  for (const [tenant, hook, id, foreign] of sides) {
    const webhooks = await eventually(
      () => hook?.received.map(({ raw }) => raw.toString()) ?? [],
      (bodies) => bodies.some((body) => body.includes(id) && body.includes('DECLINED')),
    );
    const own = ['', '/events', '/screening'].map((path) => `/transactions/${id}${path}`);
    const answers = await Promise.all(
      [...own, '/transactions'].map(async (path) => (await tenant.get(path)).body),
    );
    const log = await tenant.get<Json[]>(`/transactions/${id}/events`);
    const feed = await readFeed(
      tenant,
      (events) => events.filter((event) => event.id === id).length >= log.body.length,
    );
    expect(JSON.stringify(answers)).toContain(id);
    expect(JSON.stringify([webhooks, answers, feed])).not.toMatch(foreign);
  }
});

test('no log line of api or worker has it', () => {
  expect(system.log.length).toBeGreaterThan(5);
  expect(JSON.stringify(system.log)).not.toMatch(CANARY_ANYWHERE);
  expect(JSON.stringify(system.workerLog)).not.toMatch(CANARY_ANYWHERE);
});

test('no Temporal history has it, nor any search attribute, memo, summary, current details or id', async () => {
  const texts: string[] = [];
  await eventually(
    async () => {
      texts.length = 0;
      for await (const execution of system.client.workflow.list()) {
        const handle = system.client.workflow.getHandle(execution.workflowId, execution.runId);
        const history = await handle.fetchHistory();
        const details = await handle.query('__temporal_workflow_metadata');
        texts.push(readable({ raw: execution.raw, history, details }));
      }
      return texts.length;
    },
    (count) => count >= 5,
  );
  for (const id of [sent.id, screened.held, screened.blocked]) expect(texts.join('\n')).toContain(id);
  expect(texts.join('\n')).not.toMatch(CANARY_ANYWHERE);
});

test('no column of any table has it, not even in another encoding', async () => {
  const { rows: tables } = await system.db.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  let rowsRead = 0;
  for (const { name } of tables) {
    const { rows } = await system.db.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    rowsRead += rows.length;
    for (const encoding of encodingsOf([...SECRETS, ...publicElsewhere(name)])) {
      expect(rows.filter(({ text }) => text.includes(encoding)).map(() => name)).toEqual([]);
    }
  }
  expect(rowsRead).toBeGreaterThan(20);
});

/** Lists and labels are published facts; that somebody was found by them is not. */
function publicElsewhere(table: string): string[] {
  return [
    ...(table.startsWith('sanctions_') ? [] : ['Ravenscroft']),
    ...(table === 'labels' ? [] : [LABELLED]),
  ];
}

function encodingsOf(words: readonly string[]): string[] {
  return words
    .flatMap((word) => [word, word.toLowerCase(), word.toUpperCase()])
    .flatMap((word) => [
      word,
      Buffer.from(word).toString('hex'),
      Buffer.from(word).toString('base64').slice(0, -3),
    ]);
}

/** Payloads are bytes: shown as text, so that a word in them is found. */
function readable(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array
      ? Buffer.from(member).toString()
      : typeof member === 'bigint'
        ? String(member)
        : member,
  );
}
