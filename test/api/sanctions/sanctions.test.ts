import type { ScreeningSummary } from '../../../domain/sanctions-screening/history.ts';
import type { MatchView, SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import { SCREENING_DEFAULTS } from '../../../domain/sanctions-screening/settings.ts';
import type { Suppression } from '../../../domain/sanctions-screening/suppression.ts';
import { removeExpired } from '../../../db/housekeeping/remove-expired.ts';
import type { ScreeningRequest } from '../../../sanctions-index/screen-subjects.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest, startSecondApi } from '../../use-api.ts';

const ADDRESS = `0x${'8f'.repeat(20)}`;
const rasputin = listEntry('101', 'RASPUTIN, Grigori Yefimovich', {
  names: [
    { text: 'RASPUTIN, Grigori Yefimovich', kind: 'primary' },
    { text: 'Grigory Novykh', kind: 'aka' },
    { text: 'Starets Quorvin', kind: 'weak' },
  ],
  birthDates: ['1869-01-21'],
  gender: 'male',
  countries: ['RU'],
  identifiers: [{ kind: 'passport', value: 'RU 77-123456' }],
  wallets: [{ asset: 'XBT', address: ADDRESS }],
  programs: ['SDGT', 'CYBER2'],
  remarks: 'Secondary sanctions risk: section 1(b) of Executive Order 13224',
});
const trading = listEntry('202', 'Petrograd General Trading LLC', {
  type: 'organisation',
  listings: [
    {
      authority: 'Some Council',
      listName: 'Its list',
      listingId: 'SC-9',
      programs: ['X'],
      listedOn: '2020-02-03',
      endsOn: '2020-12-31',
      reason: 'Trading',
      links: ['https://example.org/9'],
      types: ['travel ban'],
    },
  ],
});

const { api, database } = useApi({
  config: { RATE_LIMIT_SCREENING: 0, RATE_LIMIT_WRITES: 0 },
  pollMs: 200,
});
const tenant = useTenantPerTest(api);

type Problem = { code: string; detail: string; errors: { pointer: string; code: string }[] };
const search = async (body: Json, by: Pick<TestTenant, 'post'> = tenant) =>
  await by.post<SanctionsScreening>('/sanctions/search', body);
const find = async (body: Json) => (await search(body)).body;
const screenAddress = async (address: string) =>
  await tenant.get<SanctionsScreening>(`/sanctions/addresses/${encodeURIComponent(address)}`);
const history = async (query = '') => await tenant.get<ScreeningSummary[]>(`/sanctions/history${query}`);
/** All that stands in a table, its bytes as letters. */
async function readable(table: string, bytes: string): Promise<string> {
  const { rows } = await database.pool.query<{ text: string; bytes: Buffer }>(
    `select t::text as text, ${bytes} as bytes from ${table} t`,
  );
  expect(rows.length).toBeGreaterThan(0);
  return rows.map((row) => row.text + row.bytes.toString('latin1')).join();
}

const stored = async () =>
  (await database.pool.query<{ count: number }>('select count(*)::int as count from screenings')).rows[0]
    ?.count;

test('503: without an active list nobody and nothing is called clean, and the operator is told what to do', async () => {
  for (const answer of [await search({ name: 'Anybody' }), await screenAddress(ADDRESS)]) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
    expect((answer.body as unknown as Problem).detail).toContain('/operator/lists');
    expect(answer.headers.get('Retry-After')).toBe('60');
  }
  expect(await stored()).toBe(0);
  await activateList(database.pool, 'OFAC_SDN', [rasputin, trading]);
});

