import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import type { JsonApi } from './json-api.ts';
import { pagesReadBy, timeReadings, type PagesRead } from './pages-read.ts';
import { sampleAddress, sampleBody, sampleHash } from './sample-body.ts';
import { startFilled, type ScaleDeployment, type ScaleSize } from './scale-load.ts';
import { msOf, percentile } from './statistics.ts';

const OF_A_TENANT = { transactions: 1_000, readable: 25, wallets: 2_000, children: 100 };
const FULL = { large: 10_000, small: 100, asked: 600, readings: 200, ofATenant: OF_A_TENANT };
/** Fits into the memory of the machine whose figures docs/performance.md has. */
const TENTH = { ...FULL, large: 1_000, small: 10 };
const QUICK = {
  large: 20,
  small: 2,
  asked: 10,
  readings: 5,
  ofATenant: { transactions: 100, readable: 25, wallets: 100, children: 10 },
};
const GOAL = 1.3;

/** How much is stored and asked. */
type Extent = typeof FULL;

/**
 * `npm run bench -- scale`: measures the ten most used requests with 10,000 tenants, 10,000,000 transactions (1,000,000 rows in each of four
 * tables that hang on them) and 20,000,000 wallets, in turn with the same at a hundredth of the size. Every request is of another tenant,
 * drawn from all. Both databases are of one server. Needs 50 GB of disk and about an hour.
 */
export async function measureScale(installation: BenchInstallation, quick: boolean): Promise<BenchFigure[]> {
  return await measureSizes(installation, quick ? QUICK : FULL, 'scale');
}

/** `npm run bench -- tenth`: the same at a tenth of both sizes, of which everything stays in memory: what grows there is not the disk. */
export async function measureTenth(installation: BenchInstallation, quick: boolean): Promise<BenchFigure[]> {
  return await measureSizes(installation, quick ? QUICK : TENTH, 'tenth');
}

async function measureSizes(
  installation: BenchInstallation,
  { large, small, asked, readings, ofATenant }: Extent,
  measure: 'scale' | 'tenth',
): Promise<BenchFigure[]> {
  const fill = async (label: string, tenants: number) =>
    await startFilled(installation, label, { tenants, ...ofATenant } satisfies ScaleSize);
  const sizes = { large: await fill('large', large), small: await fill('small', small) };
  await installation.checkpoint();
  const askers = { large: await askersOf(sizes.large), small: await askersOf(sizes.small) };
  const warmUp = Math.ceil(large / REQUESTS.length);
  await withProgress(installation.log, '(scale) warming up', timesOf(askers, warmUp));
  await installation.checkpoint();
  const times = await withProgress(installation.log, '(scale) requests', timesOf(askers, asked));
  const read = await withProgress(
    installation.log,
    '(scale) pages read',
    readingsOf(sizes, askers, readings),
  );
  await Promise.all([sizes.large.stop(), sizes.small.stop()]);
  const figures = REQUESTS.map(({ name }, place) => requestFigure(name, times[place], read[place]));
  return [...figures, diskFigure(sizes.large, large * ofATenant.wallets)].map((figure) => ({
    measure,
    ...figure,
  }));
}

/** Numbers of bodies, addresses and hashes that are not stored yet. */
let last = 1_000_000_000;
const newNumber = () => (last += 1);

interface Asker {
  api: JsonApi;
  /** A transaction that the tenant has sent. */
  sentId: string;
}

/** Lets every tenant send one transaction, which also fills the caches of the api. */
async function askersOf({ tenants }: ScaleDeployment): Promise<Asker[]> {
  const askers: Asker[] = [];
  for (const { api } of tenants) {
    const { id } = await api.post<{ id: string }>('/transactions', sampleBody(newNumber()));
    askers.push({ api, sentId: id });
  }
  return askers;
}

interface Asking extends Asker {
  /** A number that no request before had. */
  n: number;
}

interface ScaleRequest {
  name: string;
  ask: (asking: Asking) => Promise<unknown>;
}

const WALLET = { asset: '*', blockchain: 'Ethereum' };

