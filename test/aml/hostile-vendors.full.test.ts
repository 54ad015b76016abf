import fc from 'fast-check';
import { analyseTransaction, analyseWallet } from '../../aml/analyse.ts';
import { amlbot } from '../../aml/amlbot.ts';
import { crystal } from '../../aml/crystal.ts';
import { httpProvider } from '../../aml/http-provider.ts';
import { openAml, type Aml, type AmlOptions } from '../../aml/open-aml.ts';
import { recheck } from '../../aml/recheck.ts';
import { scorechain } from '../../aml/scorechain.ts';
import { readSettings } from '../../process/settings.ts';
import { putServiceKey } from '../../db/aml/service-keys.ts';
import { findingOf, type AmlSubject } from '../../domain/aml/finding.ts';
import type { ProviderCode, PutServiceKeyBody } from '../../domain/aml/service-key.ts';
import { severityOf } from '../../domain/aml/severity.ts';
import { startTestApi, type Json, type TestApi } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { selfSigned } from '../factories/self-signed.ts';
import { createTenant } from '../factories/tenant.ts';
import { evmAddress, evmHash } from '../factories/transaction.ts';
import { fakeVendor, type FakeVendor, type VendorReply } from '../fakes/aml-vendor.ts';
import {
  AMLBOT_KEY,
  amlbotAnswer,
  CRYSTAL_KEY,
  crystalAnswer,
  fakeAmlbot,
  fakeCrystal,
  fakeScorechain,
  SCORECHAIN_KEY,
  scorechainAnswer,
} from './vendors.ts';

type VendorCode = Exclude<ProviderCode, 'builtin'>;

let database: TestDatabase;
let api: TestApi;
let vendors: Record<VendorCode, FakeVendor>;
let aml: Aml;
let nowMs = Date.parse('2026-11-21T12:00:00Z');
const troubles: Json[] = [];

/** Answers that come are waited for on a busy machine, too; the clock of lifetimes and breakers is the test's own. */
function open(options: Partial<AmlOptions> = {}): Aml {
  return openAml({
    db: api.db,
    settings: {
      ENVIRONMENT: 'sandbox',
      AMLBOT_URL: vendors.amlbot.url,
      CRYSTAL_URL: vendors.crystal.url,
      SCORECHAIN_URL: vendors.scorechain.url,
    },
    onTrouble: (trouble) => void troubles.push({ ...trouble }),
    now: () => new Date(nowMs),
    http: { timeoutMs: 30_000 },
    retryPolicy: { retryMs: [10, 20], maxWaitMs: 1_500 },
    waitMs: 30_000,
    ...options,
  });
}

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  vendors = { amlbot: await fakeAmlbot(), crystal: await fakeCrystal(), scorechain: await fakeScorechain() };
  aml = open();
});
afterAll(async () => {
  await api.stop();
  for (const vendor of Object.values(vendors)) vendor.stop();
  await database.drop();
});
beforeEach(() => {
  for (const vendor of Object.values(vendors)) vendor.seen.length = vendor.script.length = 0;
  troubles.length = 0;
});

const BODIES: Record<VendorCode, PutServiceKeyBody> = {
  amlbot: { feature: 'aml_check', provider: 'amlbot', key: AMLBOT_KEY },
  crystal: { feature: 'aml_check', provider: 'crystal', key: CRYSTAL_KEY },
  scorechain: { feature: 'aml_check', provider: 'scorechain', key: SCORECHAIN_KEY },
};
const CODES = Object.keys(BODIES) as VendorCode[];
const ADAPTERS = { amlbot, crystal, scorechain };

async function tenantWith(provider: VendorCode): Promise<string> {
  const { id } = await createTenant(api);
  await putServiceKey(api.db, id, BODIES[provider], new Date(nowMs));
  return id;
}

const wallet = () => ({ blockchain: 'Ethereum', address: evmAddress() });

async function keyStatus(tenantId: string) {
  const { rows } = await database.pool.query<{ refused_status: number | null }>(
    'select refused_status from service_keys where tenant_id = $1',
    [tenantId],
  );
  return rows[0]?.refused_status;
}

async function rowsOf(tenantId: string) {
  const { rows } = await database.pool.query<Json>(
    `select state, fault, credits, repeated, provider_ref, sealed is not null as answered from aml_checks
     where tenant_id = $1 order by created_at, id`,
    [tenantId],
  );
  return rows;
}

