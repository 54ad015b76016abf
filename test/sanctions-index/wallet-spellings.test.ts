import type pg from 'pg';
import { findOwnKnowledge } from '../../db/aml/own-knowledge.ts';
import { openPool } from '../../db/postgres.ts';
import { normalAddress } from '../../domain/address.ts';
import { sharedSpellings } from '../../domain/addresses/shared-hashes.ts';
import { isAdded } from '../../domain/sanctions/added-entry.ts';
import { FORMAT_RULES } from '../../domain/addresses/format-rules.ts';
import { blockchains } from '../../domain/blockchains.ts';
import { registeredKeys, walletIdentity, walletKeys } from '../../domain/sanctions/wallet-key.ts';
import { databaseSearch } from '../../sanctions-index/database-search.ts';
import { up } from '../../db/migrations/20261122_0031_spell_wallets.ts';
import knex from 'knex';
import { testDatabase, type TestDatabase } from '../database.ts';
import { addressSpellings } from '../factories/address-spellings.ts';
import { activateList, findWalletAmong, listEntry } from '../factories/sanctions.ts';

const all = addressSpellings();
/** One entry for each spelling: a list may publish any of them. */
const published = all.flatMap(({ blockchain, normal, spellings }) =>
  spellings.map((listed) => ({ blockchain, normal, listed, spellings })),
);
const entries = published.map(({ listed }, place) =>
  listEntry(String(place).padStart(4, '0'), `Holder ${place}`, {
    wallets: ['XBT', 'USDT'].map((asset) => ({ asset, address: listed })),
  }),
);

/** The ids of the entries that list the account of an address in any of its spellings. */
const expectedIds = (spellings: readonly string[]): string[] =>
  entries
    .filter((_, place) => published[place]?.spellings.some((text) => spellings.includes(text)))
    .map(({ sourceId }) => sourceId);

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, 4, () => undefined);
  await activateList(pool, 'OFAC_SDN', entries);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('every format of addresses is among them', () => {
  const formatOf = new Map(blockchains.map(({ name, addressFormat }) => [name, addressFormat]));
  const covered = new Set(all.map(({ blockchain }) => formatOf.get(blockchain)));
  expect(Object.keys(FORMAT_RULES).filter((format) => !covered.has(format as never))).toEqual([]);
});

test('the keys of a registered wallet are among those of its account, whatever spelling is listed', () => {
  const missed = all.flatMap(({ blockchain, spellings }) => {
    const keysOfListed = spellings.map(walletKeys);
    const isFoundBy = (key: string) => keysOfListed.every((keys) => keys.includes(key));
    return spellings.filter((registered) => {
      const checked = normalAddress(blockchain, registered);
      if (!checked.ok) return false;
      return !registeredKeys({ addressNormal: checked.normal, blockchainKey: blockchain }).some(isFoundBy);
    });
  });
  expect(missed).toEqual([]);
});

const cases = all.flatMap(({ blockchain, spellings }) =>
  spellings.map((searched) => [blockchain, searched, spellings] as const),
);

describe('whatever spelling the list publishes', () => {
  const inTable = findWalletAmong(entries);

  test.each(cases)('%s: %s is found in the table of the index', (_, searched, spellings) => {
    const wanted = expectedIds(spellings);
    const matches = inTable(searched);
    expect(matches.map(({ entry }) => entry.sourceId)).toEqual(wanted);
    // Each entry once, with both assets of the address.
    expect(matches.map(({ wallets }) => wallets.length)).toEqual(wanted.map(() => 2));
  });

  test.each(cases)('%s: %s is found by the database and by AML', async (blockchain, searched, spellings) => {
    const wanted = expectedIds(spellings);
    const { matches } = await databaseSearch(pool).findWallet(searched, [
      { code: 'OFAC_SDN', version: 1, publishedAt: null },
    ]);
    expect(matches.map(({ entry }) => entry.sourceId)).toEqual(wanted);
    const tenantId = '00000000-0000-7000-8000-000000000000';
    const { sanctions } = await findOwnKnowledge(pool, tenantId, { blockchain }, searched);
    // AML names at most twenty.
    expect(sanctions?.length).toBe(Math.min(20, wanted.length));
  });
});

test('other addresses, texts and near misses find nothing', () => {
  const inTable = findWalletAmong(entries);
  for (const text of ['', ' ', '0x', 'x'.repeat(300), '1BoatSLRHtKNngkdXEeobR76b53LETtpyT']) {
    expect(inTable(text)).toEqual([]);
  }
});

