import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { blockchains, isMainNetwork, type Blockchain } from '../../../domain/blockchains.ts';
import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { addressSpellings } from '../../factories/address-spellings.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { untilJudged } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createBody, createTransaction, evmHash } from '../../factories/transaction.ts';
import { submit } from '../../factories/verification.ts';
import { aThirdOf } from '../../full.ts';
import { useApi } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_SCREENING: 0, RATE_LIMIT_WRITES: 0 } });
let sender: TestTenant;
let receiver: TestTenant;
const CLEAN = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
const LISTED = { type: 'NATURAL', name: 'Grigori Rasputin' };

interface WalletCase {
  chain: Blockchain;
  /** As the list publishes it. */
  published: string;
  /** All of one account; the API may refuse some, but never the first. */
  spellings: string[];
}

const all = addressSpellings();
const formatOf = new Map(blockchains.map(({ name, addressFormat }) => [name, addressFormat]));
/** One account of every chain; of a chain that the vectors do not name, an account of another with its format. */
const cases: WalletCase[] = blockchains.flatMap((chain) => {
  const ofChain = all.filter(({ blockchain }) => blockchain === chain.name);
  const ofFormat = all.filter(({ blockchain }) => formatOf.get(blockchain) === chain.addressFormat);
  const [wallet] = ofChain.length > 0 ? ofChain : ofFormat;
  return wallet ? [{ chain, published: wallet.normal, spellings: wallet.spellings }] : [];
});
const named = cases.map((wallet) => [wallet.chain.name, wallet] as const);
/** The spellings of an account, each at one of its chains: what finds it does not ask for the chain. */
const distinct = named.filter(
  ([, { published }], place) => cases.findIndex((other) => other.published === published) === place,
);

const list = async (wallets: readonly WalletCase[]) => {
  await activateList(api.db.pool, 'OFAC_SDN', [
    listEntry('1', 'RASPUTIN, Grigori', {
      countries: ['RU'],
      identifiers: [{ kind: 'passport', value: '4509123456', country: 'RU' }],
    }),
    ...wallets.map(({ published }, place) =>
      listEntry(`W${place}`, `Holding ${place}`, { wallets: [{ asset: 'XBT', address: published }] }),
    ),
  ]);
};

/** The verifications that began before their wallets were listed, by chain; some chains have none. */
const verificationOf = new Map<string, string>();
beforeAll(async () => {
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
  await list([]);
  // Listed only after they began: the proof has to find it.
  for (const [name, { chain, published }] of distinct) {
    const body = { asset: chain.nativeAsset, blockchain: name, address: published };
    const flows = { allowedFlows: ['SELF_DECLARED'] };
    const id = await accepted(sender, '/wallet-verification', { ...body, ...flows });
    if (id !== null) verificationOf.set(name, id);
  }
  await list(distinct.map(([, wallet]) => wallet));
  const found = async () =>
    await sender.get<SanctionsScreening>(`/sanctions/addresses/${distinct[0]?.[1].published}`);
  // The new version is loaded beside the requests.
  await eventually(found, ({ body }) => body.sanctioned && body.answeredBy === 'INDEX');
});

/** The verdict on a stored transaction as its workflow makes it. */
async function judged(tenant: TestTenant, id: string) {
  const outcome = await untilJudged(api, await findOpenTransaction(api.db, tenant.id, id));
  const { screening, verdict, decision } = outcome.settlement;
  const { nameMatch, addressMatch } = screening.sanctions;
  return { hold: verdict.hold, nameMatch, addressMatch, inRules: decision?.facts.sanctionsAddressMatch };
}

const HELD = { hold: 'SANCTIONS', addressMatch: true, inRules: true };

/** The id of what was created; null where the spelling was refused. */
async function accepted(tenant: TestTenant, path: string, body: Json): Promise<string | null> {
  const answer = await tenant.post(path, body);
  if (answer.status !== 201) expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  return answer.status === 201 ? String(answer.body['id']) : null;
}

test('every chain of the registry is there, and some accounts have several spellings', () => {
  expect(named.map(([name]) => name)).toEqual(blockchains.map(({ name }) => name));
  expect(distinct.filter(([, { spellings }]) => spellings.length > 2).length).toBeGreaterThan(10);
});

