import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { sharedSpellings } from '../../../domain/addresses/shared-hashes.ts';
import type { Json } from '../../api-client.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

// Registering an address captures nothing: whoever has the key of an account has it on all its chains and for all assets.

const { api } = useApi();
const sender = useTenant(api, { name: 'Alpine Exchange' });
const XRP = { address: 'rDsbeomae4FXwgQTJp9Rs64Qg9vDiTCdBv', blockchain: 'XRP Ledger', asset: 'XRP' };
const SCRIPT = '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj';
const SCRIPT_CASH = sharedSpellings(SCRIPT).find((spelling) => spelling.startsWith('bitcoincash:')) ?? '';

let bob: TestTenant;
let mallory: TestTenant;
beforeEach(async () => {
  [bob, mallory] = await Promise.all([createTenant(api), createTenant(api)]);
});
afterEach(async () => {
  for (const tenant of [bob, mallory, sender]) {
    const { body } = await tenant.get<{ id: number }[]>('/wallets');
    for (const { id } of body) await tenant.delete(`/wallets/${id}`);
  }
});

async function register(by: TestTenant, wallet: Json): Promise<void> {
  const { status } = await by.post('/wallets', { asset: '*', blockchain: 'Ethereum', ...wallet });
  expect(status).toBe(201);
}

async function attest(tenant: { id: string }, address: string, blockchain: string) {
  const path = `/operator/tenants/${tenant.id}/attested-addresses`;
  const body = { address, blockchain, reason: 'seen in the audit' };
  const made = await api.request<{ id: string }>('POST', path, { operatorKey: api.operatorKey, body });
  expect(made.status).toBe(201);
  return async () => {
    await api.request('DELETE', `${path}/${made.body.id}`, { operatorKey: api.operatorKey });
  };
}

interface Place {
  destination: string;
  blockchain?: string;
  destinationTag?: string;
}

async function route(place: Place, asset = 'ETH') {
  const { id } = await createTransaction(sender, {
    asset,
    blockchainInfo: { destinationType: 'CUSTODIAL', ...place },
  });
  return (await counterpartyOf(api.db.pool, await getTransaction(api.db, sender.id, id), api.db)).receiver;
}

const to = (tenant: TestTenant) => ({ network: 'NATIVE', tenantId: tenant.id });

interface Registrations {
  bobs: Json;
  mallorys: Json;
  /** Where Mallory's registration would take the message. */
  place: Place;
  asset?: string;
}

describe('an account that another tenant registered routes to nobody who registered it as well', () => {
  const at = evmAddress();
  test.each<[string, Registrations]>([
    [
      'on another chain of the same keys',
      {
        bobs: { address: at },
        mallorys: { address: at, blockchain: 'Base' },
        place: { blockchain: 'Base', destination: at },
      },
    ],
    [
      'on a chain that nobody knows',
      {
        bobs: { address: at },
        mallorys: { address: at, blockchain: 'Etherium' },
        place: { blockchain: 'Etherium', destination: at },
      },
    ],
    [
      'on a known chain, while the other one’s is unknown',
      {
        bobs: { address: at, blockchain: 'Etherium' },
        mallorys: { address: at },
        place: { blockchain: 'Ethereum', destination: at },
      },
    ],
    [
      'for another asset',
      {
        bobs: { address: at, asset: 'ETH' },
        mallorys: { address: at, asset: 'USDC' },
        place: { blockchain: 'Ethereum', destination: at },
        asset: 'USDC',
      },
    ],
    [
      'in another spelling',
      {
        bobs: { address: SCRIPT, blockchain: 'Bitcoin' },
        mallorys: { address: SCRIPT_CASH, blockchain: 'Bitcoin Cash' },
        place: { blockchain: 'Bitcoin Cash', destination: SCRIPT_CASH },
        asset: 'BCH',
      },
    ],
    [
      'without a tag, to a tag that nobody has',
      {
        bobs: { ...XRP, tag: '5' },
        mallorys: XRP,
        place: { blockchain: 'XRP Ledger', destination: XRP.address, destinationTag: '7' },
        asset: 'XRP',
      },
    ],
    [
      'without a tag, to no tag',
      {
        bobs: { ...XRP, tag: '5' },
        mallorys: XRP,
        place: { blockchain: 'XRP Ledger', destination: XRP.address },
        asset: 'XRP',
      },
    ],
    [
      'with the same tag for another asset',
      {
        bobs: { ...XRP, tag: '5' },
        mallorys: { ...XRP, asset: 'USDC', tag: '5' },
        place: { blockchain: 'XRP Ledger', destination: XRP.address, destinationTag: '5' },
        asset: 'USDC',
      },
    ],
  ])('%s', async (_, { bobs, mallorys, place, asset }) => {
    await register(mallory, mallorys);
    // Alone, the registration routes: it is the other one that counts against it.
    expect(await route(place, asset)).toEqual(to(mallory));
    await register(bob, bobs);
    expect(await route(place, asset)).toBeNull();
    const ends = await attest(mallory, place.destination, place.blockchain ?? '');
    expect(await route(place, asset)).toEqual(to(mallory));
    await ends();
  });
});

