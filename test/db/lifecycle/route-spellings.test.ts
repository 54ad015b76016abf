import { randomBytes } from 'node:crypto';
import { hexToBytes } from '@noble/hashes/utils.js';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { base58CheckText } from '../../../domain/addresses/base58.ts';
import { encodeCashAddr } from '../../../domain/addresses/cashaddr.ts';
import { importLabels } from '../../factories/labels.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api, { name: 'Alpine Exchange' });
const holder = useTenant(api, { name: 'Quiet Harbour' });

/** The spellings of one key hash or script hash. */
function newAccount(kind: 'KEY' | 'SCRIPT') {
  const hash = new Uint8Array(randomBytes(20));
  const base58 = (version: string) => base58CheckText(Uint8Array.from([...hexToBytes(version), ...hash]));
  const isKey = kind === 'KEY';
  const cash = encodeCashAddr({ prefix: 'bitcoincash', kind: isKey ? 0 : 1, hash });
  return {
    legacy: base58(isKey ? '00' : '05'),
    cash,
    bare: cash.replace('bitcoincash:', ''),
    capital: cash.toUpperCase(),
    litecoin: base58('32'),
  };
}
type Spelling = keyof ReturnType<typeof newAccount>;
type Kind = Parameters<typeof newAccount>[0];

const ASSETS: Record<string, string> = { Bitcoin: 'BTC', 'Bitcoin Cash': 'BCH', Litecoin: 'LTC' };

async function register(tenant: TestTenant, address: string, blockchain: string): Promise<void> {
  const { status } = await tenant.post('/wallets', { address, asset: '*', blockchain });
  expect(status).toBe(201);
}

async function label(address: string, blockchain: string, name = 'Kraken'): Promise<void> {
  await importLabels(database.pool, [{ address, name, type: 'exchange', confidence: 100, blockchain }]);
}

async function route(destination: string, blockchain: string | null) {
  const { id } = await createTransaction(sender, {
    asset: blockchain === null ? 'USDC' : ASSETS[blockchain],
    blockchainInfo: {
      ...(blockchain === null ? {} : { blockchain }),
      destination,
      destinationType: 'CUSTODIAL',
    },
  });
  const record = await getTransaction(api.db, sender.id, id);
  return (await counterpartyOf(api.db.pool, record, api.db)).receiver;
}

const to = (tenant: TestTenant) => ({ network: 'NATIVE', tenantId: tenant.id });

async function attest(tenant: TestTenant, address: string, blockchain: string): Promise<void> {
  const { status } = await api.request('POST', `/operator/tenants/${tenant.id}/attested-addresses`, {
    operatorKey: api.operatorKey,
    body: { address, blockchain, reason: 'confirmed by phone' },
  });
  expect(status).toBe(201);
}

interface Published {
  kind: Kind;
  label: [Spelling, string];
  chain: string;
  spellings: Spelling[];
}

const CASH: Spelling[] = ['legacy', 'cash', 'bare', 'capital'];
const PUBLISHED: [string, Published][] = [
  [
    'Bitcoin’s key, to Bitcoin Cash',
    { kind: 'KEY', label: ['legacy', 'Bitcoin'], chain: 'Bitcoin Cash', spellings: CASH },
  ],
  [
    'Bitcoin’s script, to Bitcoin Cash',
    { kind: 'SCRIPT', label: ['legacy', 'Bitcoin'], chain: 'Bitcoin Cash', spellings: CASH },
  ],
  [
    'Bitcoin’s script, to Litecoin',
    { kind: 'SCRIPT', label: ['legacy', 'Bitcoin'], chain: 'Litecoin', spellings: ['legacy', 'litecoin'] },
  ],
  [
    'Litecoin’s script, to Bitcoin',
    { kind: 'SCRIPT', label: ['litecoin', 'Litecoin'], chain: 'Bitcoin', spellings: ['legacy'] },
  ],
  [
    'Litecoin’s script, to Bitcoin Cash',
    { kind: 'SCRIPT', label: ['litecoin', 'Litecoin'], chain: 'Bitcoin Cash', spellings: CASH },
  ],
  [
    'Bitcoin Cash’s key, to Bitcoin',
    { kind: 'KEY', label: ['cash', 'Bitcoin Cash'], chain: 'Bitcoin', spellings: ['legacy'] },
  ],
  [
    'a key on a chain that is not listed, to Bitcoin Cash',
    { kind: 'KEY', label: ['legacy', 'Some New Coin'], chain: 'Bitcoin Cash', spellings: CASH },
  ],
];

describe('a label disputes every spelling of an account', () => {
  test.each(PUBLISHED)('%s', async (_, { kind, label: [published, labelled], chain, spellings }) => {
    for (const registered of spellings) {
      const account = newAccount(kind);
      await register(holder, account[registered], chain);
      await label(newAccount(kind)[published], labelled);
      for (const asked of spellings) expect(await route(account[asked], chain)).toEqual(to(holder));
      await label(account[published], labelled);
      for (const asked of spellings)
        expect({ asked, to: await route(account[asked], chain) }).toEqual({ asked, to: null });
    }
  });

  test('an attestation in any spelling settles it for all', async () => {
    for (const attested of CASH) {
      const account = newAccount('KEY');
      await register(holder, account.cash, 'Bitcoin Cash');
      await label(account.legacy, 'Bitcoin');
      await attest(holder, account[attested], 'Bitcoin Cash');
      for (const asked of CASH) expect(await route(account[asked], 'Bitcoin Cash')).toEqual(to(holder));
    }
  });
});

describe('a message that names no chain', () => {
  test('goes to nobody when another tenant registered the account as another chain writes it', async () => {
    const hostile = await createTenant(api);
    const account = newAccount('SCRIPT');
    await register(hostile, account.legacy, 'Bitcoin');
    expect(await route(account.legacy, null)).toEqual(to(hostile));
    await register(holder, account.cash, 'Bitcoin Cash');
    expect(await route(account.legacy, null)).toBeNull();
    expect(await route(account.cash, null)).toBeNull();
    expect(await route(account.legacy, 'Bitcoin')).toBeNull();
  });

  test('does not go to whoever registered it only as another chain writes it', async () => {
    const account = newAccount('SCRIPT');
    await register(holder, account.litecoin, 'Litecoin');
    expect(await route(account.litecoin, null)).toEqual(to(holder));
    expect(await route(account.legacy, null)).toBeNull();
    expect(await route(account.cash, null)).toBeNull();
  });

  test('goes to the tenant that registered it both ways', async () => {
    const account = newAccount('KEY');
    await register(holder, account.cash, 'Bitcoin Cash');
    await register(holder, account.legacy, 'Bitcoin');
    expect(await route(account.legacy, null)).toEqual(to(holder));
    expect(await route(account.cash, null)).toEqual(to(holder));
  });

  test('an attestation under another spelling keeps it from a tenant without one', async () => {
    const hostile = await createTenant(api);
    const account = newAccount('KEY');
    await register(hostile, account.legacy, 'Bitcoin');
    await register(holder, account.cash, 'Bitcoin Cash');
    await attest(holder, account.legacy, 'Bitcoin Cash');
    expect(await route(account.legacy, null)).toBeNull();
    expect(await route(account.cash, null)).toEqual(to(holder));
  });
});