describe('200: a search', () => {
  test('shows the entry whole: where it stands, why it matched, the matched alias first', async () => {
    const asked = { type: 'NATURAL', name: ' Grigory Novykh ', dateOfBirth: '1869-01-21' };
    // Until the list is loaded no answer is complete.
    const { status, body } = await eventually(
      async () => await search(asked),
      ({ body: { answeredBy } }) => answeredBy === 'INDEX',
    );
    expect(status).toBe(200);
    const { matches, ...rest } = body;
    expect(rest).toEqual({
      id: expect.any(String),
      kind: 'NAME',
      screenedName: 'Grigory Novykh',
      sanctioned: true,
      totalMatches: 1,
      suppressedMatches: 0,
      complete: true,
      missingLists: [],
      lists: [{ code: 'OFAC_SDN', version: 1, publishedAt: '2026-11-01T00:00:00.000Z' }],
      thresholds: { review: 0.72, match: 0.88 },
      answeredBy: 'INDEX',
      engineVersion: '18',
      screenedAt: expect.any(String),
      askedBy: { kind: 'API_KEY', id: tenant.apiKeyId },
      request: { type: 'NATURAL', name: ' Grigory Novykh ', dateOfBirth: '1869-01-21' },
    });
    expect(matches).toEqual([
      {
        name: 'RASPUTIN, Grigori Yefimovich',
        categories: ['sanction', 'person', 'terrorism', 'cyber'],
        countries: ['RU'],
        aliases: ['Grigory Novykh', 'Starets Quorvin'],
        flagSummary: ['OFAC SDN', 'Secondary sanctions risk', 'Name 1.00 via a.k.a.', 'Birth date agrees'],
        riskLevel: 'high',
        riskScore: 100,
        sanctions: [
          {
            countries: ['US'],
            listedOn: [],
            delistedOn: [],
            listingId: ['101'],
            reason: [rasputin.remarks],
            referenceLinks: ['https://sanctionssearch.ofac.treas.gov/Details.aspx?id=101'],
            sanctionAuthority: [expect.stringContaining('OFAC')],
            sanctionList: ['Specially Designated Nationals and Blocked Persons List'],
            sanctionProgram: ['SDGT', 'CYBER2'],
            sanctionType: ['blocking'],
            status: ['active'],
            duration: ['indefinite'],
          },
        ],
        type: 'person',
        listCode: 'OFAC_SDN',
        listingId: '101',
        listVersion: 1,
        entryHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        explanation: {
          matchedName: 'Grigory Novykh',
          matchedNameKind: 'aka',
          queryName: ' Grigory Novykh ',
          parts: [
            { query: 'grigory', listed: 'grigory', how: 'exact', score: 1 },
            { query: 'novykh', listed: 'novykh', how: 'exact', score: 1 },
          ],
          qualifiers: [
            { kind: 'birth_date', outcome: 'equal', query: '1869-01-21', listed: '1869-01-21', effect: 0.05 },
          ],
          score: 1,
        },
      },
    ]);
  });

  test('shows listings of other authorities as theirs, and those that have ended as such', async () => {
    const { matches } = await find({ type: 'LEGAL', name: 'Petrograd General Trading' });
    expect(matches[0]?.sanctions).toEqual([
      {
        countries: [],
        listedOn: ['2020-02-03'],
        delistedOn: [],
        listingId: ['SC-9'],
        reason: ['Trading'],
        referenceLinks: [
          'https://example.org/9',
          'https://sanctionssearch.ofac.treas.gov/Details.aspx?id=202',
        ],
        sanctionAuthority: ['Some Council'],
        sanctionList: ['Its list'],
        sanctionProgram: ['X'],
        sanctionType: ['travel ban'],
        status: ['delisted'],
        duration: ['until 2020-12-31'],
      },
    ]);
  });

  test.each<[string, Json, Partial<SanctionsScreening>]>([
    ['a clean name', { name: 'Annemarie Oberhuber' }, { sanctioned: false, totalMatches: 0 }],
    ['first and last name apart', { firstName: 'Grigori', lastName: 'Rasputin' }, { sanctioned: true }],
    [
      'an alias of the customer',
      { name: 'Xu Nobody', aliases: ['Grigori Yefimovich Rasputin'] },
      { sanctioned: true },
    ],
    ['a person sought as an organisation', { type: 'LEGAL', name: 'Grigori Rasputin' }, { totalMatches: 0 }],
    [
      'an identifier under another name',
      { name: 'Wim Other', nationalIdentificator: 'ru77 123456' },
      { sanctioned: false, totalMatches: 1 },
    ],
    [
      'an identifier under a name that is alike',
      { name: 'Gregor Raspautin', nationalIdentificator: 'ru77 123456' },
      { sanctioned: true },
    ],
    [
      'a weak alias, which never decides',
      { name: 'Starets Quorvin', dateOfBirth: '1869-01-21', gender: 'M' },
      { sanctioned: false, totalMatches: 1 },
    ],
    ['digits only', { name: '12345' }, { sanctioned: false, totalMatches: 0 }],
    ['a legal form only', { type: 'LEGAL', name: 'LLC' }, { sanctioned: false }],
    ['one letter', { name: 'a' }, { sanctioned: false, totalMatches: 0 }],
    [
      'a threshold above the match: it decides all the same',
      { name: 'Grigori Rasputin', threshold: 1 },
      { sanctioned: true, totalMatches: 0, matches: [], thresholds: { review: 1, match: 0.88 } },
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await search(body)).toMatchObject({ status: 200, body: expected });
  });

  test('zero-width joiners and marks change nothing', async () => {
    const { matches } = await find({ name: 'Gri\u200dgori \u200fRas\u200bputin\u202e' });
    expect(matches.map(({ listingId }) => listingId)).toEqual(['101']);
  });

  test('a lower threshold shows what is less like, as low risk', async () => {
    const body = { type: 'NATURAL', name: 'Grigori Smirnov' };
    // Until the list is loaded the database answers, which does not look for names that are so little alike.
    const { matches } = await eventually(
      async () => await find({ ...body, threshold: 0.1 }),
      ({ answeredBy }) => answeredBy === 'INDEX',
    );
    const levels = matches.map(({ riskLevel }) => riskLevel);
    expect((await find(body)).totalMatches).toBe(0);
    expect(new Set(levels)).toEqual(new Set(['low']));
  });

  test('the longest names that are allowed are answered within the time of a request', async () => {
    const long = (word: string) =>
      `${word} `
        .repeat(Math.ceil(1_000 / (word.length + 1)))
        .slice(0, 1_000)
        .trim();
    for (const name of ['x'.repeat(1_000), long('محمد'), long('Ivanov-Petrov'), '😀a'.repeat(300)]) {
      const startedAt = performance.now();
      expect(
        (
          await search({
            name,
            aliases: Array.from({ length: 20 }, (_, at) => `${name.slice(0, 189)} ${at}`),
          })
        ).status,
      ).toBe(200);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    }
  });

  test('a required list that is missing, too old or left out makes the answer incomplete', async () => {
    await activateList(database.pool, 'OLD_ONE', [], { checkedAt: new Date(Date.now() - 49 * 3_600_000) });
    const requiredLists = ['OFAC_SDN', 'OLD_ONE', 'UN_SC'];
    await tenant.patch('/tenant/me/settings', { screening: { requiredLists } });
    await eventually(
      async () => await find({ name: 'Anybody' }),
      ({ lists }) => lists.some(({ code }) => code === 'OLD_ONE'),
    );
    const missing = [
      { code: 'OLD_ONE', reason: 'TOO_OLD' },
      { code: 'UN_SC', reason: 'MISSING' },
    ];
    expect(await find({ name: 'Anybody' })).toMatchObject({ complete: false, missingLists: missing });
    expect((await screenAddress(ADDRESS)).body).toMatchObject({ complete: false, missingLists: missing });
    expect(await find({ name: 'Anybody', lists: ['OLD_ONE'] })).toMatchObject({
      lists: [{ code: 'OLD_ONE', version: 1 }],
      missingLists: [{ code: 'OFAC_SDN', reason: 'NOT_REQUESTED' }, ...missing],
    });
    await tenant.patch('/tenant/me/settings', { screening: { requiredLists: ['OFAC_SDN'] } });
    expect(await find({ name: 'Anybody' })).toMatchObject({ complete: true, missingLists: [] });
  });

  test("the tenant's own thresholds decide", async () => {
    const body = { type: 'NATURAL', name: 'Grigory Raspudin', dateOfBirth: '1901' };
    const before = await find({ ...body, threshold: 0 });
    const score = before.matches[0]?.explanation.score ?? 0;
    expect(before.sanctioned).toBe(false);
    const screening = { reviewThreshold: 0.5, matchThreshold: Math.max(0.5, score) };
    await tenant.patch('/tenant/me/settings', { screening });
    expect(await find(body)).toMatchObject({ sanctioned: true, thresholds: { review: 0.5 } });
  });
});