describe('tenants that share an account by tags', () => {
  const tagged = (tag: string) => ({
    blockchain: 'XRP Ledger',
    destination: XRP.address,
    destinationTag: tag,
  });

  test('get the messages to the tags that they registered, and others go to nobody', async () => {
    await register(bob, { ...XRP, tag: '5' });
    await register(mallory, { ...XRP, tag: '6' });
    expect(await route(tagged('5'), 'XRP')).toEqual(to(bob));
    expect(await route(tagged('6'), 'XRP')).toEqual(to(mallory));
    expect(await route(tagged('7'), 'XRP')).toBeNull();
    expect(await route({ blockchain: 'XRP Ledger', destination: XRP.address }, 'XRP')).toBeNull();
  });

  test('get none of an account that is attested for another one, unless it is for them too', async () => {
    await register(bob, XRP);
    await register(mallory, { ...XRP, tag: '6' });
    const ends = [await attest(bob, XRP.address, 'XRP Ledger')];
    expect(await route(tagged('5'), 'XRP')).toEqual(to(bob));
    expect(await route(tagged('6'), 'XRP')).toEqual(to(bob));
    await bob.delete(`/wallets/${(await bob.get<{ id: number }[]>('/wallets')).body[0]?.id ?? 0}`);
    await register(bob, { ...XRP, tag: '5' });
    expect(await route(tagged('6'), 'XRP')).toBeNull();
    ends.push(await attest(mallory, XRP.address, 'XRP Ledger'));
    expect(await route(tagged('6'), 'XRP')).toEqual(to(mallory));
    expect(await route(tagged('5'), 'XRP')).toEqual(to(bob));
    for (const end of ends) await end();
  });
});

describe('an attestation', () => {
  test('for another tenant on another chain of the same keys counts against the one that registered it', async () => {
    const destination = evmAddress();
    await register(mallory, { address: destination, blockchain: 'Base' });
    const ends = await attest(bob, destination, 'Ethereum');
    expect(await route({ blockchain: 'Base', destination })).toBeNull();
    await ends();
    expect(await route({ blockchain: 'Base', destination })).toEqual(to(mallory));
  });

  test('for the sender itself counts as well', async () => {
    const destination = evmAddress();
    await register(mallory, { address: destination });
    await attest(sender, destination, 'Ethereum');
    expect(await route({ blockchain: 'Ethereum', destination })).toBeNull();
  });

  test('on the chain of the transfer settles it against registrations on any chain', async () => {
    const destination = evmAddress();
    await register(bob, { address: destination });
    for (const blockchain of ['Ethereum', 'Base', 'Polygon'])
      await register(mallory, { address: destination, blockchain });
    await attest(bob, destination, 'Ethereum');
    expect(await route({ blockchain: 'Ethereum', destination })).toEqual(to(bob));
    expect(await route({ blockchain: 'Base', destination })).toBeNull();
  });

  test('for two tenants that share the whole account on a chain settles nothing', async () => {
    const destination = evmAddress();
    await register(bob, { address: destination });
    await attest(bob, destination, 'Ethereum');
    await attest(mallory, destination, 'Ethereum');
    expect(await route({ blockchain: 'Ethereum', destination })).toBeNull();
  });
});

test('the account that only one tenant has registered, however often, routes to it', async () => {
  const destination = evmAddress();
  for (const wallet of [{}, { asset: 'USDC' }, { blockchain: 'Base' }])
    await register(bob, { address: destination, ...wallet });
  expect(await route({ blockchain: 'Base', destination })).toEqual(to(bob));
  expect(await route({ blockchain: 'Ethereum', destination })).toEqual(to(bob));
});

test('a wallet that another tenant has set to UNCONFIRMED counts for nothing', async () => {
  const destination = evmAddress();
  await register(mallory, { address: destination });
  const { body } = await mallory.get<{ id: number }[]>('/wallets');
  expect((await mallory.patch(`/wallets/${body[0]?.id ?? 0}`, { status: 'UNCONFIRMED' })).status).toBe(200);
  await register(bob, { address: destination, blockchain: 'Base' });
  expect(await route({ blockchain: 'Base', destination })).toEqual(to(bob));
});