describe('each vendor in its own words', () => {
  test('crystal: a wallet is a one-time check, signals by direction', async () => {
    const { check } = await analyseWallet(aml, await tenantWith('crystal'), wallet());
    expect(check).toMatchObject({ provider: 'crystal', providerRef: '31', credits: 1 });
    expect(check.finding).toMatchObject({
      riskScore: 90,
      counterparty: { name: 'Blender', type: 'mixing_service' },
      alerts: ['grade:high'],
    });
    expect(check.finding.exposures.map(({ type, direction }) => [type, direction])).toEqual([
      ['mixing_service', 'incoming'],
      ['exchange', 'incoming'],
      ['darkweb', 'outgoing'],
    ]);
    expect(vendors.crystal.seen[0]).toMatchObject({
      path: '/monitor/one-time-check',
      form: { currency: 'ETH' },
    });
  });

  test.each(['amlbot', 'crystal'] as const)(
    '%s: address and direction go with a transaction',
    async (code) => {
      const [txHash, address] = [evmHash(), evmAddress()];
      const transaction = { blockchain: 'eth', txHash, address, direction: 'deposit' as const };
      await analyseTransaction(aml, await tenantWith(code), transaction);
      expect(vendors[code].seen[0]?.form).toMatchObject({
        address: address.toLowerCase(),
        direction: 'deposit',
      });
      expect(Object.values(vendors[code].seen[0]?.form ?? {})).toContain(txHash);
    },
  );

  test('scorechain: 100 is safe there and 0 here, and the severity follows', async () => {
    const { check } = await analyseWallet(aml, await tenantWith('scorechain'), wallet());
    expect(check.finding).toMatchObject({
      riskScore: 95,
      originalScore: { value: 5 },
      entity: { name: 'Dark Bazaar', type: 'darkweb', country: 'XX' },
      exposures: [{ entityName: 'Blender', type: 'mixing_service', share: 0.4, amountUsd: 60_000 }],
    });
    expect(severityOf(check.finding.riskScore)).toBe('high');
    expect(JSON.parse(vendors.scorechain.seen[0]?.text ?? '')).toMatchObject({ blockchain: 'ETHEREUM' });
  });

  test.each([
    ['amlbot', { json: { result: false, description: 'Address not found' } }],
    ['crystal', { status: 404, json: { meta: { error_code: 404, error_message: 'not found' } } }],
    ['scorechain', { status: 404, json: { error: 'NOT_FOUND_WALLET' } }],
    ['scorechain', { status: 422, json: { error: 'NOT_FOUND_WALLET' } }],
  ] as const)(
    '%s: not found is no score, costs nothing and is not asked for an hour',
    async (code, reply) => {
      const [tenantId, place] = [await tenantWith(code), wallet()];
      vendors[code].script.push(reply);
      const { check, spent } = await analyseWallet(aml, tenantId, place);
      expect([check.finding, spent]).toMatchObject([
        { status: 'UNSUPPORTED', reason: 'NOT_FOUND', riskScore: null },
        0,
      ]);
      await analyseWallet(aml, tenantId, place);
      expect(vendors[code].seen).toHaveLength(1);
    },
  );

  test.each(CODES)('%s: a chain it does not know is not asked about', async (code) => {
    const near = { blockchain: 'Near', address: 'alice.near' };
    const { check } = await analyseWallet(aml, await tenantWith(code), near);
    expect(check.finding).toMatchObject({ reason: 'CHAIN_NOT_SUPPORTED', riskScore: null });
    expect(vendors[code].seen).toHaveLength(0);
  });

  test('a check that the vendor still works on is looked at again by its id, for nothing', async () => {
    const [tenantId, place] = [await tenantWith('amlbot'), wallet()];
    vendors.amlbot.script.push({ json: amlbotAnswer({ uid: 'P1', status: 'pending', riskscore: null }) });
    expect((await analyseWallet(aml, tenantId, place)).check.finding).toMatchObject({
      status: 'PENDING',
      riskScore: null,
    });
    nowMs += 31_000;
    const { check, spent } = await analyseWallet(aml, tenantId, place);
    expect([check.finding.riskScore, check.providerRef, spent]).toEqual([12, 'P1', 0]);
    expect(vendors.amlbot.seen[1]?.path).toBe('/recheck');
  });
});

