import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { openPool } from '../../db/postgres.ts';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { SanctionsQuery } from '../../domain/sanctions/sanctions-query.ts';
import type { UsedList } from '../../domain/sanctions-screening/list-state.ts';
import { createLog } from '../../process/log.ts';
import { openScreener } from '../../sanctions-index/open-screener.ts';
import type { SanctionsScreener } from '../../sanctions-index/open-screener.ts';
import type { Json } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';

const NAMES = ['Ivanov', 'Petrov', 'Hassan', 'Kim', 'Okafor', 'Lopez', 'Schmidt', 'Tanaka', 'Rossi', 'Novak'];
const GIVEN = ['Sergei', 'Mohamed', 'Jong', 'Amara', 'Carlos', 'Greta', 'Yuki', 'Marco', 'Jana', 'Omar'];
/** A hundred persons, some of them with what an entry can have. */
const people: ListEntry[] = NAMES.flatMap((family, f) =>
  GIVEN.map((given, g) =>
    listEntry(String(f * 10 + g), `${family.toUpperCase()}, ${given}`, {
      names: [
        { text: `${family.toUpperCase()}, ${given}`, kind: 'primary' },
        { text: `${given} ${family} al-${NAMES[g]}`, kind: g === 3 ? 'weak' : 'aka' },
      ],
      birthDates: [`19${50 + g}`],
      countries: ['IR'],
      identifiers: [{ kind: 'passport', value: `P-0000${f}${g}` }],
      wallets: g === 0 ? [{ asset: 'ETH', address: `0x${String(f).repeat(40)}` }] : [],
    }),
  ),
);
const QUERIES: SanctionsQuery[] = [
  { type: 'NATURAL', names: ['Sergei Ivanov'] },
  { names: ['Sergey Iwanov', 'Somebody Else'] },
  { type: 'NATURAL', names: ['Mohamad Hasan'], birthDate: '1951', countries: ['IR'] },
  { type: 'NATURAL', names: ['Marko Rosi'], birthDate: '1990-01-01' },
  { type: 'NATURAL', names: ['Amara Lopez Kim'] },
  {
    type: 'NATURAL',
    names: ['Nobody Whatsoever'],
    identifiers: [{ value: 'p 000077', kinds: ['passport'], countries: [] }],
  },
  { type: 'LEGAL', names: ['Sergei Ivanov'] },
  { type: 'NATURAL', names: ['Сергей Иванов'] },
];
const OPTIONS = { limit: 100, threshold: 0.72 };

let database: TestDatabase;
let pool: pg.Pool;
let screener: SanctionsScreener;
const log: Json[] = [];
let asking = false;
const asks = jest.spyOn(Worker.prototype, 'postMessage');
/** The threads that were asked something. */
const threads = () => [...new Set(asks.mock.contexts)] as Worker[];

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, 4, () => undefined);
  screener = open();
});
afterAll(async () => {
  asking = false;
  await screener.close();
  asks.mockRestore();
  await pool.end();
  await database.drop();
});

function open(): SanctionsScreener {
  const write = (line: string) => void log.push(JSON.parse(line) as Json);
  return openScreener({
    pool,
    databaseUrl: database.url,
    pollMs: 50,
    log: createLog('test', 'info', { write }),
  });
}

const search = async (query: SanctionsQuery, from = screener) =>
  await from.searchName('tenant', { query, options: OPTIONS });
const answersOf = async (from = screener) =>
  await Promise.all(QUERIES.map(async (query) => await search(query, from)));
const bestOf = (answers: { matches: readonly unknown[] }[]) => answers.map(({ matches }) => matches[0]);
const matchesOf = (answers: { matches: unknown }[]) => JSON.stringify(answers.map(({ matches }) => matches));
const loads = () => log.filter(({ msg }) => msg === 'the sanctions lists are in memory').length;
const untilIndex = async (isThere: (lists: readonly UsedList[]) => boolean, from = screener) =>
  await eventually(
    async () => await search({ names: ['Greta Novak'] }, from),
    ({ answeredBy, lists }) => answeredBy === 'INDEX' && isThere(lists),
  );

const ADDRESS = `0x${'1'.repeat(39)}a`;
const walletsOf = async () =>
  await Promise.all(
    [ADDRESS, ADDRESS.toUpperCase(), ` ${ADDRESS.slice(2)} `].map(
      async (address) => await screener.findWallet(address),
    ),
  );

test('without a list nothing is answered, and a list that becomes active is seen with the next question', async () => {
  const refused = { code: 'temporarily_unavailable' };
  await expect(search({ names: ['Kim'] })).rejects.toMatchObject(refused);
  await expect(screener.findWallet('0x1')).rejects.toMatchObject(refused);
  await activateList(database.pool, 'OFAC_SDN', people);
  expect((await search({ names: ['Sergei Ivanov'] })).answeredBy).toBe('DATABASE');
});