describe('an address', () => {
  test.each([
    ['as published', ADDRESS],
    ['in capitals and without 0x', ADDRESS.slice(2).toUpperCase()],
    ['with blanks around it', `  ${ADDRESS} `],
  ])('200: is found %s', async (_name, address) => {
    const { status, body } = await screenAddress(address);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'ADDRESS',
      screenedName: address.trim(),
      sanctioned: true,
      totalMatches: 1,
      request: { address: address.trim() },
    });
    expect(body.matches[0]).toMatchObject({
      name: 'RASPUTIN, Grigori Yefimovich',
      riskScore: 100,
      riskLevel: 'high',
      flagSummary: ['OFAC SDN', 'Secondary sanctions risk', 'Listed crypto address (XBT)'],
      explanation: { matchedName: null, score: 1, qualifiers: [{ kind: 'wallet', listed: ADDRESS }] },
    });
  });

  test('200: that nobody lists is clean, whatever it looks like', async () => {
    for (const address of ['bc1qnobody', '%', '0x', 'ж'.repeat(200)]) {
      expect(await screenAddress(address)).toMatchObject({
        status: 200,
        body: { sanctioned: false, matches: [] },
      });
    }
  });

  test('404: no address is a path that does not exist', async () => {
    expect(await screenAddress(' ')).toMatchObject({ status: 404 });
    expect(await screenAddress('x'.repeat(257))).toMatchObject({ status: 404 });
  });
});