const REQUESTS: ScaleRequest[] = [
  { name: 'POST /transactions', ask: async ({ api, n }) => await api.post('/transactions', sampleBody(n)) },
  {
    name: 'GET /transactions/{id}',
    ask: async ({ api, sentId }) => await api.get(`/transactions/${sentId}`),
  },
  { name: 'GET /transactions', ask: async ({ api }) => await page(api, '/transactions?_end=25') },
  {
    name: 'GET /transactions?_status=CONFIRMED&_direction=OUTGOING',
    ask: async ({ api }) => await page(api, '/transactions?_status=CONFIRMED&_direction=OUTGOING&_end=25'),
  },
  {
    name: 'GET /transactions/{id}/events',
    ask: async ({ api, sentId }) => await page(api, `/transactions/${sentId}/events`),
  },
  {
    name: 'PATCH /transactions/{id}',
    ask: async ({ api, sentId, n }) =>
      await api.patch(`/transactions/${sentId}`, { transactionHash: sampleHash(n) }),
  },
  {
    name: 'POST /transactions/preflight',
    ask: async ({ api, n }) => await api.post('/transactions/preflight', sampleBody(n)),
  },
  {
    name: 'POST /wallets',
    ask: async ({ api, n }) => await api.post('/wallets', { address: sampleAddress(n), ...WALLET }),
  },
  { name: 'GET /wallets', ask: async ({ api }) => await page(api, '/wallets') },
  { name: 'GET /events', ask: async ({ api }) => await page(api, '/events') },
];

/** Throws when a list is empty: then its cost would say nothing. */
async function page(api: JsonApi, path: string): Promise<void> {
  const rows = await api.get<unknown[]>(path);
  if (rows.length === 0) throw new Error(`GET ${path} has no rows`);
}

/** Something at both sizes. */
interface AtBoth<T> {
  large: T;
  small: T;
}

type Times = AtBoth<number[]>;

/** The times of each kind of request. Both sizes are asked in turn, and every other time the small one first. */
async function timesOf({ large, small }: AtBoth<Asker[]>, count: number): Promise<Times[]> {
  const times = REQUESTS.map((): Times => ({ large: [], small: [] }));
  for (let n = 0; n < count; n += 1) {
    for (const [place, { ask }] of REQUESTS.entries()) {
      const sizes = [
        { askers: large, into: times[place]?.large },
        { askers: small, into: times[place]?.small },
      ];
      for (const { askers, into } of n % 2 === 0 ? sizes : sizes.toReversed()) {
        const asking = { ...anyOf(askers), n: newNumber() };
        into?.push(await msOf(async () => await ask(asking)));
      }
    }
  }
  return times;
}

/** What one request of each kind reads beyond PostgreSQL's memory, on average of `count` of that kind alone. */
async function readingsOf(
  { large, small }: AtBoth<ScaleDeployment>,
  askers: AtBoth<Asker[]>,
  count: number,
): Promise<AtBoth<PagesRead | undefined>[]> {
  await timeReadings(large.databaseUrl);
  const readings: AtBoth<PagesRead | undefined>[] = [];
  for (const { ask } of REQUESTS) {
    const read = await pagesReadBy([large.databaseUrl, small.databaseUrl], async () => {
      for (const each of [askers.large, askers.small])
        for (let n = 0; n < count; n += 1) await ask({ ...anyOf(each), n: newNumber() });
    });
    const [ofLarge, ofSmall] = read.map(({ pages, ms }) => ({ pages: pages / count, ms: ms / count }));
    readings.push({ large: ofLarge, small: ofSmall });
  }
  return readings;
}

function anyOf(askers: readonly Asker[]): Asker {
  const asker = askers[Math.floor(Math.random() * askers.length)];
  if (!asker) throw new Error('there are no tenants');
  return asker;
}

type FigureOfSize = Omit<BenchFigure, 'measure'>;

function requestFigure(
  name: string,
  times: Times | undefined,
  read: AtBoth<PagesRead | undefined> | undefined,
): FigureOfSize {
  const { large, small } = times ?? { large: [], small: [] };
  const ratio = percentile(large, 0.5) / percentile(small, 0.5);
  const [atLarge, atSmall] = [
    { each: large, pages: read?.large },
    { each: small, pages: read?.small },
  ].map(
    ({ each, pages }) =>
      `p50 ${percentile(each, 0.5).toFixed(1)} ms, p99 ${percentile(each, 0.99).toFixed(1)} ms, ${textOf(pages)}`,
  );
  return {
    name,
    value: `${ratio.toFixed(2)} times (${atLarge})`,
    comparedTo: `a hundredth of the size (${atSmall})`,
    goal: `${GOAL} times`,
    met: ratio <= GOAL,
  };
}

function textOf(read: PagesRead | undefined): string {
  return read
    ? `${read.pages.toFixed(1)} pages read in ${read.ms.toFixed(2)} ms`
    : 'the pages read were not counted';
}

function diskFigure({ transactions, bytes }: ScaleDeployment, wallets: number): FigureOfSize {
  return {
    name: `${transactions.toLocaleString('en')} transactions and ${wallets.toLocaleString('en')} wallets on disk`,
    value: `${(bytes / 1e9).toFixed(1)} GB`,
    comparedTo: 'nothing',
    goal: '50 GB',
    met: bytes <= 50e9,
  };
}