test.each(named)(
  'a listed wallet on %s is found on POST /transactions and POST /wallet-verification',
  async (name, wallet) => {
    // Chains that share a format share their spellings.
    const isFirst = distinct.some(([other]) => other === name);
    for (const spelling of isFirst ? wallet.spellings : wallet.spellings.slice(0, 1)) {
      const asset = wallet.chain.nativeAsset;
      const blockchainInfo = { blockchain: name, destination: spelling };
      const id = await accepted(sender, '/transactions', createBody({ ...CLEAN, asset, blockchainInfo }));
      if (id !== null)
        expect([spelling, await judged(sender, id)]).toEqual([spelling, expect.objectContaining(HELD)]);
      if (spelling === wallet.published && isMainNetwork(wallet.chain)) expect(id).not.toBeNull();
      const body = { asset, blockchain: name, address: spelling };
      const verification = await accepted(sender, '/wallet-verification', body);
      if (verification === null) continue;
      expect((await sender.get(`/wallet-verification/${verification}`)).body).toMatchObject({
        warnings: expect.arrayContaining(['ADDRESS_SANCTIONED']) as string[],
        riskSeverity: 'high',
      });
    }
  },
);

test.each(distinct)(
  'a listed wallet on %s is found on PATCH and by GET /sanctions/addresses',
  async (_, wallet) => {
    for (const spelling of wallet.spellings) {
      const address = encodeURIComponent(spelling.trim());
      const { status, body } = await sender.get<SanctionsScreening>(`/sanctions/addresses/${address}`);
      expect([spelling, status, body.sanctioned]).toEqual([spelling, 200, true]);
    }
    // Without a chain an address is taken as it is.
    const { id } = await createTransaction(sender, { ...CLEAN, asset: 'XYZ' });
    expect(await judged(sender, id)).toMatchObject({ hold: null, addressMatch: false });
    const origin = wallet.spellings.at(-1)?.trim();
    expect((await sender.patch(`/transactions/${id}`, { blockchainInfo: { origin } })).status).toBe(200);
    expect(await judged(sender, id)).toMatchObject(HELD);
  },
);

/** As long as an address that is compared, and as an account number may be. */
const isAccount = ({ length }: string) => length >= 20 && length <= 100;
const ACCOUNTS = distinct.filter(([, { published }]) => isAccount(published));
test.each(aThirdOf(ACCOUNTS))(
  'a listed wallet on %s is found as the account of a party',
  async (_, { spellings }) => {
    for (const accountNumber of spellings.map((text) => text.trim()).filter(isAccount)) {
      const created = await createTransaction(sender, {
        ...CLEAN,
        asset: 'XYZ',
        originator: { name: 'Anna Keller', accountNumber },
      });
      expect([accountNumber, await judged(sender, created.id)]).toEqual([
        accountNumber,
        expect.objectContaining(HELD),
      ]);
    }
  },
);

test.each([
  (address: string) => `${address} (USDT)`,
  (address: string) => `BTC ${address}`,
  (address: string) => `ERC20-${address}, memo 17`,
])('a listed wallet is found with a word beside it: %#', async (beside) => {
  const accountNumber = beside(ACCOUNTS[0]?.[1].published ?? '');
  const created = await createTransaction(sender, {
    ...CLEAN,
    asset: 'XYZ',
    beneficiary: { ...CLEAN.beneficiary, accountNumber },
  });
  expect(await judged(sender, created.id)).toMatchObject(HELD);
});

const [evm = ''] = ACCOUNTS.map(([, { published }]) => published).filter((text) =>
  /^0x[0-9a-f]{40}$/i.test(text),
);
const hex = evm.slice(2).toLowerCase();
const DISGUISED: [string, string][] = [
  ['full-width letters', Array.from(evm, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0)).join('')],
  ['padded to 32 bytes', `0x${'0'.repeat(24)}${hex}`],
  ['with an encoded colon', `ethereum%3A${evm}`],
  ['glued to a word', `ETH${evm}`],
  ['with two prefixes', `0x0x${hex}`],
  ['with a Cyrillic letter', evm.replace(/[aA]/, 'а')],
  [
    'as ICAP',
    `XE07${BigInt(evm || 0)
      .toString(36)
      .toUpperCase()
      .padStart(30, '0')}`,
  ],
];

test.each(DISGUISED)('a listed wallet is found in a place that takes every text: %s', async (_, written) => {
  expect(hex).toHaveLength(40);
  // An address has ASCII letters only; any other is refused.
  const isAddress = /^[ -~]+$/.test(written);
  const addressed: Json[] = [
    { blockchainInfo: { destination: written } },
    { blockchainInfo: { blockchain: 'Elsewhere', destination: written } },
    { blockchainInfo: { destination: 'clean-account', destinationTag: written } },
  ];
  const account = { beneficiary: { ...CLEAN.beneficiary, accountNumber: written } };
  for (const place of isAddress ? [account, ...addressed] : [account]) {
    const created = await createTransaction(sender, { ...CLEAN, asset: 'XYZ', ...place });
    expect([place, await judged(sender, created.id)]).toEqual([place, expect.objectContaining(HELD)]);
  }
});

