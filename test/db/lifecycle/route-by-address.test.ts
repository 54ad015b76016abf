import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { Json } from '../../api-client.ts';
import { importLabels, type TestLabel } from '../../factories/labels.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, letPass, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api, { name: 'Alpine Exchange' });
const holder = useTenant(api, { name: 'Kraken Alpha' });

const toHolder = () => ({ network: 'NATIVE', tenantId: holder.id });

async function label(address: string, given: Partial<TestLabel> = {}): Promise<void> {
  await importLabels(database.pool, [
    { address, name: 'Kraken', type: 'exchange', confidence: 100, blockchain: 'Ethereum', ...given },
  ]);
}

interface SentTo {
  name?: string;
  blockchain?: string | null;
  asset?: string;
  tag?: string;
}

async function send(destination: string, { name, blockchain, asset, tag }: SentTo = {}) {
  const { id } = await createTransaction(sender, {
    ...(asset ? { asset } : {}),
    blockchainInfo: {
      ...(blockchain === null ? {} : { blockchain: blockchain ?? 'Ethereum' }),
      ...(tag ? { destinationTag: tag } : {}),
      destination,
      destinationType: 'CUSTODIAL',
    },
    ...(name ? { vaspInfo: { beneficiaryVaspName: name } } : {}),
  });
  return await getTransaction(api.db, sender.id, id);
}

const route = async (destination: string, to?: SentTo) =>
  (await counterpartyOf(api.db.pool, await send(destination, to), api.db)).receiver;

async function attest(tenantId: string, address: string, blockchain = 'Ethereum') {
  return await api.request('POST', `/operator/tenants/${tenantId}/attested-addresses`, {
    operatorKey: api.operatorKey,
    body: { address, blockchain, reason: 'confirmed by phone' },
  });
}

/** Routes a message that has been screened, as its workflow does each day. */
async function routeAgain(id: string, now = new Date()): Promise<void> {
  const record = await getTransaction(api.db, sender.id, id);
  if (record.screeningState === 'DUE') await letPass(api.db, id);
  await markUnroutedOrFind(api.db, await getTransaction(api.db, sender.id, id), now);
}

async function eventTypes(id: string): Promise<unknown[]> {
  const { body } = await sender.get<Json[]>(`/transactions/${id}/events`);
  return body.map(({ type }) => type);
}