test('crystal: a transaction in work is looked at by its id, a wallet, which has none to look at, is asked anew', async () => {
  const [tenantId, txHash, address] = [await tenantWith('crystal'), evmHash(), evmAddress()];
  const pending = { json: crystalAnswer({ status: 'in process', riskscore: null }) };
  vendors.crystal.script.push(pending, pending);
  await analyseTransaction(aml, tenantId, { blockchain: 'Ethereum', txHash });
  await analyseWallet(aml, tenantId, { blockchain: 'Ethereum', address });
  nowMs += 31_000;
  const transaction = await analyseTransaction(aml, tenantId, { blockchain: 'Ethereum', txHash });
  const wallets = await analyseWallet(aml, tenantId, { blockchain: 'Ethereum', address });
  expect([transaction.spent, wallets.spent]).toEqual([0, 1]);
  expect([transaction, wallets].map(({ check }) => check.finding.riskScore)).toEqual([90, 90]);
  expect(vendors.crystal.seen.map(({ method, path }) => `${method} ${path}`).slice(2)).toEqual([
    'GET /monitor/tx/31',
    'POST /monitor/one-time-check',
  ]);
});

describe('what a vendor does wrong is told in fixed words and concludes nothing', () => {
  const secret = 'Anna Keller, 0xleaked';
  const html = { text: `<html>${secret}</html>`, headers: { 'Content-Type': 'text/html' } };
  const megabytes = { text: `{"x":"${'a'.repeat(10 << 20)}"}` };
  const broken: VendorReply = (response) => {
    response.writeHead(200, { 'Content-Length': '500' }).write('{"result": tr');
    setTimeout(() => response.destroy(), 5);
  };
  const silent: VendorReply = () => undefined;
  const reset: VendorReply = (response) => response.destroy();

  test.each<[what: string, reply: VendorReply, code: string, word: string, requests: number]>([
    ['401', { status: 401, json: { error: secret } }, 'provider_error', 'KEY_REFUSED', 1],
    ['a page in the place of 403', { status: 403, ...html }, 'provider_error', 'KEY_REFUSED', 1],
    ['402', { status: 402, json: {} }, 'provider_error', 'NO_CREDITS', 1],
    ['400', { status: 400, json: { error: secret } }, 'provider_error', 'REQUEST_REFUSED', 1],
    ['500', { status: 500, ...html }, 'provider_error', 'SERVER_ERROR', 1],
    [
      'a redirect',
      { status: 302, headers: { Location: 'http://169.254.169.254/' } },
      'provider_error',
      'REDIRECTED',
      1,
    ],
    ['an answer of 10 MB', megabytes, 'provider_error', 'ANSWER_TOO_LARGE', 1],
    ['garbage with status 200', { text: secret }, 'provider_error', 'BAD_ANSWER', 1],
    ['a page with status 200', html, 'provider_error', 'BAD_ANSWER', 1],
    ['JSON of another shape', { json: [1, 2] }, 'provider_error', 'BAD_ANSWER', 1],
    ['an answer that breaks off', broken, 'provider_error', 'BAD_ANSWER', 1],
    ['silence', silent, 'provider_unavailable', 'TIMED_OUT', 1],
    ['a connection that breaks', reset, 'provider_unavailable', 'CONNECTION_LOST', 1],
  ])('%s', async (_what, reply, code, word, requests) => {
    const asked = word === 'TIMED_OUT' ? open({ http: { timeoutMs: 1_000 } }) : aml;
    for (const vendor of CODES) {
      const tenantId = await tenantWith(vendor);
      vendors[vendor].script.push(reply, reply);
      const failure = await analyseWallet(asked, tenantId, wallet()).catch((error: unknown) => error);
      expect([vendor, failure]).toMatchObject([vendor, { code }]);
      expect(String(failure)).not.toContain('Anna');
      expect([vendor, vendors[vendor].seen.length]).toEqual([vendor, requests]);
      expect(await rowsOf(tenantId)).toMatchObject([{ state: 'FAILED', fault: word, answered: false }]);
    }
    expect(troubles.map(({ fault }) => fault)).toEqual(CODES.map(() => word));
    expect(JSON.stringify(troubles)).not.toContain('Anna');
  });

  test.each<[vendor: VendorCode, what: string, json: unknown]>([
    ['amlbot', 'no score', amlbotAnswer({})],
    ['amlbot', 'a score in words', amlbotAnswer({ riskscore: '0.1' })],
    ['amlbot', 'a score out of its scale', amlbotAnswer({ riskscore: 12 })],
    ['amlbot', 'shares in words', amlbotAnswer({ riskscore: 0.1, signals: { mixer: 'much' } })],
    ['amlbot', 'no data', { result: true }],
    ['amlbot', 'a refusal without reason', { result: false }],
    ['crystal', 'no score', crystalAnswer({})],
    ['crystal', 'a negative score', crystalAnswer({ riskscore: -0.1 })],
    ['crystal', 'no data', { meta: { error_code: 0 } }],
    ['crystal', 'no envelope', { riskscore: 0.1 }],
    ['scorechain', 'no score', scorechainAnswer({})],
    ['scorechain', 'a score above 100', scorechainAnswer({ lowestScore: 101 })],
    ['scorechain', 'a score in words', scorechainAnswer({ lowestScore: '99' })],
    ['scorechain', 'no analysis', { lowestScore: 99 }],
  ])('%s: %s', async (vendor, _what, json) => {
    vendors[vendor].script.push({ json });
    const tenantId = await tenantWith(vendor);
    await expect(analyseWallet(aml, tenantId, wallet())).rejects.toMatchObject({ code: 'provider_error' });
  });

  test.each<[VendorCode, unknown]>([
    ['amlbot', amlbotAnswer({ riskscore: null })],
    ['crystal', crystalAnswer({ riskscore: null })],
    ['scorechain', scorechainAnswer({ lowestScore: null, analysis: {} })],
  ])('%s: a score of null is not known, which is not low', async (vendor, json) => {
    vendors[vendor].script.push({ json });
    const { check } = await analyseWallet(aml, await tenantWith(vendor), wallet());
    expect([check.finding.riskScore, severityOf(check.finding.riskScore)]).toEqual([null, null]);
  });

  test('whatever JSON comes, a low score comes only from a number of the vendor that says so', async () => {
    const subject: AmlSubject = {
      kind: 'wallet',
      blockchain: 'Bitcoin',
      value: 'x',
      direction: null,
      contextAddress: null,
    };
    const score = fc.oneof(fc.double(), fc.string(), fc.constant(null), fc.boolean(), fc.constant(undefined));
    const anything = fc.oneof(
      fc.jsonValue(),
      score.map((riskscore) => amlbotAnswer({ riskscore })),
      score.map((riskscore) => crystalAnswer({ riskscore })),
      score.map((lowestScore) => scorechainAnswer({ lowestScore })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CODES), anything, async (code, json) => {
        const http = { send: async () => await Promise.resolve(answerOf(json)) };
        const said = await httpProvider(ADAPTERS[code], 'http://vendor', http)
          .analyse(subject, { tenantId: 't', key: BODIES[code].key })
          .catch(() => undefined);
        const { riskScore, originalScore } = said?.finding ?? findingOf({});
        if (severityOf(riskScore) !== 'low') return;
        const given = originalScore?.value ?? NaN;
        expect(riskScore).toBeCloseTo(code === 'scorechain' ? 100 - given : given * 100, 8);
        expect(JSON.stringify(json)).toContain(JSON.stringify(given));
      }),
      { numRuns: 400 },
    );
  });

  const answerOf = (json: unknown) => ({ status: 200, text: JSON.stringify(json) ?? '', retryAfterMs: null });

  test('a certificate that nobody vouches for: nothing is sent', async () => {
    const tomorrow = new Date(Date.now() + 24 * 3_600_000);
    const tls = await fakeVendor(
      () => ({ json: amlbotAnswer({ riskscore: 0 }) }),
      selfSigned('localhost', tomorrow),
    );
    try {
      const settings = {
        ...aml,
        ENVIRONMENT: 'sandbox',
        AMLBOT_URL: tls.url,
        CRYSTAL_URL: tls.url,
        SCORECHAIN_URL: tls.url,
      } as const;
      const tenantId = await tenantWith('amlbot');
      await expect(analyseWallet(open({ settings }), tenantId, wallet())).rejects.toMatchObject({
        code: 'provider_error',
      });
      expect(tls.seen).toHaveLength(0);
      expect(await rowsOf(tenantId)).toMatchObject([{ fault: 'TLS_ERROR' }]);
    } finally {
      tls.stop();
    }
  });

  test('in production keys never leave unencrypted', () => {
    const given = { ENVIRONMENT: 'production', AMLBOT_URL: 'http://vendor.example' };
    expect(() => readSettings(given)).toThrow('AMLBOT_URL: https is required');
    expect(readSettings({ ...given, AMLBOT_URL: 'https://vendor.example' }).AMLBOT_URL).toMatch(/^https/);
  });

  test.each([
    ['an address', (url: string) => url],
    ['an IPv6 address', (url: string) => url.replace('127.0.0.1', '[::1]')],
    ['a mapped address', (url: string) => url.replace('127.0.0.1', '[::ffff:127.0.0.1]')],
    ['a local name', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['a name that is resolved to one', (url: string) => url.replace('127.0.0.1', 'vendor.example')],
  ])('in production a vendor that leads into the own network by %s is not called', async (_what, inside) => {
    const urls = {
      AMLBOT_URL: inside(vendors.amlbot.url),
      CRYSTAL_URL: inside(vendors.crystal.url),
      SCORECHAIN_URL: inside(vendors.scorechain.url),
    };
    const resolve = async () => await Promise.resolve(['127.0.0.1']);
    const config = { ENVIRONMENT: 'production', ...urls } as const;
    const strict = open({ settings: config, http: { timeoutMs: 2_000, resolve } });
    for (const code of CODES) {
      await expect(analyseWallet(strict, await tenantWith(code), wallet())).rejects.toMatchObject({
        code: 'provider_unavailable',
      });
      expect(vendors[code].seen).toHaveLength(0);
    }
    expect(troubles.map(({ fault }) => fault)).toEqual(CODES.map(() => 'UNREACHABLE'));
  });
});

