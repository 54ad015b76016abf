import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { verifyWebhook } from '../../domain/webhooks/signature.ts';
import type { AddressQuestion } from '../../domain/address-questions/question.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Wallet } from '../../domain/wallets/schema.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { importLabels } from '../factories/labels.ts';
import { createPartner } from '../factories/partner.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress, readTransaction } from '../factories/transaction.ts';
import { createReceivers } from '../fakes/receivers.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

const receivers = createReceivers();
let system: TestSystem;
let sender: TestTenant;
beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  sender = await createTenant(system);
});
afterAll(async () => {
  await receivers.end();
  await system.stop();
});

interface Asked {
  question: AddressQuestion;
  headers: IncomingHttpHeaders;
  raw: Buffer;
}

/** A tenant that is asked at an endpoint of its own. */
async function holder(answer: RequestListener): Promise<{ tenant: TestTenant; asked: Asked[] }> {
  const asked: Asked[] = [];
  const { url } = await receivers.receiver((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts);
      asked.push({ raw, headers: request.headers, question: JSON.parse(raw.toString()) as AddressQuestion });
      answer(request, response);
    });
  });
  const tenant = await createTenant(system);
  const set = await tenant.patch('/tenant/me/settings', { addressQuestionUrl: url });
  expect(set).toMatchObject({ status: 200, body: { addressQuestionUrl: url } });
  return { tenant, asked };
}

const say =
  (isOwn: boolean): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify({ isOwn }));

async function send(name: string | null, info: Json = {}): Promise<Transaction> {
  return await createTransaction(sender, {
    blockchainInfo: { blockchain: 'Ethereum', ...info },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    ...(name !== null && { vaspInfo: { beneficiaryVaspName: name } }),
  });
}

const delivered = async ({ id }: { id: string }) =>
  await eventually(
    async () => await readTransaction(sender, id),
    ({ status }) => status === 'DELIVERED',
  );
const received = async (tenant: TestTenant, destination: string) =>
  (await tenant.get<Transaction[]>(`/transactions?_destination=${destination}`)).body;
const walletsOf = async (tenant: TestTenant) => (await tenant.get<Wallet[]>('/wallets')).body;

/** As an operator who trusts the answers of the tenant. */
async function letRoute({ id }: TestTenant, answersRoute: boolean): Promise<void> {
  const changed = await system.request('PATCH', `/operator/tenants/${id}`, {
    operatorKey: system.operatorKey,
    body: { answersRoute },
  });
  expect(changed).toMatchObject({ status: 200, body: { answersRoute } });
}

test('the named VASP says that the address is its own: the message arrives open', async () => {
  const { tenant, asked } = await holder(say(true));
  const destination = evmAddress();
  await delivered(await send(tenant.name, { destination, destinationTag: 'T-7' }));
  const [message] = await received(tenant, destination);
  expect(message).toMatchObject({
    blockchainInfo: { isDestinationConfirmed: true },
    originator: { name: 'Anna Keller' },
  });
  expect(await walletsOf(tenant)).toMatchObject([
    { address: destination, tag: 'T-7', asset: '*', status: 'CONFIRMED', source: 'ANSWERED' },
  ]);
  const [{ question, headers, raw } = {} as Asked, ...more] = asked;
  expect(more).toEqual([]);
  expect(question).toEqual({
    id: headers['x-event-id'],
    blockchain: 'Ethereum',
    address: destination,
    tag: 'T-7',
    createdAt: expect.any(String) as string,
  });
  expect(headers['x-event-type']).toBe('address-question');
  const { body } = await tenant.get<{ webhookSecret: string }>('/tenant/me');
  const signature = String(headers['service-signature']);
  const at = { nowMs: Date.now(), toleranceMs: 300_000 };
  expect(verifyWebhook(body.webhookSecret, signature, raw, at)).toBe(true);
  expect(raw.toString()).not.toContain('Anna');
});

