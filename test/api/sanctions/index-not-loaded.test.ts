import { noRequests } from '../../fakes/no-requests.ts';
import { Registry } from 'prom-client';
import { messageNetworks } from '../../../activities/network/networks.ts';
import { TEST_MAILS } from '../../factories/test-mails.ts';
import { transactionActivities } from '../../../activities/transactions/transaction-activities.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { createLog } from '../../../process/log.ts';
import { registerIndexMetric } from '../../../process/index-metric.ts';
import { openScreener, type SanctionsScreener } from '../../../sanctions-index/open-screener.ts';
import { subjectScreener, type ScreeningRequest } from '../../../sanctions-index/screen-subjects.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { untilJudged } from '../../factories/judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);
const LISTED = 'فلاديمير بوتين';
const ADDRESS = `0x${'1'.repeat(39)}a`;
const lines: Json[] = [];
let stuck: SanctionsScreener;

beforeAll(async () => {
  const wallets = [{ asset: 'ETH', address: ADDRESS }];
  await activateList(api.db.pool, 'OFAC_SDN', [
    listEntry('1', 'PUTIN, Vladimir'),
    listEntry('2', 'Somebody', { wallets }),
  ]);
  // It reads the lists, but its thread, which has a connection of its own, can never load them.
  stuck = openScreener({
    pool: api.db.pool,
    databaseUrl: 'postgres://127.0.0.1:1/nowhere',
    log: createLog('test', 'info', { write: (line) => void lines.push(JSON.parse(line) as Json) }),
    pollMs: 50,
  });
});
afterAll(async () => await stuck.close());

const openOf = async (fields: Json) => {
  const { id } = await createTransaction(tenant, { originator: { name: 'Anna Keller' }, ...fields });
  const open = await findOpenTransaction(api.db, tenant.id, id);
  if (!open) throw new Error('no such transaction');
  return open;
};

test('a transfer waits for the index, which finds what the database does not', async () => {
  const open = await openOf({ beneficiary: { name: LISTED } });
  const deps = releaseDeps(api, { sanctions: subjectScreener(api.db, stuck) });
  expect(await judgeTransaction(deps, open, undefined)).toEqual({ kind: 'LISTS_LOADING' });
  expect((await untilJudged(api, open)).settlement.verdict.hold).toBe('SANCTIONS');
});

test('a transfer of which one party was compared before a new list, and another after it, is compared again', async () => {
  const [code, name] = ['EU', 'Philomena Drosselbart'];
  const open = await openOf({ originator: { name }, beneficiary: { name: 'Jonas Brandt' } });
  await untilJudged(api, open);
  const screener = openScreener({
    pool: api.db.pool,
    databaseUrl: api.config.DATABASE_URL,
    log: createLog('test', 'silent'),
    pollMs: 50,
  });
  await untilLoaded(screener, 'OFAC_SDN');
  const real = subjectScreener(api.db, screener);
  const searched: string[][] = [];
  let listed: Promise<void> | undefined;
  const listsOf = async (request: ScreeningRequest) => {
    const prepared = await real.prepare(request);
    searched.push(prepared.screening.lists.map((list) => list.code));
    return prepared;
  };
  // The first search is answered without the list, all others with it.
  const prepare = async (request: ScreeningRequest) => {
    if (listed) await listed;
    else {
      const first = listsOf(request);
      listed = first.then(async () => {
        await activateList(api.db.pool, code, [listEntry('3', name)]);
        await untilLoaded(screener, code);
      });
      return await first;
    }
    return await listsOf(request);
  };
  const deps = releaseDeps(api, { sanctions: { ...real, prepare } });
  const judged = await judgeTransaction(deps, open, undefined);
  expect([searched[0], searched[1]]).toEqual([['OFAC_SDN'], ['EU', 'OFAC_SDN']]);
  if (judged.kind !== 'JUDGED') throw new Error(judged.kind);
  expect(await settleScreening(api.db, judged.settlement)).toBe('STALE');
  await screener.close();
});

test.each([
  ['is screened as soon as they are there', 5_000, []],
  ['is put off when they do not come', 31_000, ['SCREENING_DELAYED']],
])('a transfer that waited for long when the lists begin to load %s', async (_, behindMs, events) => {
  const { record } = await openOf({ beneficiary: { name: LISTED } });
  await api.db.pool.query(
    `update transactions set screening_due_since = created_at - interval '40 seconds',
       wake_at = created_at - interval '40 seconds' where id = $1`,
    [record.id],
  );
  const screener = { ...stuck, behindMs: () => behindMs };
  const deps = releaseDeps(api, { sanctions: subjectScreener(api.db, screener) });
  const networks = messageNetworks(deps, TEST_MAILS);
  const steps = transactionActivities({
    ...deps,
    networks,
    http: noRequests,
    priceOf: () => undefined,
    startedAt: new Date(),
  });
  const before = Date.now();
  const { plan } = await steps.advanceTransaction({ id: record.id });
  expect(plan).toMatchObject({ step: 'WAIT', waitingFor: 'SCREENING' });
  const waitMs = plan.step === 'WAIT' ? Number(plan.untilMs) - before : Number.NaN;
  expect(waitMs > 5_000).toBe(events.length > 0);
  const log = await tenant.get<{ type: string }[]>(`/transactions/${record.id}/events`);
  expect(log.body.map(({ type }) => type).filter((type) => type !== 'CREATED')).toEqual(events);
});

test('a transfer without a name is decided meanwhile: an address is found by either', async () => {
  const open = await openOf({ originator: undefined, blockchainInfo: { destination: ADDRESS } });
  const deps = releaseDeps(api, { sanctions: subjectScreener(api.db, stuck) });
  expect(await judgeTransaction(deps, open, undefined)).toMatchObject({
    settlement: { verdict: { hold: 'SANCTIONS' } },
  });
});

test('a search on request is answered meanwhile, and says that it is not complete', async () => {
  const { settlement } = await untilJudged(api, await openOf({}));
  const { screening } = await subjectScreener(api.db, stuck).prepare({
    tenantId: tenant.id,
    settings: settlement.basis.settings.screening,
    hasSuppressions: false,
    askedBy: { kind: 'SYSTEM', id: null },
    subject: { kind: 'NAME', body: { name: 'Vladimir Putin' } },
  });
  expect(screening).toMatchObject({
    sanctioned: true,
    answeredBy: 'DATABASE',
    complete: false,
    missingLists: [],
  });
});

test('operators see it in the log and in a figure', async () => {
  await eventually(
    async () => await Promise.resolve(lines.map(({ msg }) => msg)),
    (texts) => texts.includes('the sanctions lists could not be loaded; transfers wait for them'),
  );
  const registry = new Registry();
  registerIndexMetric(registry, stuck);
  const [, seconds] = /^waybill_sanctions_index_behind_seconds (\S+)$/m.exec(await registry.metrics()) ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
  await eventually(
    async () => await (await fetch(`${api.url}/metrics`)).text(),
    (text) => text.includes('\nwaybill_sanctions_index_behind_seconds 0\n'),
  );
});