describe('400', () => {
  test.each<[Json, string, string]>([
    [{}, '/name', 'required'],
    [{ firstName: 'Only' }, '/name', 'required'],
    [{ name: '' }, '/name', 'empty_string'],
    [{ name: 'x'.repeat(1_001) }, '/name', 'too_big'],
    [{ name: '😀' }, '/name', 'not_searchable'],
    [{ name: '\u200f\u200d' }, '/name', 'not_searchable'],
    [{ name: '... --' }, '/name', 'not_searchable'],
    [{ firstName: '?', lastName: '!' }, '/lastName', 'not_searchable'],
    [{ name: 'A', aliases: ['B', '💥'] }, '/aliases/1', 'not_searchable'],
    [{ name: 'A', aliases: ['x'.repeat(201)] }, '/aliases/0', 'too_big'],
    [{ name: 'A', aliases: Array.from({ length: 21 }, () => 'B') }, '/aliases', 'too_big'],
    [{ name: 'A', dateOfBirth: '2001-02-30' }, '/dateOfBirth', 'invalid'],
    [{ name: 'A', dateOfBirth: '01.02.2001' }, '/dateOfBirth', 'invalid'],
    [{ name: 'A', dateOfBirth: '1999-13' }, '/dateOfBirth', 'invalid'],
    [{ name: 'A', dateOfBirth: 'not a date' }, '/dateOfBirth', 'invalid'],
    [{ name: 'A', dateOfBirth: '2999' }, '/dateOfBirth', 'date_in_future'],
    [{ name: 'A', nationality: 'Atlantis' }, '/nationality', 'invalid'],
    [{ name: 'A', gender: 'unsure' }, '/gender', 'invalid_value'],
    [{ name: 'A', lei: 'X' }, '/lei', 'invalid'],
    [{ name: 'A', threshold: 72 }, '/threshold', 'too_big'],
    [{ name: 'A', lists: [] }, '/lists', 'too_small'],
    [{ name: 'A', lists: ['OFAC_SDN', 'NO_SUCH'] }, '/lists/1', 'unknown_list'],
    [{ name: 'A', type: 'ROBOT' }, '/type', 'invalid_value'],
    [{ name: 'A', fuzzy: true }, '/fuzzy', 'unknown_field'],
  ])('%j', async (body, pointer, code) => {
    const before = await stored();
    const answer = await tenant.post<Problem>('/sanctions/search', body);
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer, code }]]);
    expect(await stored()).toBe(before);
  });
});

describe('who may, and how often', () => {
  test('403: OBSERVER reads and does not search by name; COMPLIANCE does', async () => {
    const [observer, compliance] = [await tenant.as('OBSERVER'), await tenant.as('COMPLIANCE')];
    expect(await search({ name: 'Anybody' }, observer)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await search({ name: 'Anybody' }, compliance)).status).toBe(200);
    expect((await observer.get('/sanctions/history')).status).toBe(200);
  });

  test('429: the budget of screenings is used up, that of reads is not', async () => {
    const limited = await startSecondApi(api, { config: { RATE_LIMIT_SCREENING: 2 } });
    const ask = async () =>
      await limited.request('POST', '/sanctions/search', { key: tenant.apiKey, body: { name: 'Anybody' } });
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429]);
    expect((await limited.request('GET', '/sanctions/history', { key: tenant.apiKey })).status).toBe(200);
  });

  test('a repeat under an Idempotency-Key gets the first answer and is one screening; another body is 422', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await tenant.post('/sanctions/search', { name: 'Grigori Rasputin' }, { headers });
    const twins = await Promise.all(
      [1, 2].map(
        async () => await tenant.post('/sanctions/search', { name: 'Grigori Rasputin' }, { headers }),
      ),
    );
    for (const twin of twins) {
      expect(twin).toMatchObject({ status: 200, body: first.body });
      expect(twin.headers.get('Idempotency-Replayed')).toBe('true');
    }
    expect((await history()).body).toHaveLength(1);
    expect(await tenant.post('/sanctions/search', { name: 'Other' }, { headers })).toMatchObject({
      status: 422,
    });
  });
});

