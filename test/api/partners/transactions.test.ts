import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { PartnerTransaction } from '../../../domain/partners/transaction-schema.ts';
import type { Json } from '../../api-client.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createPartner, type TestPartner } from '../../factories/partner.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  fullBody,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ pollMs: 50 });
const alpine = useTenant(api);
const advance = lifecycleSteps(api);

let meridian: TestPartner;
let vaspId: string;
const VASP = 'Straits Digital';
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  meridian = await createPartner(api, { webhookUrl: 'https://meridian.example/in' });
  vaspId = await onNetwork(VASP, meridian);
});

async function onNetwork(name: string, { partner }: TestPartner): Promise<string> {
  const body = { name, type: 'exchange', networks: [`PARTNER:${partner.name}`] };
  const { operatorKey } = api;
  const made = await api.request('POST', '/operator/entities', { operatorKey, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return String(made.body['id']);
}

const ask = async <T = PartnerTransaction>({ apiKey }: TestPartner, method: string, path = '', body?: Json) =>
  await api.request<T>(method, `/partners/me/transactions${path}`, {
    headers: { 'X-Partner-Api-Key': apiKey.apiKey },
    ...(body && { body }),
  });

const listed = async (by: TestPartner, query = '') =>
  (await ask<PartnerTransaction[]>(by, 'GET', query)).body;

/** A message of Alpine to a VASP on a network, routed and delivered; the partner's view of it. */
async function deliver(to = VASP, by = meridian, body: Json = {}) {
  const { id } = await createTransaction(alpine, {
    ...fullBody(),
    ...body,
    vaspInfo: { beneficiaryVaspName: to },
  });
  const sent = await advance(alpine, { id });
  const [message] = await listed(by);
  if (!message) throw new Error('nothing arrived');
  return { sent, message };
}

/** The bodies of the webhooks that told the partner of a message. */
const webhooksOf = async (id: string) =>
  (await storedWebhooks(api, meridian.partner, id)) as unknown as PartnerTransaction[];
const eventsOf = async (id: string) => (await alpine.get<EventView[]>(`/transactions/${id}/events`)).body;
const partyNames = (view: Pick<PartnerTransaction, 'originator' | 'beneficiary'>) => [
  view.originator?.name ?? null,
  view.beneficiary?.name ?? null,
];

describe('a message to a VASP on the network of a partner', () => {
  test('is delivered to the partner, with the networks that were tried before in its log', async () => {
    const { sent, message } = await deliver();
    expect(sent).toMatchObject({
      status: 'DELIVERED',
      travelRuleMessageSource: `PARTNER:${meridian.partner.name}`,
      vaspInfo: { beneficiaryVaspEntityId: vaspId },
    });
    expect(message).toMatchObject({
      status: 'DELIVERED',
      direction: 'INCOMING',
      sealed: true,
      vaspInfo: { beneficiaryVaspName: VASP, originatorVaspName: alpine.name },
    });
    const delivered = (await eventsOf(sent.id)).find(({ type }) => type === 'DELIVERED');
    expect(delivered?.data).toMatchObject({ entityId: vaspId, skipped: ['NATIVE:NO_TENANT'] });
  });

  test('is not found by the names of its parties, whose reading would be logged, but by that of a VASP', async () => {
    const { message } = await deliver(VASP, meridian, {
      originator: { name: 'Quirin Zeidler' },
      beneficiary: { name: 'Walburga Nopper' },
    });
    await ask(meridian, 'PATCH', `/${message.id}`, { destinationConfirmed: true });
    const found = async (q: string) => (await listed(meridian, `?q=${q}`)).map(({ id }) => id);
    expect([await found('quirin'), await found('walburga')]).toEqual([[], []]);
    expect(await found('straits')).toContain(message.id);
  });

  test('is sealed until the partner confirms the destination; each reading is logged', async () => {
    const { sent, message } = await deliver();
    expect(partyNames((await ask(meridian, 'GET', `/${message.id}`)).body)).toEqual([null, null]);
    const early = await ask<Json>(meridian, 'PATCH', `/${message.id}`, { status: 'CONFIRMED' });
    expect([early.status, early.body['code'], early.body['allowed']]).toEqual([
      409,
      'invalid_transition',
      ['DECLINED'],
    ]);
    expect((await eventsOf(sent.id)).map(({ type }) => type)).not.toContain('DATA_READ');
    expect((await ask(meridian, 'PATCH', `/${message.id}`, { destinationConfirmed: true })).status).toBe(200);
    for (const _ of [1, 2]) {
      const { body } = await ask(meridian, 'GET', `/${message.id}`);
      expect(body.sealed).toBe(false);
      expect(partyNames(body)).toEqual([sent.originator?.name, sent.beneficiary?.name]);
    }
    const seen = (await eventsOf(sent.id)).map(({ type }) => type);
    expect(seen.filter((type) => type === 'DATA_READ')).toHaveLength(1);
    expect(seen).toContain('DESTINATION_CONFIRMED');
    expect(partyNames((await listed(meridian))[0] ?? message)).toEqual([null, null]);
  });

  test('is answered in one request, and the sender has the answer at once', async () => {
    const { sent, message } = await deliver();
    const body = { destinationConfirmed: true, status: 'CONFIRMED' };
    expect((await ask(meridian, 'PATCH', `/${message.id}`, body)).status).toBe(200);
    expect(await readTransaction(alpine, sent.id)).toMatchObject({
      status: 'CONFIRMED',
      blockchainInfo: { isDestinationConfirmed: true },
    });
    const again = await ask<Json>(meridian, 'PATCH', `/${message.id}`, { status: 'DECLINED' });
    expect([again.status, again.body['code']]).toEqual([409, 'invalid_transition']);
  });

  test('can be declined while it is sealed; the reason reaches the sender', async () => {
    const { sent, message } = await deliver();
    const body = { status: 'DECLINED', statusReasonCode: 'UNKNOWN_ADDRESS', statusReasoning: 'Not ours.' };
    expect((await ask(meridian, 'PATCH', `/${message.id}`, body)).status).toBe(200);
    expect(await readTransaction(alpine, sent.id)).toMatchObject({ ...body, status: 'DECLINED' });
    const late = await ask<Json>(meridian, 'PATCH', `/${message.id}`, { destinationConfirmed: true });
    expect([late.status, late.body['code']]).toEqual([409, 'invalid_transition']);
  });

  test('a new hash, new data and the withdrawal of the sender reach the partner', async () => {
    const { sent, message } = await deliver();
    await ask(meridian, 'PATCH', `/${message.id}`, { destinationConfirmed: true });
    const transactionHash = evmHash();
    await alpine.patch(`/transactions/${sent.id}`, { transactionHash, beneficiary: { name: 'Jo Berg' } });
    const { body } = await ask(meridian, 'GET', `/${message.id}`);
    expect(body.blockchainInfo.transactionHash).toBe(transactionHash);
    expect(body.beneficiary?.name).toBe('Jo Berg');
    await alpine.patch(`/transactions/${sent.id}`, { status: 'CANCELLED' });
    expect((await ask(meridian, 'GET', `/${message.id}`)).body.status).toBe('CANCELLED');
  });

  test('on another blockchain the destination has to be confirmed again', async () => {
    const { sent, message } = await deliver();
    await ask(meridian, 'PATCH', `/${message.id}`, { destinationConfirmed: true });
    const chain = { blockchainInfo: { blockchain: 'Polygon' } };
    expect((await alpine.patch(`/transactions/${sent.id}`, chain)).status).toBe(200);
    const early = await ask<Json>(meridian, 'PATCH', `/${message.id}`, { status: 'CONFIRMED' });
    expect([early.status, early.body['allowed']]).toEqual([409, ['DECLINED']]);
    const body = { destinationConfirmed: true, status: 'CONFIRMED' };
    expect((await ask(meridian, 'PATCH', `/${message.id}`, body)).status).toBe(200);
    expect((await readTransaction(alpine, sent.id)).status).toBe('CONFIRMED');
  });

  test('the webhooks of the partner are its own, and show no personal data, readable or not', async () => {
    const { sent, message } = await deliver();
    await ask(meridian, 'PATCH', `/${message.id}`, { destinationConfirmed: true });
    await alpine.patch(`/transactions/${sent.id}`, { beneficiary: { name: 'Jo Berg' } });
    const bodies = await webhooksOf(message.id);
    expect(bodies.map(({ status, sealed }) => [status, sealed])).toEqual([
      ['DELIVERED', true],
      ['DELIVERED', false],
    ]);
    expect(bodies.map((body) => partyNames(body))).toEqual([
      [null, null],
      [null, null],
    ]);
    const { rows } = await database.pool.query(
      'select distinct partner_id from webhook_deliveries where resource_id = $1',
      [message.id],
    );
    expect(rows).toEqual([{ partner_id: meridian.partner.id }]);
  });

  test('waits for its VASP, and goes as soon as a partner reaches it', async () => {
    const name = `Late ${evmHash().slice(2, 8)}`;
    const network = `Network ${name}`;
    const { operatorKey } = api;
    const body = { name, type: 'exchange', networks: [`PARTNER:${network}`] };
    await api.request('POST', '/operator/entities', { operatorKey, body });
    const { id } = await createTransaction(alpine, { vaspInfo: { beneficiaryVaspName: name } });
    expect(await advance(alpine, { id })).toMatchObject({ status: 'PENDING', subStatus: 'VASP_NOT_FOUND' });
    const told = api.outbox.length;
    await createPartner(api, { name: network });
    expect(api.outbox.slice(told).map(({ subjectId }) => subjectId)).toContain(id);
    expect(await advance(alpine, { id })).toMatchObject({
      status: 'DELIVERED',
      travelRuleMessageSource: `PARTNER:${network}`,
    });
  });
});

describe('a message of a partner', () => {
  const send = async (by: TestPartner, body: Json = {}) =>
    await ask<PartnerTransaction & Json>(by, 'POST', '', {
      asset: 'ETH',
      amount: '0.75',
      blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
      originator: { type: 'NATURAL', name: 'Mei Tan', country: 'SG' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
      ...body,
      vaspInfo: { beneficiaryVaspName: alpine.name, ...(body['vaspInfo'] as Json) },
    });
  const arrived = async () => {
    const [incoming] = (await alpine.get<{ id: string }[]>('/transactions?_direction=INCOMING&_end=1')).body;
    return await readTransaction(alpine, incoming?.id ?? '');
  };

  test('is delivered at once; the VASP that it names is known if operators put it on the network', async () => {
    const { status, body } = await send(meridian, { vaspInfo: { originatorVaspName: VASP } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ direction: 'OUTGOING', status: 'DELIVERED', sealed: false });
    expect(await arrived()).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      originator: null,
      travelRuleMessageSource: `PARTNER:${meridian.partner.name}`,
      vaspInfo: { originatorVaspName: VASP, originatorVaspEntityId: vaspId },
    });
  });

  test.each([
    ['a tenant of this deployment', () => alpine.name],
    ['a VASP on another network', () => 'Elsewhere Ltd'],
  ])('a partner speaks for nobody else: %s', async (_who, nameOf) => {
    await onNetwork('Elsewhere Ltd', await createPartner(api)).catch(() => undefined);
    expect((await send(meridian, { vaspInfo: { originatorVaspName: nameOf() } })).status).toBe(201);
    expect((await arrived()).vaspInfo.originatorVaspEntityId).toBeNull();
  });

  test('is answered by the tenant, and the partner has the answer and a webhook', async () => {
    const destination = evmAddress();
    await registerWallet(alpine, destination);
    const { body: message } = await send(meridian, {
      blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    });
    const incoming = await arrived();
    await alpine.patch(`/transactions/${incoming.id}`, {
      status: 'DECLINED',
      statusReasonCode: 'NAME_MISMATCH',
    });
    expect((await ask(meridian, 'GET', `/${message.id}`)).body).toMatchObject({
      status: 'DECLINED',
      statusReasonCode: 'NAME_MISMATCH',
    });
    const bodies = await webhooksOf(message.id);
    expect(bodies.at(-1)).toMatchObject({ status: 'DECLINED', id: message.id });
  });

  test('takes a hash later, and can be withdrawn', async () => {
    const { body: message } = await send(meridian);
    const transactionHash = evmHash();
    await ask(meridian, 'PATCH', `/${message.id}`, { transactionHash });
    expect((await arrived()).blockchainInfo.transactionHash).toBe(transactionHash);
    await ask(meridian, 'PATCH', `/${message.id}`, { status: 'CANCELLED' });
    expect((await arrived()).status).toBe('CANCELLED');
  });

  test.each<[string, Json, string]>([
    [
      'an unknown beneficiary VASP',
      { vaspInfo: { beneficiaryVaspName: 'Nobody Ltd' } },
      '/vaspInfo/beneficiaryVaspName',
    ],
    ['a VASP on a network', { vaspInfo: { beneficiaryVaspName: VASP } }, '/vaspInfo/beneficiaryVaspName'],
    ['the other direction', { direction: 'INCOMING' }, '/direction'],
    ['notes of its own', { internalNote: 'x' }, '/internalNote'],
    [
      'a self-hosted destination',
      { blockchainInfo: { destination: evmAddress(), destinationType: 'NON_CUSTODIAL' } },
      '/blockchainInfo/destinationType',
    ],
  ])('400: %s', async (_what, body, pointer) => {
    const answer = await send(meridian, body);
    expect([answer.status, (answer.body['errors'] as Json[])[0]?.['pointer']]).toEqual([400, pointer]);
  });

  test('409: its own id twice, with the id of the first', async () => {
    const first = await send(meridian, { reference: 'MRD-1' });
    const second = await send(meridian, { reference: 'MRD-1' });
    expect([second.status, second.body['id']]).toEqual([409, first.body.id]);
    expect((await listed(meridian, '?_reference=MRD-1')).map(({ id }) => id)).toEqual([first.body.id]);
  });

  test('400: the confirmation of its own destination', async () => {
    const { body } = await send(meridian);
    expect((await ask(meridian, 'PATCH', `/${body.id}`, { destinationConfirmed: true })).status).toBe(400);
  });
});

describe('nobody else', () => {
  test('another partner, and a tenant, find nothing of it', async () => {
    const other = await createPartner(api);
    const { sent, message } = await deliver();
    for (const id of [message.id, sent.id]) {
      expect((await ask(other, 'GET', `/${id}`)).status).toBe(404);
      expect((await ask(other, 'PATCH', `/${id}`, { status: 'DECLINED' })).status).toBe(404);
    }
    expect(await listed(other)).toEqual([]);
    expect((await ask(meridian, 'GET', `/${sent.id}`)).status).toBe(404);
    expect((await alpine.get(`/transactions/${message.id}`)).status).toBe(404);
    expect((await getTransaction(api.db, alpine.id, sent.id)).status).toBe('DELIVERED');
  });

  test('an operator sees no tenant in a gateway', async () => {
    const { operatorKey } = api;
    const one = `/operator/tenants/${meridian.partner.id}`;
    expect((await api.request('GET', one, { operatorKey })).status).toBe(404);
    expect((await api.request('POST', `${one}/suspend`, { operatorKey, body: {} })).status).toBe(404);
    expect((await api.request('POST', `${one}/api-keys`, { operatorKey, body: {} })).status).toBe(404);
    const { body } = await api.request<{ id: string }[]>('GET', '/operator/tenants?_end=100', {
      operatorKey,
    });
    expect(body.map(({ id }) => id)).not.toContain(meridian.partner.id);
  });
});

describe('requested data', () => {
  const FIELDS = ['originator.dateOfBirth'];

  test('the partner asks once the destination is confirmed, the tenant gives, and no reason is in lists and webhooks', async () => {
    const { sent, message } = await deliver(VASP, meridian, { originator: { name: 'Anna Keller' } });
    const body = { fields: FIELDS, reason: 'Which Anna Keller?' };
    const path = `/${message.id}/repair`;
    expect(await ask(meridian, 'POST', path, body)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', allowed: ['DECLINED'] },
    });
    await ask(meridian, 'PATCH', `/${message.id}`, { destinationConfirmed: true });
    expect(await ask(meridian, 'POST', path, body)).toMatchObject({
      status: 200,
      body: { requestedFields: FIELDS, requestReason: null, originator: null },
    });
    expect(await readTransaction(alpine, sent.id)).toMatchObject({
      subStatus: 'DATA_REQUESTED',
      requestedFields: FIELDS,
      requestReason: 'Which Anna Keller?',
      clearance: { nextAction: 'PROVIDE_DATA' },
    });
    await alpine.patch(`/transactions/${sent.id}`, { originator: { dateOfBirth: '1984-03-12' } });
    expect((await ask(meridian, 'GET', `/${message.id}`)).body).toMatchObject({
      requestedFields: [],
      originator: { dateOfBirth: '1984-03-12' },
    });
    expect((await webhooksOf(message.id)).at(-1)).toMatchObject({ requestedFields: [], originator: null });
  });

  test('the tenant asks, the partner reads that and gives; of a message to it the partner changes no party', async () => {
    const [destination, { apiKey }] = [evmAddress(), meridian];
    await registerWallet(alpine, destination);
    const blockchainInfo = { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' };
    const message = {
      asset: 'ETH',
      amount: '1',
      blockchainInfo,
      vaspInfo: { beneficiaryVaspName: alpine.name, originatorVaspName: VASP },
      originator: { name: 'Mei Tan' },
      beneficiary: { name: 'Jonas Brandt' },
    };
    expect(apiKey.apiKey).toEqual(expect.any(String));
    const { body: posted } = await ask(meridian, 'POST', '', message);
    const { body: found } = await alpine.get<{ id: string }[]>(`/transactions?_destination=${destination}`);
    const id = found[0]?.id ?? '';
    expect((await alpine.post(`/transactions/${id}/repair`, { fields: FIELDS })).status).toBe(200);
    expect((await webhooksOf(posted.id)).at(-1)).toMatchObject({ requestedFields: FIELDS });
    const given = { originator: { dateOfBirth: '1990-01-01' } };
    expect((await ask(meridian, 'PATCH', `/${posted.id}`, given)).status).toBe(200);
    expect(await readTransaction(alpine, id)).toMatchObject({ requestedFields: [], ...given });
    const { message: received } = await deliver();
    expect(await ask(meridian, 'PATCH', `/${received.id}`, given)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/originator', code: 'not_allowed' }] },
    });
  });
});
