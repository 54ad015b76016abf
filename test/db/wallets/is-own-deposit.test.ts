import { findOwnKnowledge } from '../../../db/aml/own-knowledge.ts';
import { isOwnDeposit } from '../../../db/wallets/is-own-deposit.ts';
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