test.each<[string, RequestListener]>([
  ['no', say(false)],
  ['an error', (_request, response) => void response.writeHead(500).end('{"isOwn": true}')],
  ['a redirect', (_request, response) => void response.writeHead(302, { Location: '/yes' }).end()],
  ['something else', (_request, response) => void response.end('"yes"')],
  ['nothing within two seconds', () => undefined],
])('%s means no: the wallet is only detected, and the parties are hidden', async (_name, answer) => {
  const { tenant, asked } = await holder(answer);
  const destination = evmAddress();
  await delivered(await send(tenant.name, { destination }));
  const [message] = await received(tenant, destination);
  expect(message).toMatchObject({ blockchainInfo: { isDestinationConfirmed: false }, originator: null });
  expect(await walletsOf(tenant)).toMatchObject([{ status: 'UNCONFIRMED', source: 'DETECTED' }]);
  expect(asked).toHaveLength(1);
});

test('a server that hangs three times in a row is not asked for ten minutes, then once', async () => {
  const { tenant, asked } = await holder(() => undefined);
  for (let n = 0; n < 3; n += 1) await delivered(await send(tenant.name, { destination: evmAddress() }));
  expect(asked).toHaveLength(3);
  const registered = evmAddress();
  await tenant.post('/wallets', { address: registered, asset: '*', blockchain: 'Ethereum' });
  for (const destination of [evmAddress(), registered])
    await delivered(await send(tenant.name, { destination }));
  expect(asked).toHaveLength(3);
  system.clock.offsetMs = 11 * 60_000;
  try {
    for (let n = 0; n < 2; n += 1) await delivered(await send(tenant.name, { destination: evmAddress() }));
  } finally {
    system.clock.offsetMs = 0;
  }
  expect(asked).toHaveLength(4);
});

test('an answer is kept, and a registered address is asked about for the time alone that it takes', async () => {
  const answers = [false, false, true];
  const { tenant, asked } = await holder((request, response) =>
    say(answers.shift() ?? false)(request, response),
  );
  const destination = evmAddress();
  await delivered(await send(tenant.name, { destination }));
  await delivered(await send(tenant.name, { destination }));
  expect(asked).toHaveLength(1);
  const [own, ownOfOne] = [evmAddress(), evmAddress()];
  await tenant.post('/wallets', { address: own, asset: '*', blockchain: 'Ethereum' });
  await tenant.post('/wallets', { address: ownOfOne, asset: 'ETH', blockchain: 'Ethereum' });
  const before = await walletsOf(tenant);
  for (const address of [own, ownOfOne]) await delivered(await send(tenant.name, { destination: address }));
  expect(asked.map(({ question }) => question.address)).toEqual([destination, own, ownOfOne]);
  // Whatever is answered: one stays registered, the other is not registered for all assets.
  expect(await walletsOf(tenant)).toEqual(before);
  const [message] = await received(tenant, own);
  expect(message).toMatchObject({ blockchainInfo: { isDestinationConfirmed: true } });
});

test('a message that names nobody: only whoever an operator trusts is asked, and one yes routes it', async () => {
  const [first, second] = [await holder(say(true)), await holder(say(true))];
  const untrusted = await send(null);
  await eventually(
    async () => await readTransaction(sender, untrusted.id),
    ({ subStatus }) => subStatus === 'VASP_NOT_FOUND',
  );
  expect([...first.asked, ...second.asked]).toEqual([]);

  await letRoute(first.tenant, true);
  const destination = evmAddress();
  await delivered(await send(null, { destination }));
  expect(await received(first.tenant, destination)).toMatchObject([{ originator: { name: 'Anna Keller' } }]);
  expect(second.asked).toEqual([]);

  // Two that say yes are as two that have registered it: nobody gets the message.
  await letRoute(second.tenant, true);
  const disputed = await send(null);
  await eventually(
    async () => await readTransaction(sender, disputed.id),
    ({ subStatus }) => subStatus === 'VASP_NOT_FOUND',
  );
  expect(first.asked).toHaveLength(2);
  expect(second.asked).toHaveLength(1);
  for (const { tenant } of [first, second]) await letRoute(tenant, false);
});

test('a named VASP that is somebody else is never passed over', async () => {
  const { tenant, asked } = await holder(say(true));
  await letRoute(tenant, true);
  const { id } = await send('Far Away Exchange');
  await eventually(
    async () => await readTransaction(sender, id),
    ({ subStatus }) => subStatus === 'VASP_NOT_FOUND',
  );
  expect(asked).toEqual([]);
  await letRoute(tenant, false);
});