describe('the history', () => {
  test('gives every answer back byte for byte, and lists them newest first with an exact count', async () => {
    const asked = await fetch(`${api.url}/sanctions/search`, {
      method: 'POST',
      headers: { 'X-Api-Key': tenant.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Grigori Rasputin', type: 'NATURAL', country: 'Russia' }),
    });
    const text = await asked.text();
    const { id } = JSON.parse(text) as SanctionsScreening;
    const kept = await fetch(`${api.url}/sanctions/history/${id}`, {
      headers: { 'X-Api-Key': tenant.apiKey },
    });
    expect(await kept.text()).toBe(text);
    const clean = await find({ name: 'Annemarie Oberhuber' });
    const address = (await screenAddress(ADDRESS)).body;
    const { body, headers } = await history();
    expect(body.map((item) => item.id)).toEqual([address.id, clean.id, id]);
    expect(headers.get('X-Total-Count')).toBe('3');
    const {
      matches: _,
      missingLists: _missing,
      thresholds: _thresholds,
      request: _request,
      ...summary
    } = clean;
    expect(body[1]).toEqual(summary);
  });

  test.each([
    ['?_sanctioned=true', [2, 1]],
    ['?_sanctioned=false', [0]],
    ['?_kind=ADDRESS', [2]],
    ['?_kind=NAME&_order=ASC&_sort=screenedAt', [0, 1]],
    ['?_start=1&_end=2', [1]],
    ['?q=grigori%20RASPUTIN', [1]],
    ['?q=grigori', [1]],
    ['?q=RASP%20grig', [1]],
    ['?q=asputin', []],
    ['?q=grigori%20oberhuber', []],
  ])('%s', async (query, expected) => {
    const ids = [
      (await find({ name: 'Annemarie Oberhuber' })).id,
      (await find({ name: 'Grigóri Rasputin' })).id,
      (await screenAddress(ADDRESS)).body.id,
    ];
    expect((await history(query)).body.map(({ id }) => id)).toEqual(expected.map((place) => ids[place]));
    expect((await history(`?q=${ids[0]}`)).body.map(({ id }) => id)).toEqual([ids[0]]);
  });

  test('404 for none, 400 for an unknown filter', async () => {
    const unknown = await tenant.get('/sanctions/history/0190d1a2-7b3c-7def-8123-456789abcdef');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await history('?_sanctioned=maybe')).status).toBe(400);
  });

  test('holds nothing readable of who was screened, and loses what is older than five years', async () => {
    const secret = 'Zyxwvut Quellario';
    await find({ name: secret, placeOfBirth: 'Quellariograd', nationalIdentificator: 'QUELLARIO-7' });
    expect(await readable('screenings', 'subject || answer')).not.toMatch(/quellari|rasputin/i);
    expect(JSON.stringify(api.log)).not.toMatch(/quellari|rasputin/i);
    await database.pool.query(
      `update screenings set created_at = now() - interval '1828 days' where tenant_id = $1`,
      [tenant.id],
    );
    const count = (await stored()) ?? 0;
    expect(await removeExpired(api.db.pool, 'screenings', 10)).toBe(1);
    expect(await stored()).toBe(count - 1);
  });

  test('an old page is found by its index', async () => {
    const client = await database.pool.connect();
    await client.query('begin; set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select id from screenings where tenant_id = $1 and sanctioned order by created_at desc, id desc offset 500 limit 100`,
      [tenant.id],
    );
    await client.query('rollback');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/screenings_(sanctioned|created)/);
    expect(plan).not.toContain('Sort');
  });
});