describe('an address that labels give to somebody else routes nothing', () => {
  test.each<[string, Partial<TestLabel>, boolean]>([
    ['an exchange', {}, true],
    ['a bank', { type: 'bank' }, true],
    ['a wallet provider', { type: 'wallet' }, true],
    ['with confidence 50', { confidence: 50 }, true],
    ['with confidence 49', { confidence: 49 }, false],
    ['a mixer', { type: 'mixing_service' }, false],
    ['named like the holder', { name: 'KRAKEN-ALPHA Ltd' }, false],
    ['of no named entity', { name: null }, true],
    ['on another chain', { blockchain: 'Polygon' }, true],
  ])('%s', async (_, given, isDisputed) => {
    const address = evmAddress();
    await registerWallet(holder, address);
    expect(await route(address)).toEqual(toHolder());
    await label(address, given);
    expect(await route(address)).toEqual(isDisputed ? null : toHolder());
  });

  test.each<[string, (address: string) => string, SentTo]>([
    ['in capital letters', (address) => address.toUpperCase().replace('0X', '0x'), {}],
    ['without a chain', (address) => address, { blockchain: null, asset: 'USDC' }],
    ['with a tag', (address) => address, { tag: '7' }],
    ['by a name of the chain', (address) => address, { blockchain: 'eip155:1' }],
  ])('however it is spelled: %s', async (_, spell, to) => {
    const address = evmAddress();
    await registerWallet(holder, address);
    await label(address);
    expect(await route(spell(address), to)).toBeNull();
  });

  test('where the sender names no chain that is known, neither', async () => {
    const address = evmAddress();
    const wallet = { address, asset: '*', blockchain: 'Ethereum Nova' };
    expect((await holder.post('/wallets', wallet)).status).toBe(201);
    expect(await route(address, { blockchain: 'ethereum nova' })).toEqual(toHolder());
    await label(address);
    expect(await route(address, { blockchain: 'ethereum nova' })).toBeNull();
    expect(await route(address, { blockchain: null, asset: 'USDC' })).toBeNull();
  });

  test('the own legal name does not make it the holder’s, the alias that an operator gave does', async () => {
    const address = evmAddress();
    const hostile = await createTenant(api);
    await registerWallet(hostile, address);
    await label(address, { name: 'Blue Whale Exchange' });
    expect((await hostile.patch('/tenant/me', { legalName: 'Blue Whale Exchange' })).status).toBe(200);
    expect(await route(address)).toBeNull();
    const { body } = await sender.get(`/entities/lookup?name=${encodeURIComponent(hostile.name)}`);
    const patched = await api.request('PATCH', `/operator/entities/${String(body['id'])}`, {
      operatorKey: api.operatorKey,
      body: { aliases: ['Blue Whale'] },
    });
    expect(patched.status).toBe(200);
    await label(address, { name: 'Blue Whale' });
    expect(await route(address)).toEqual({ network: 'NATIVE', tenantId: hostile.id });
  });

  test('labels of the holder’s own entity in the directory do not dispute its address', async () => {
    const address = evmAddress();
    const imported = await api.request('POST', '/operator/entities', {
      operatorKey: api.operatorKey,
      body: { name: 'Orca Deep', type: 'exchange' },
    });
    const entityId = String(imported.body['id']);
    await database.pool.query(`update entities set source = 'BUNDLED', source_id = 'orca' where id = $1`, [
      entityId,
    ]);
    const orca = await createTenant(api, { name: 'Quite Another Name', entityId });
    await registerWallet(orca, address);
    await label(address, { name: 'An old brand', entityId: 'orca' });
    expect(await route(address)).toEqual({ network: 'NATIVE', tenantId: orca.id });
    await label(address, { name: 'An old brand', entityId: 'kraken' });
    expect(await route(address)).toBeNull();
  });

  test('the log says so once, however often the message is routed, and nobody learns who registered it', async () => {
    const address = evmAddress();
    await registerWallet(holder, address);
    await label(address);
    const { id } = await send(address);
    await routeAgain(id);
    for (const days of [1, 2, 3]) await routeAgain(id, new Date(Date.now() + days * 86_400_000));
    const { body } = await sender.get<Json[]>(`/transactions/${id}/events`);
    const routed = body.filter(({ type }) => type !== 'SCREENED');
    expect(routed.map(({ type }) => type)).toEqual(['VASP_NOT_FOUND', 'ADDRESS_DISPUTED', 'CREATED']);
    expect(routed[1]).toMatchObject({ actor: 'SYSTEM', data: { entityId: null }, newStatus: 'PENDING' });
    expect(JSON.stringify(body)).not.toContain(holder.id);
    expect((await sender.get(`/transactions/${id}`)).body).toMatchObject({
      status: 'PENDING',
      subStatus: 'VASP_NOT_FOUND',
      clearance: { nextAction: 'FIX_ROUTING' },
    });
  });

  test('one that is registered later, for a message that already waits, is logged too', async () => {
    const address = evmAddress();
    await label(address);
    const { id } = await send(address);
    await routeAgain(id);
    await registerWallet(holder, address);
    for (const days of [1, 2]) await routeAgain(id, new Date(Date.now() + days * 86_400_000));
    const types = await eventTypes(id);
    expect(types.filter((type) => type === 'ADDRESS_DISPUTED')).toHaveLength(1);
    expect(types.filter((type) => type === 'VASP_NOT_FOUND')).toHaveLength(1);
  });

  test('a name that leads to the holder sends it there: only the address is disputed', async () => {
    const address = evmAddress();
    await registerWallet(holder, address);
    await label(address);
    expect(await route(address, { name: 'kraken alpha' })).toEqual(toHolder());
  });
});