test.each([
  'http://169.254.169.254/',
  'ftp://hooks.example/',
  'http://[::1]:1/',
  'http://user:pw@hooks.example/',
])('400 for %s, and nothing is stored', async (addressQuestionUrl) => {
  const tenant = await createTenant(system);
  const answer = await tenant.patch('/tenant/me/settings', { addressQuestionUrl });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/addressQuestionUrl' }] } });
  const { body } = await tenant.get<Json>('/tenant/me/settings');
  expect(body['addressQuestionUrl']).toBeNull();
});

describe('asked wherever a wallet would only be detected', () => {
  const body = (destination: string) => ({
    asset: 'ETH',
    amount: '0.5',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    originator: { name: 'Mei Tan' },
    beneficiary: { name: 'Jonas Brandt' },
  });

  test.each([
    ['yes', true],
    ['no', false],
  ])('a message of a partner: %s', async (_answer, isOwn) => {
    const { tenant, asked } = await holder(say(isOwn));
    const { apiKey } = await createPartner(system);
    const destination = evmAddress();
    const send = async () =>
      await system.request('POST', '/partners/me/transactions', {
        headers: { 'X-Partner-Api-Key': apiKey.apiKey },
        body: { ...body(destination), vaspInfo: { beneficiaryVaspName: tenant.name } },
      });
    expect((await send()).status).toBe(201);
    expect(await received(tenant, destination)).toMatchObject([
      {
        blockchainInfo: { isDestinationConfirmed: isOwn },
        originator: isOwn ? { name: 'Mei Tan' } : null,
      },
    ]);
    expect((await send()).status).toBe(201);
    expect(asked).toHaveLength(1);
  });

  test('a message of a test VASP', async () => {
    await ensureTestVasps(system.db, new Date());
    const { tenant, asked } = await holder(say(true));
    const answer = await tenant.post<Transaction>('/sandbox/incoming', body(evmAddress()));
    expect(answer).toMatchObject({ status: 201, body: { originator: { name: 'Mei Tan' } } });
    expect(await walletsOf(tenant)).toMatchObject([{ source: 'ANSWERED' }]);
    expect(asked).toHaveLength(1);
  });

  test('a message that a label leads to the tenant, though nobody lets its answers route', async () => {
    const { tenant, asked } = await holder(say(true));
    const destination = evmAddress();
    // Labels name entities of the bundled directory.
    await system.db.pool.query(
      `update entities set source = 'BUNDLED', source_id = 'holder'
       where id = (select entity_id from tenants where id = $1)`,
      [tenant.id],
    );
    const label = { blockchain: 'Ethereum', type: 'exchange', confidence: 100, name: tenant.name } as const;
    await importLabels(system.db.pool, [{ ...label, address: destination, entityId: 'holder' }]);
    await delivered(await send(null, { destination }));
    expect(await received(tenant, destination)).toMatchObject([{ originator: { name: 'Anna Keller' } }]);
    expect(asked).toHaveLength(1);
  });

  test('the destination on another blockchain, before the chain of a delivered message changes', async () => {
    const { tenant, asked } = await holder((_request, response) => {
      const { blockchain } = asked.at(-1)?.question ?? {};
      response.end(JSON.stringify({ isOwn: blockchain === 'Polygon' }));
    });
    const destination = evmAddress();
    const message = await send(tenant.name, { destination });
    await delivered(message);
    expect(await received(tenant, destination)).toMatchObject([{ originator: null }]);
    const to = async (blockchain: string) =>
      await sender.patch(`/transactions/${message.id}`, { blockchainInfo: { blockchain } });
    expect((await to('Polygon')).status).toBe(200);
    expect(await received(tenant, destination)).toMatchObject([
      { blockchainInfo: { blockchain: 'Polygon' }, originator: { name: 'Anna Keller' } },
    ]);
    // The answer about Ethereum is kept.
    await to('Ethereum');
    expect(asked.map(({ question }) => question.blockchain)).toEqual(['Ethereum', 'Polygon']);
  });
});