describe('a match that is a false positive', () => {
  const subject = { type: 'NATURAL', name: 'Grigori Rasputin', dateOfBirth: '1988-05-05' };
  const suppress = async (screening: SanctionsScreening, match: Partial<MatchView> = {}, more: Json = {}) => {
    const { listCode, listingId } = { ...screening.matches[0], ...match };
    const body = { screeningId: screening.id, listCode, listingId, ...more };
    return await tenant.post<Suppression & Problem>('/sanctions/suppressions', body);
  };

  test('201: stays away for this subject, is counted, comes back when the entry changes or it is deleted', async () => {
    const first = await find(subject);
    const made = await suppress(first, {}, { note: 'Another man: seen his passport' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        screeningId: first.id,
        screenedName: 'Grigori Rasputin',
        listCode: 'OFAC_SDN',
        listingId: '101',
        name: 'RASPUTIN, Grigori Yefimovich',
        entryHash: first.matches[0]?.entryHash,
        note: 'Another man: seen his passport',
        madeBy: { kind: 'API_KEY', id: tenant.apiKeyId },
      },
    });
    const without = { sanctioned: false, totalMatches: 0, matches: [], suppressedMatches: 1 };
    expect(await find(subject)).toMatchObject(without);
    expect(await find({ ...subject, name: 'GRIGORI  Raspútin' })).toMatchObject(without);
    // Somebody else, and somebody else's customer.
    expect(await find({ ...subject, dateOfBirth: '1988-05-06' })).toMatchObject({ totalMatches: 1 });
    const other = await createTenant(api);
    expect((await search(subject, other)).body).toMatchObject({ totalMatches: 1, suppressedMatches: 0 });

    await tenant.delete(`/sanctions/suppressions/${made.body.id}`);
    expect(await find(subject)).toMatchObject({ totalMatches: 1, suppressedMatches: 0 });
    await suppress(first);
    await activateList(database.pool, 'OFAC_SDN', [{ ...rasputin, title: 'Monk' }, trading]);
    const changed = await eventually(
      async () => await find(subject),
      ({ lists }) => lists.some(({ version }) => version > 1),
    );
    expect(changed).toMatchObject({ totalMatches: 1, suppressedMatches: 0 });
  });

  test('the list shows them newest first and nothing of it is stored in clear', async () => {
    const one = (await suppress(await find({ name: 'Grigori Rasputin' }), {}, { note: 'Quellario note' }))
      .body;
    const two = (await suppress(await find({ type: 'LEGAL', name: 'Petrograd General Trading' }))).body;
    const { body, headers } = await tenant.get<Suppression[]>('/sanctions/suppressions');
    expect(body).toEqual([two, one]);
    expect(headers.get('X-Total-Count')).toBe('2');
    expect((await tenant.get('/sanctions/suppressions?q=202')).body).toEqual([two]);
    expect((await tenant.get('/sanctions/suppressions?_listCode=UN_SC')).body).toEqual([]);
    expect(await readable('screening_suppressions', 'details')).not.toMatch(/quellari|rasputin/i);
  });

  test('409 for the second time, with the id of the first; 422 and replay under an Idempotency-Key', async () => {
    const screening = await find({ name: 'Grigori Rasputin' });
    const { id } = (await suppress(screening)).body;
    expect(await suppress(screening)).toMatchObject({ status: 409, body: { code: 'conflict', id } });
  });

  test('409: an address that is listed is no false positive', async () => {
    const { body } = await screenAddress(ADDRESS);
    expect(await suppress(body)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('400 for a match that is not there, 404 for a screening or suppression that is not', async () => {
    const screening = await find({ name: 'Grigori Rasputin' });
    const wrong = await suppress(screening, { listingId: '9' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/listingId', code: 'no_such_match' }] },
    });
    const id = '0190d1a2-7b3c-7def-8123-456789abcdef';
    expect((await suppress({ ...screening, id })).status).toBe(404);
    expect((await tenant.delete(`/sanctions/suppressions/${id}`)).status).toBe(404);
  });
});

test('what the service screens for itself is kept like any other', async () => {
  const subjects: ScreeningRequest['subject'][] = [
    { kind: 'NAME', body: { name: 'Grigori Rasputin' } },
    { kind: 'ADDRESS', address: ADDRESS },
  ];
  const asked = {
    tenantId: tenant.id,
    settings: SCREENING_DEFAULTS,
    hasSuppressions: true,
    askedBy: { kind: 'SYSTEM' as const, id: null },
  };
  for (const subject of subjects) {
    const prepared = await api.deps.subjects.prepare({ ...asked, subject });
    await api.deps.subjects.store(prepared);
    expect(prepared.screening).toMatchObject({ sanctioned: true, askedBy: asked.askedBy });
    expect((await tenant.get(`/sanctions/history/${prepared.screening.id}`)).body).toEqual(
      prepared.screening,
    );
  }
});
