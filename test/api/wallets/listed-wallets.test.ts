import { MockActivityEnvironment } from '@temporalio/testing';
import { walletImportActivities } from '../../../activities/wallet-imports/import-wallets.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { normalAddress } from '../../../domain/address.ts';
import type { WalletImport } from '../../../domain/wallets/wallet-import.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import { addressSpellings } from '../../factories/address-spellings.ts';
import { upload } from '../../factories/csv.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { untilJudged, untilListsLoaded } from '../../factories/judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { aThirdOf } from '../../full.ts';
import { useApi } from '../../use-api.ts';

// Wallets on a sanctions list are registered like others, and whoever registers them is told. Their transfers are held.

const { api } = useApi({
  config: { RATE_LIMIT_SCREENING: 0, RATE_LIMIT_WRITES: 0 },
  deps: {
    startImport: async (subject) => {
      const steps = walletImportActivities(releaseDeps(api));
      await new MockActivityEnvironment().run(async () => await steps.importWallets(subject));
    },
  },
});

const CLEAN = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
/** One listed account of each format, in all spellings that its chain takes. */
const accounts = addressSpellings().map(({ blockchain, normal, spellings }) => ({
  blockchain,
  normal,
  spellings: spellings.filter((text) => normalAddress(blockchain, text).ok),
}));
const spelled = accounts.flatMap(({ blockchain, spellings }) =>
  spellings.map((address) => ({ blockchain, address })),
);
const MOST = Math.max(...accounts.map(({ spellings }) => spellings.length));

let sender: TestTenant;
let receiver: TestTenant;
beforeAll(async () => {
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
  const entries = accounts.map(({ normal }, place) =>
    listEntry(`W${place}`, `Holding ${place}`, { wallets: [{ asset: 'XBT', address: normal }] }),
  );
  await activateList(api.db.pool, 'OFAC_SDN', entries);
  await untilListsLoaded(api, sender.id);
});

const fileOf = (wallets: readonly { blockchain: string; address: string }[]) =>
  ['address,asset,blockchain', ...wallets.map((one) => `${one.address},*,${one.blockchain}`), ''].join('\n');

test('some accounts have several spellings', () => {
  expect(accounts.filter(({ spellings }) => spellings.length > 1).length).toBeGreaterThan(10);
});

test.each(Array.from({ length: MOST }, (_, place) => place))(
  'a CSV file with listed wallets is imported whole, and its result names them: spelling %i of each',
  async (place) => {
    const tenant = place === 0 ? receiver : await createTenant(api);
    const listed = accounts.flatMap(({ blockchain, spellings }) => {
      const address = spellings[place];
      return address === undefined ? [] : [{ blockchain, address }];
    });
    const clean = { blockchain: 'Ethereum', address: evmAddress() };
    const { status, body } = await upload(tenant, fileOf([clean, ...listed]));
    expect([status, body]).toMatchObject([201, { total: listed.length + 1, created: listed.length + 1 }]);
    expect(body.sanctionedAddresses).toEqual(listed.map(({ address }) => address));
    const { body: read } = await tenant.get<WalletImport>(`/wallets/imports/${body.id}`);
    expect(read.sanctionedAddresses).toEqual(body.sanctionedAddresses);
  },
);

test('addresses of chains that nobody knows are compared, too', async () => {
  const [{ address } = { address: '' }] = spelled.filter(({ blockchain }) => blockchain === 'Bitcoin Cash');
  const { body } = await upload(await createTenant(api), fileOf([{ blockchain: 'Elsewhere', address }]));
  expect(body.sanctionedAddresses).toEqual([address]);
});

const WARNING = { code: 'ADDRESS_SANCTIONED', pointer: '/address' };

test.each(aThirdOf(spelled))(
  'POST /wallets of $address ($blockchain) has a warning, this once',
  async (listed) => {
    const tenant = await createTenant(api);
    const { status, body } = await tenant.post<Wallet>('/wallets', { ...listed, asset: '*' });
    expect([status, body.warnings]).toEqual([201, [expect.objectContaining(WARNING)]]);
    expect((await tenant.get<Wallet>(`/wallets/${body.id}`)).body).toEqual({ ...body, warnings: [] });
  },
);

test('POST /wallets of any other address has none', async () => {
  const body = { blockchain: 'Ethereum', address: evmAddress(), asset: '*' };
  expect((await sender.post<Wallet>('/wallets', body)).body.warnings).toEqual([]);
});

/** The verdict on a stored transaction as its workflow makes it. */
async function judged(tenant: TestTenant, id: string) {
  const { settlement } = await untilJudged(api, await findOpenTransaction(api.db, tenant.id, id));
  return { hold: settlement.verdict.hold, addressMatch: settlement.screening.sanctions.addressMatch };
}

const HELD = { hold: 'SANCTIONS', addressMatch: true };

test.each(aThirdOf(spelled, 1))(
  'transfers to $address ($blockchain), registered by CSV, are held: the payout, the message, and a deposit',
  async ({ blockchain, address: destination }) => {
    // Near has accounts of their own that are spelled like the listed one without its prefix.
    await upload(receiver, fileOf([{ blockchain, address: destination }]));
    const body = { ...CLEAN, asset: 'XYZ', blockchainInfo: { blockchain, destination } };
    const payout = await createTransaction(sender, body);
    expect(await judged(sender, payout.id)).toEqual(HELD);
    const arrived = await deliverJudged(api, { id: payout.id, sender, receiver });
    const blockchainInfo = { isDestinationConfirmed: true };
    expect(arrived).toMatchObject({ sealed: false, subStatus: 'ON_HOLD', blockchainInfo });
    expect(arrived.clearance.reasons).toContain('SANCTIONS');
    const deposit = await createTransaction(receiver, { ...body, direction: 'INCOMING' });
    expect(await judged(receiver, deposit.id)).toEqual(HELD);
  },
);