test('the address as published is its first key, and one identity names the evident spellings', () => {
  expect(walletKeys(' TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t ')[0]).toBe('tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t');
  expect(walletIdentity('41a614f803b6fd780986a42c78ec9c7f77e6ded13c')).toBe(
    walletIdentity('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
  );
  expect(walletIdentity(`${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`);
});

const EVM = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const BITCOIN = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const TON = '0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7';

describe('an address in other letters', () => {
  const entry = listEntry('1', 'Holder', { wallets: [{ asset: 'ETH', address: EVM }] });
  const find = findWalletAmong([entry]);

  test.each([EVM.toLowerCase(), ` ${EVM.toUpperCase()}\n`, EVM.slice(2)])('%j is found', (address) => {
    expect(find(address)).toEqual([{ entry, entryHash: '', version: 1, wallets: entry.wallets }]);
  });

  test('a part of an address is not', () => {
    expect(find(EVM.slice(0, 14))).toEqual([]);
    expect(find('')).toEqual([]);
  });
});

describe('an address with something around it', () => {
  const listed = [EVM, BITCOIN, TON].map((address, place) =>
    listEntry(`wrapped ${place}`, `Wrapped ${place}`, { wallets: [{ asset: 'XBT', address }] }),
  );
  const inTable = findWalletAmong(listed);

  test.each<readonly [address: string, text: string]>([
    [EVM, `xdc${EVM.slice(2)}`],
    [EVM, `XDC${EVM.slice(2).toUpperCase()}`],
    [EVM, `ethereum:${EVM}`],
    [EVM, `ethereum:pay-${EVM}@1?value=2e18`],
    [EVM, `ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7/transfer?address=${EVM}&uint256=1`],
    [EVM, `eip155:1:${EVM}`],
    [EVM, `eip155:50:xdc${EVM.slice(2)}`],
    [EVM, `arb1:${EVM.slice(2)}`],
    [EVM, `https://etherscan.io/address/${EVM}#code`],
    [EVM, `x${EVM}`],
    [EVM, `\\x${EVM.slice(2)}`],
    [EVM, `x${EVM.slice(2)}`],
    [EVM, `O${EVM.slice(1)}`],
    ...['\u0001', '\u0300', '\u0337', '\ufe0f', '\u034f', '\u3164', '\u{e0100}', '\u0489'].flatMap((sign) =>
      [EVM, BITCOIN].map(
        (address) => [address, `${address.slice(0, 12)}${sign}${address.slice(12)}`] as const,
      ),
    ),
    [BITCOIN, `bitcoin:${BITCOIN}`],
    [BITCOIN, `BITCOIN:${BITCOIN}?amount=0.1&label=a`],
    [BITCOIN, `bip122:000000000019d6689c085ae165831e93:${BITCOIN}`],
    [TON, 'ton://transfer/UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz?amount=1'],
  ])('%s is found in %s', (address, text) => {
    const ids = listed.flatMap(({ sourceId, wallets }) =>
      wallets[0]?.address === address ? [sourceId] : [],
    );
    expect(inTable(text).map(({ entry }) => entry.sourceId)).toEqual(ids);
  });

  test.each(['xdc', 'ethereum:', `ethereum:${EVM}00`, `x${EVM}00`, `ethereum:${'0x1/'.repeat(60)}`])(
    'another text is none: %s',
    (text) => expect(inTable(text)).toEqual([]),
  );

  test('is found by the database', async () => {
    const version = await activateList(pool, 'EU_FSF', listed);
    const lists = [{ code: 'EU_FSF', version, publishedAt: null }];
    const { matches } = await databaseSearch(pool).findWallet(`ethereum:${EVM}@1`, lists);
    expect(matches.map(({ entry }) => entry.sourceId)).toEqual(['wrapped 0']);
  });
});

test('the migration gives entries of the version before the keys that they lack, once', async () => {
  const keys = 'select entry_id, asset, address, address_key from sanctions_wallets order by 1, 2, 3, 4';
  const before = (await pool.query(keys)).rows;
  await pool.query(
    `delete from sanctions_wallets where address_key not in (lower(btrim(address)), '0x' || lower(address))`,
  );
  expect((await pool.query(keys)).rows.length).toBeLessThan(before.length);
  const db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  try {
    await db.transaction(up);
    await db.transaction(up);
  } finally {
    await db.destroy();
  }
  expect((await pool.query(keys)).rows).toEqual(before);
});

describe.each([
  ['script', '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj'],
  ['key', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
])('a %s that Bitcoin, Bitcoin Cash and Litecoin spell each in its own way', (_, address) => {
  const spellings = sharedSpellings(address);
  const listed = spellings.map((text, place) =>
    listEntry(`shared ${place}`, `Sharer ${place}`, { wallets: [{ asset: 'XBT', address: text }] }),
  );
  const ids = listed.map(({ sourceId }) => sourceId);
  const forms = spellings.flatMap((text) => [text, text.replace('bitcoincash:', ''), ` ${text} `]);

  test('is found under all of them, whichever the list publishes', () => {
    const inTable = findWalletAmong(listed);
    for (const form of forms) {
      expect(inTable(form).map(({ entry, wallets }) => [entry.sourceId, wallets.length])).toEqual(
        ids.map((id) => [id, 1]),
      );
    }
  });

  test('is found in lists that the version before has stored', async () => {
    const version = await activateList(pool, 'UN_SC', listed);
    // It stored the address as published and, where that is another one, in the form of a chain that reads it.
    await pool.query(
      `delete from sanctions_wallets w using sanctions_entries e
       where e.id = w.entry_id and e.code = 'UN_SC' and w.address_key <> lower(w.address)`,
    );
    const lists = [{ code: 'UN_SC', version, publishedAt: null }];
    for (const form of forms) {
      const { matches } = await databaseSearch(pool).findWallet(form, lists);
      expect(matches.map(({ entry }) => entry.sourceId)).toEqual(ids);
    }
  });

  test('is no new wallet of an entry that lists it in another spelling', () => {
    for (const previous of listed) {
      for (const { wallets } of listed) expect(isAdded({ ...previous, wallets }, previous)).toBe(false);
    }
    const [first] = listed;
    if (!first) throw new Error('no spelling');
    const other = { asset: 'XBT', address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' };
    expect(isAdded({ ...first, wallets: [...first.wallets, other] }, first)).toBe(true);
  });
});

const TON_FRIENDLY = 'UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz';
const TON_RAW = '0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7';
test.each([
  TON_RAW,
  `ton://transfer/${TON_RAW}?amount=1`,
  `ton:${TON_RAW}`,
  `https://tonviewer.com/${TON_RAW}`,
  `${TON_RAW} (TON)`,
])('the raw address of TON in %s is the friendly one', (text) => {
  const listed = walletKeys(TON_FRIENDLY);
  expect(walletKeys(text).some((key) => listed.includes(key))).toBe(true);
});
