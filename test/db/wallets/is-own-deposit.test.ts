import { findOwnKnowledge } from '../../../db/aml/own-knowledge.ts';
import { isOwnDeposit } from '../../../db/wallets/is-own-deposit.ts';
import { sharedSpellings } from '../../../domain/addresses/shared-hashes.ts';
import { addressAt, blockchainKey } from '../../../domain/normalised-places.ts';
import { createTenant } from '../../factories/tenant.ts';
import { importLabels } from '../../factories/labels.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api, { name: 'Quiet Harbour' });
const LEGACY = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
const CASH = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
const CHAIN = 'Bitcoin Cash';
const OTHER = 'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e';

beforeAll(async () => {
  const wallet = { address: CASH, asset: '*', blockchain: CHAIN };
  expect((await tenant.post('/wallets', wallet)).status).toBe(201);
});

async function label(address: string, blockchain: string): Promise<void> {
  await importLabels(database.pool, [
    { address, name: 'Kraken', type: 'exchange', confidence: 100, blockchain },
  ]);
}

describe.each([
  ['legacy', LEGACY],
  ['CashAddr', CASH],
  ['CashAddr without prefix', CASH.slice(CASH.indexOf(':') + 1)],
])('an account that is labelled as Bitcoin writes it, spelled as %s', (_, address) => {
  const addressNormal = addressAt('', CHAIN, address);

  test('is no deposit address of its tenant', async () => {
    const deposit = {
      tenantId: tenant.id,
      address,
      addressNormal,
      blockchainKey: blockchainKey(CHAIN),
      asset: 'BCH',
    };
    await label(OTHER, CHAIN);
    expect(await isOwnDeposit(api.db.pool, deposit)).toBe(true);
    await label(LEGACY, 'Bitcoin');
    expect(await isOwnDeposit(api.db.pool, deposit)).toBe(false);
  });

  test('is known by its label to the own score', async () => {
    await label(LEGACY, 'Bitcoin');
    const known = await findOwnKnowledge(api.db.pool, tenant.id, { blockchain: CHAIN }, addressNormal);
    expect(known).toMatchObject({ isOwnWallet: true, labels: [{ entityName: 'Kraken' }] });
  });

  test('is known by its label to a wallet check', async () => {
    await label(LEGACY, 'Bitcoin');
    const path = `/kyw/${encodeURIComponent(CHAIN)}/${encodeURIComponent(address)}`;
    const { status, body } = await tenant.get(path);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('label_exchange');
  });
});

test('an EVM account that another tenant registered on another chain is no deposit address', async () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const rightful = await createTenant(api);
  const wallet = { address, asset: '*' };
  expect((await tenant.post('/wallets', { ...wallet, blockchain: 'Polygon' })).status).toBe(201);
  const deposit = {
    tenantId: tenant.id,
    address,
    addressNormal: addressAt('', 'Polygon', address),
    blockchainKey: blockchainKey('Polygon'),
    asset: 'POL',
  };
  expect(await isOwnDeposit(api.db.pool, deposit)).toBe(true);
  expect((await rightful.post('/wallets', { ...wallet, blockchain: 'Ethereum' })).status).toBe(201);
  expect(await isOwnDeposit(api.db.pool, deposit)).toBe(false);
});

const SCRIPT = '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj';
const [, , LITECOIN = '', SCRIPT_CASH = ''] = sharedSpellings(SCRIPT);

describe.each([
  ['Bitcoin', SCRIPT],
  ['Litecoin', LITECOIN],
  ['Litecoin', SCRIPT],
  ['Some New Coin', SCRIPT],
])('a script that another tenant holds on %s as %s', (blockchain, address) => {
  const deposit = async (owner: string) =>
    await isOwnDeposit(api.db.pool, {
      tenantId: owner,
      address: SCRIPT_CASH,
      addressNormal: SCRIPT_CASH,
      blockchainKey: blockchainKey(CHAIN),
      asset: 'BCH',
    });
  const attest = async (owner: string, place: { blockchain: string; address: string }) => {
    const answer = await api.request<{ id: string }>(
      'POST',
      `/operator/tenants/${owner}/attested-addresses`,
      {
        operatorKey: api.operatorKey,
        body: { ...place, reason: 'by phone' },
      },
    );
    expect(answer.status).toBe(201);
    return answer.body.id;
  };

  test('by registration is no deposit address on Bitcoin Cash, unless an operator attests it there', async () => {
    const [own, other] = [await createTenant(api), await createTenant(api)];
    const wallet = { address: SCRIPT_CASH, asset: '*', blockchain: CHAIN };
    expect((await own.post('/wallets', wallet)).status).toBe(201);
    expect(await deposit(own.id)).toBe(true);
    expect((await other.post('/wallets', { address, asset: '*', blockchain })).status).toBe(201);
    expect(await deposit(own.id)).toBe(false);
    const id = await attest(own.id, { address: SCRIPT_CASH, blockchain: CHAIN });
    expect(await deposit(own.id)).toBe(true);
    const path = `/operator/tenants/${own.id}/attested-addresses/${id}`;
    expect((await api.request('DELETE', path, { operatorKey: api.operatorKey })).status).toBe(204);
    for (const each of [other, own]) {
      const { body: wallets } = await each.get<{ id: number }[]>('/wallets');
      for (const { id: walletId } of wallets) await each.delete(`/wallets/${walletId}`);
    }
  });

  test('by attestation is no deposit address on Bitcoin Cash', async () => {
    const [own, other] = [await createTenant(api), await createTenant(api)];
    const wallet = { address: SCRIPT_CASH, asset: '*', blockchain: CHAIN };
    expect((await own.post('/wallets', wallet)).status).toBe(201);
    const id = await attest(other.id, { address, blockchain });
    expect(await deposit(own.id)).toBe(false);
    const path = `/operator/tenants/${other.id}/attested-addresses/${id}`;
    expect((await api.request('DELETE', path, { operatorKey: api.operatorKey })).status).toBe(204);
    expect(await deposit(own.id)).toBe(true);
    const { body: wallets } = await own.get<{ id: number }[]>('/wallets');
    for (const { id: walletId } of wallets) await own.delete(`/wallets/${walletId}`);
  });
});