describe('money', () => {
  test.each([429, 502, 503])('%s is tried twice more', async (status) => {
    const tenantId = await tenantWith('scorechain');
    vendors.scorechain.script.push({ status }, { status });
    const { spent } = await analyseWallet(aml, tenantId, wallet());
    expect([vendors.scorechain.seen.length, spent]).toEqual([3, 1]);
  });

  test('a vendor that names a time is asked again no earlier', async () => {
    vendors.scorechain.script.push({ status: 503, headers: { 'Retry-After': '1' } });
    const [tenantId, startedMs] = [await tenantWith('scorechain'), performance.now()];
    await analyseWallet(aml, tenantId, wallet());
    expect(performance.now() - startedMs).toBeGreaterThan(990);
  });

  test('a vendor that asks for a long time is not waited for, and the caller is told when', async () => {
    vendors.scorechain.script.push({ status: 429, headers: { 'Retry-After': '60' } });
    await expect(analyseWallet(aml, await tenantWith('scorechain'), wallet())).rejects.toMatchObject({
      code: 'provider_unavailable',
      details: { retryAfterSeconds: 60 },
    });
    expect(vendors.scorechain.seen).toHaveLength(1);
  });

  test('an unreadable answer was paid for: it is counted, and not asked for again at once', async () => {
    const [tenantId, place] = [await tenantWith('crystal'), wallet()];
    vendors.crystal.script.push({ text: 'garbage' });
    for (let times = 0; times < 3; times += 1) {
      await expect(analyseWallet(aml, tenantId, place)).rejects.toMatchObject({ code: 'provider_error' });
    }
    expect(vendors.crystal.seen).toHaveLength(1);
    expect(await rowsOf(tenantId)).toMatchObject([{ state: 'FAILED', credits: 1 }]);
    nowMs += 31_000;
    expect((await analyseWallet(aml, tenantId, place)).check.finding.riskScore).toBe(90);
  });

  test('two processes that want the same at once pay once', async () => {
    const [tenantId, place, other] = [await tenantWith('amlbot'), wallet(), open()];
    vendors.amlbot.script.push({ json: amlbotAnswer({ uid: 'one', riskscore: 0.7 }), afterMs: 100 });
    const both = await Promise.all([
      analyseWallet(aml, tenantId, place),
      analyseWallet(other, tenantId, place),
    ]);
    expect(both.map(({ spent }) => spent).sort()).toEqual([0, 1]);
    expect(vendors.amlbot.seen).toHaveLength(1);
  });

  test('who waits for a request that fails gets its failure, and does not ask again', async () => {
    const [tenantId, place] = [await tenantWith('amlbot'), wallet()];
    vendors.amlbot.script.push({ status: 500, afterMs: 100 });
    const both = [analyseWallet(aml, tenantId, place), analyseWallet(aml, tenantId, place)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(vendors.amlbot.seen).toHaveLength(1);
  });

  test('a process that died between the paid answer and its storing: asked again when its lease is over, and said so', async () => {
    const [tenantId, place] = [await tenantWith('amlbot'), wallet()];
    const killed = open({ db: withoutStoring() });
    await expect(analyseWallet(killed, tenantId, place)).rejects.toThrow('killed');
    await expect(analyseWallet(open({ waitMs: 100 }), tenantId, place)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    expect(vendors.amlbot.seen).toHaveLength(1);
    nowMs += 61_000;
    const { check, spent } = await analyseWallet(aml, tenantId, place);
    expect([check.repeated, spent, vendors.amlbot.seen.length]).toEqual([true, 1, 2]);
  });

  test('one that died while it looked at a known check again: the next one looks too, for nothing', async () => {
    const [tenantId, place] = [await tenantWith('amlbot'), wallet()];
    const { check } = await analyseWallet(aml, tenantId, place);
    await expect(recheck(open({ db: withoutStoring() }), tenantId, check.id, check.id)).rejects.toThrow(
      'killed',
    );
    nowMs += 61_000;
    const again = await recheck(aml, tenantId, check.id, check.id);
    expect([again.check.id, again.spent, again.check.repeated]).toEqual([check.id, 0, false]);
    expect(vendors.amlbot.seen.map(({ path }) => path)).toEqual(['/', '/recheck', '/recheck']);
  });

  /** The database of a process that is killed when it has the answer. */
  function withoutStoring(): TestApi['db'] {
    const pool = new Proxy(api.db.pool, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return async (text: unknown, values: unknown) => {
          if (String(text).includes("set state = 'DONE'")) throw new Error('killed');
          return await (value as (...given: unknown[]) => Promise<unknown>).call(target, text, values);
        };
      },
    });
    return { ...api.db, pool };
  }
});