test('the database answers with the best match that the index gives, and so does another index', async () => {
  const other = open();
  const fromDatabase = [await search(QUERIES[0]!, other), ...(await answersOf(other))];
  expect(fromDatabase[0]?.answeredBy).toBe('DATABASE');
  await untilIndex(() => true);
  const answers = await answersOf();
  expect(answers.map(({ answeredBy }) => answeredBy)).toEqual(answers.map(() => 'INDEX'));
  expect(answers.map(({ matches }) => matches.length > 0)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(bestOf(fromDatabase.slice(1))).toEqual(bestOf(answers));
  await untilIndex(() => true, other);
  expect(matchesOf(await answersOf(other))).toBe(matchesOf(answers));
  await other.close();
});

test('a tenant with more searches than may wait neither keeps others waiting nor gets them refused', async () => {
  await untilIndex(() => true);
  let answered = 0;
  const many = Array.from({ length: 2_200 }, async (_, n) => {
    const query = { names: [`Sergei Ivanov ${n}`] };
    await screener.searchName('busy', { query, options: OPTIONS });
    answered += 1;
  });
  const all = Promise.allSettled(many);
  const { answeredBy } = await screener.searchName('other', { query: { names: ['Kim'] }, options: OPTIONS });
  expect([answeredBy, answered < 200]).toEqual(['INDEX', true]);
  const refused = (await all).flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  expect(refused[0]).toMatchObject({ code: 'temporarily_unavailable' });
  expect(answered + refused.length).toBe(2_200);
});

test('lists that change together are loaded once; only those that are asked for are searched', async () => {
  const before = loads();
  const own = people.slice(0, 10);
  const wallets = ['ETH', 'USDT'].map((asset) => ({
    asset,
    address: ADDRESS.toUpperCase().replace('0X', '0x'),
  }));
  await Promise.all([
    activateList(database.pool, 'OWN', own),
    activateList(database.pool, 'OTHER', [listEntry('w', 'Somebody', { wallets })]),
  ]);
  await untilIndex((lists) => lists.length === 3);
  expect(loads()).toBeLessThanOrEqual(before + 2);
  const of = async (lists: string[]) => {
    const options = { ...OPTIONS, lists };
    const { matches } = await screener.searchName('tenant', { query: { names: ['Sergei Ivanov'] }, options });
    return new Set(matches.map(({ entry }) => entry.list));
  };
  expect(await of(['OWN'])).toEqual(new Set(['OWN']));
  expect(await of(['OFAC_SDN', 'OWN'])).toEqual(new Set(['OFAC_SDN', 'OWN']));
  for (const { matches, answeredBy } of await walletsOf()) {
    expect({ matches, answeredBy }).toEqual({
      matches: [expect.objectContaining({ wallets, version: 1 })],
      answeredBy: 'INDEX',
    });
  }
  expect((await screener.findWallet('0x00')).matches).toEqual([]);
});

test('a version that becomes active while hundreds ask loses no answer, and each answer is of one version', async () => {
  asking = true;
  const versions = new Set<number | undefined>();
  let answered = 0;
  const versionOf = (lists: readonly UsedList[]) => lists.find(({ code }) => code === 'OFAC_SDN')?.version;
  const askers = Array.from({ length: 40 }, async (_, asker) => {
    while (asking) {
      const { matches, lists } = await search({ type: 'NATURAL', names: [`Omar ${NAMES[asker % 10]}`] });
      versions.add(versionOf(lists));
      const of = matches.filter(({ entry }) => entry.list === 'OFAC_SDN').map(({ version }) => version);
      expect(new Set(of)).toEqual(new Set([versionOf(lists)]));
      answered += 1;
    }
  });
  await activateList(database.pool, 'OFAC_SDN', people.slice(0, 95));
  await untilIndex((lists) => versionOf(lists) === 2);
  // Hundreds, however quickly the new version was there.
  await eventually(
    () => answered,
    (count) => count > 300,
  );
  asking = false;
  await Promise.all(askers);
  expect([...versions].sort()).toEqual([1, 2]);
  // The thread of the old version is gone once its last answer was given.
  await eventually(
    async () => await Promise.resolve(threads().filter(({ threadId }) => threadId !== -1).length),
    (alive) => alive === 1,
  );
});

test('a thread that dies loses no answer: the database stands in until another one is loaded', async () => {
  const before = loads();
  const asked = Array.from({ length: 60 }, async (_, place) => await search(QUERIES[place % 6]!));
  await Promise.all(threads().map(async (thread) => await thread.terminate()));
  const wallets = await walletsOf();
  expect(wallets.map(({ matches, answeredBy }) => [matches.length, answeredBy])).toEqual(
    wallets.map(() => [1, 'DATABASE']),
  );
  const answers = await Promise.all(asked);
  expect(answers.map(({ matches }) => matches.length > 0)).toEqual(answers.map(() => true));
  expect(answers.some(({ answeredBy }) => answeredBy === 'DATABASE')).toBe(true);
  expect(log).toContainEqual(
    expect.objectContaining({ level: 'error', msg: expect.stringContaining('has ended') }),
  );
  await untilIndex(() => true);
  expect(loads()).toBe(before + 1);
});

test('two thousand may wait, the next is told to come back', async () => {
  const asked = Array.from({ length: 2_000 }, async () => await search({ names: ['x'] }));
  await expect(search({ names: ['x'] })).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    details: { retryAfterSeconds: 1 },
  });
  expect(await Promise.all(asked)).toHaveLength(2_000);
  expect((await search({ names: ['x'] })).answeredBy).toBe('INDEX');
});