test.each<[string, (accountNumber: string) => Json]>([
  ['beneficiary', (accountNumber) => ({ beneficiary: { ...CLEAN.beneficiary, accountNumber } })],
  [
    'additional originator',
    (accountNumber) => ({ additionalOriginators: [{ name: 'Eva Roth', accountNumber }] }),
  ],
])('the account of a %s is compared, too, but no short number of a business', async (_, withAccount) => {
  const created = await createTransaction(sender, { ...CLEAN, ...withAccount('17-4711'), asset: 'XYZ' });
  expect(await judged(sender, created.id)).toMatchObject({ hold: null, addressMatch: false });
  const listed = withAccount(ACCOUNTS[0]?.[1].published ?? '');
  expect((await sender.patch(`/transactions/${created.id}`, listed)).status).toBe(200);
  expect(await judged(sender, created.id)).toMatchObject(HELD);
});

test.each(aThirdOf(distinct, 1))(
  'a wallet on %s that was listed since is found when its owner proves it',
  async (name) => {
    const id = verificationOf.get(name) ?? '';
    const { body } = await submit(sender, id, { verificationFlow: 'SELF_DECLARED' });
    expect(body).toMatchObject({ warnings: expect.arrayContaining(['ADDRESS_SANCTIONED']) as string[] });
  },
);

test.each(aThirdOf(distinct, 2))(
  'a listed wallet on %s is found when a message names it for an own record',
  async (_, wallet) => {
    // A chain of no registry takes every address, whatever chain it is of.
    const place = { blockchain: 'Elsewhere', destination: 'clean-account', transactionHash: evmHash() };
    const own = await createTransaction(receiver, {
      direction: 'INCOMING',
      asset: 'XYZ',
      beneficiary: { name: 'Jonas Brandt' },
      vaspInfo: { originatorVaspName: sender.name },
      blockchainInfo: place,
    });
    const sent = await createTransaction(sender, {
      ...CLEAN,
      asset: 'XYZ',
      blockchainInfo: { ...place, origin: wallet.spellings.at(-1)?.trim() },
    });
    const arrived = await deliverJudged(api, { id: sent.id, sender, receiver });
    expect(arrived).toMatchObject({ id: own.id, subStatus: 'ON_HOLD' });
    expect(arrived.clearance.reasons).toContain('SANCTIONS');
  },
);

const NUMBER = { nationalIdentificator: '4509123456', nationalIdentificatorType: 'CCPT' };
test.each<[string, Json, boolean]>([
  ['the listed person with the number', { ...LISTED, ...NUMBER, country: 'RU' }, true],
  [
    'the listed person with another number',
    { ...LISTED, ...NUMBER, nationalIdentificator: '777777777' },
    true,
  ],
  [
    'another person with an equal number',
    { type: 'NATURAL', name: 'Eva Roth', ...NUMBER, country: 'RU' },
    false,
  ],
  ['another name, of no type, with an equal number', { name: 'Eva Roth', ...NUMBER, country: 'RU' }, false],
  [
    'an equal number of another country',
    { type: 'NATURAL', name: 'Eva Roth', ...NUMBER, identifierCountry: 'AT' },
    false,
  ],
  [
    'an equal number of another kind',
    { type: 'NATURAL', name: 'Eva Roth', ...NUMBER, nationalIdentificatorType: 'TXID' },
    false,
  ],
  [
    'a company with an equal number',
    { type: 'LEGAL', name: 'Roth Trading', ...NUMBER, nationalIdentificatorType: 'RAID' },
    false,
  ],
])('%s: held on POST and PATCH is %s', async (_, party, isHeld) => {
  const held = { hold: isHeld ? 'SANCTIONS' : null, nameMatch: isHeld };
  const created = await createTransaction(sender, { ...CLEAN, beneficiary: party });
  expect(await judged(sender, created.id)).toMatchObject(held);
  const patched = await createTransaction(sender, CLEAN);
  expect((await sender.patch(`/transactions/${patched.id}`, { originator: party })).status).toBe(200);
  expect(await judged(sender, patched.id)).toMatchObject(held);
  const { body } = await sender.post<SanctionsScreening>('/sanctions/search', party);
  expect(body.sanctioned).toBe(isHeld);
});