describe('a vendor in trouble', () => {
  test('is left alone after five failures, tried by one request after 30 s, and used again when that works', async () => {
    const [tenantId, neighbour, known] = [await tenantWith('crystal'), await tenantWith('crystal'), wallet()];
    const guarded = open();
    await analyseWallet(guarded, tenantId, known);
    for (let times = 0; times < 5; times += 1) {
      vendors.crystal.script.push({ status: 500 });
      await expect(analyseWallet(guarded, tenantId, wallet())).rejects.toMatchObject({
        code: 'provider_error',
      });
    }
    const sent = vendors.crystal.seen.length;
    const shut = { code: 'provider_unavailable', details: { retryAfterSeconds: 30 } };
    await expect(analyseWallet(guarded, tenantId, wallet())).rejects.toMatchObject(shut);
    expect(vendors.crystal.seen).toHaveLength(sent);
    // Another tenant has a breaker of its own.
    await analyseWallet(guarded, neighbour, wallet());
    nowMs += 15 * 60_000;
    vendors.crystal.script.push({ status: 500 });
    await expect(analyseWallet(guarded, tenantId, wallet())).rejects.toMatchObject({
      code: 'provider_error',
    });
    // The probe failed: what is known is shown with its age to people, and to nobody who needs a fresh fact.
    expect(await analyseWallet(guarded, tenantId, known, { acceptStale: true })).toMatchObject({
      isStale: true,
      check: { finding: { riskScore: 90 } },
    });
    await expect(analyseWallet(guarded, tenantId, known)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    nowMs += 31_000;
    expect(await analyseWallet(guarded, tenantId, known)).toMatchObject({ isStale: false, spent: 1 });
  });

  test('a key that is revoked in mid-flight is flagged, does not shut the vendor out, and is cleared by a good one', async () => {
    const tenantId = await tenantWith('scorechain');
    for (let times = 0; times < 8; times += 1) {
      vendors.scorechain.script.push({ status: 403, text: '<html>' });
      await expect(analyseWallet(aml, tenantId, wallet())).rejects.toMatchObject({ code: 'provider_error' });
    }
    expect([vendors.scorechain.seen.length, await keyStatus(tenantId)]).toEqual([8, 403]);
    await analyseWallet(aml, tenantId, wallet());
    expect(await keyStatus(tenantId)).toBeNull();
  });

  test('a refusal of the key before says nothing about the one that was put meanwhile', async () => {
    const tenantId = await tenantWith('scorechain');
    vendors.scorechain.script.push({ status: 401, afterMs: 100 });
    const asking = analyseWallet(aml, tenantId, wallet()).catch((error: unknown) => error);
    await eventually(
      () => vendors.scorechain.seen.length,
      (sent) => sent === 1,
    );
    await putServiceKey(api.db, tenantId, BODIES.scorechain, new Date(nowMs));
    expect(await asking).toMatchObject({ code: 'provider_error' });
    expect(await keyStatus(tenantId)).toBeNull();
  });
});