describe('an operator attests an address', () => {
  test('which routes from then on, also the message that waited, until the attestation is withdrawn', async () => {
    const address = evmAddress();
    await registerWallet(holder, address);
    await label(address);
    const { id } = await send(address);
    await routeAgain(id);
    const told = api.outbox.length;
    const { status, body } = await attest(holder.id, `0x${address.slice(2).toUpperCase()}`);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { tenantId: holder.id, blockchain: 'Ethereum', reason: 'confirmed by phone' },
    });
    expect(api.outbox.slice(told).map(({ subjectId }) => subjectId)).toEqual([id]);
    expect(await route(address)).toEqual(toHolder());
    expect((await attest(holder.id, address)).status).toBe(409);
    const path = `/operator/tenants/${holder.id}/attested-addresses`;
    const asOperator = { operatorKey: api.operatorKey };
    const listed = await api.request<Json[]>('GET', `${path}?q=${address.slice(0, 12)}`, asOperator);
    expect(listed.body).toEqual([body]);
    expect((await api.request('DELETE', `${path}/${String(body['id'])}`, asOperator)).status).toBe(204);
    expect((await api.request('DELETE', `${path}/${String(body['id'])}`, asOperator)).status).toBe(404);
    expect(await route(address)).toBeNull();
  });

  test('for one tenant and one chain only', async () => {
    const address = evmAddress();
    await registerWallet(holder, address);
    await label(address);
    await attest(sender.id, address);
    await attest(holder.id, address, 'Polygon');
    expect(await route(address)).toBeNull();
  });

  test('two tenants that registered it: it goes to the one for which it is attested, without that to nobody', async () => {
    const address = evmAddress();
    const hostile = await createTenant(api);
    await registerWallet(hostile, address);
    await registerWallet(holder, address);
    expect(await route(address)).toBeNull();
    await attest(holder.id, address);
    expect(await route(address)).toEqual(toHolder());
    await attest(hostile.id, address);
    expect(await route(address)).toBeNull();
  });

  test('an address that is attested but not registered routes nothing', async () => {
    const address = evmAddress();
    await attest(holder.id, address);
    expect(await route(address)).toBeNull();
  });

  test('what is refused', async () => {
    expect((await attest('00000000-0000-7000-8000-000000000000', evmAddress())).status).toBe(404);
    expect((await attest(holder.id, '0x12')).body).toMatchObject({ errors: [{ pointer: '/address' }] });
    const asTenant = await holder.get(`/operator/tenants/${holder.id}/attested-addresses`);
    expect(asTenant.status).toBe(401);
  });
});

describe('a name that identifies nobody', () => {
  test.each<[string, boolean]>([
    ['Kraken Alpha Ltd', true],
    ['Krakn Alpha', true],
    ['Kraken', false],
    ['Unheard Of', false],
    ['Kraken Beta', false],
    ['!', false],
  ])('routes by address only if it is nearly the holder’s: %s', async (name, isHolders) => {
    const address = evmAddress();
    await registerWallet(holder, address);
    expect(await route(address, { name })).toEqual(isHolders ? toHolder() : null);
  });

  test('the sender’s own name counts as none; the holder’s legal name counts for nothing', async () => {
    const address = evmAddress();
    const hostile = await createTenant(api);
    await registerWallet(hostile, address);
    await hostile.patch('/tenant/me', { legalName: 'Silver Fox Bank' });
    expect(await route(address, { name: 'Silver Fox Bank' })).toBeNull();
    expect(await route(address, { name: 'ALPINE  exchange' })).toEqual({
      network: 'NATIVE',
      tenantId: hostile.id,
    });
  });
});
