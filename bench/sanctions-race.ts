import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withProgress } from '../standalone/progress.ts';
import { diskSync } from './disk-sync.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { newDeployment, startApi, startWorker, type BenchTenant, type RunningApi } from './product.ts';
import { indexBuildMs, readBundled, residentMb } from './sanctions/index-cost.ts';
import {
  askAll,
  openScreeningClient,
  race,
  type ScreeningClient,
  type SanctionsRace,
  type RaceSize,
} from './sanctions/race-blocks.ts';
import {
  addressFigure,
  memoryFigure,
  indexFigure,
  raceFigure,
  swapFigure,
} from './sanctions/race-figures.ts';
import { readRaceNames, type RaceNames } from './sanctions/race-names.ts';
import { startWatchman, unpackLists } from './sanctions/start-watchman.ts';
import { swapUnderLoad } from './sanctions/swap-under-load.ts';
import { findWatchman } from './sanctions/watchman-binary.ts';

interface Size {
  race: RaceSize;
  warmUp: number;
  addresses: number;
}

const FULL: Size = { race: { rounds: 4, blocks: 1, block: 2_000 }, warmUp: 800, addresses: 2_000 };
/** What users of watchman ask for; below it they take no notice of a hit. */
const WATCHMAN_MIN_MATCH = 0.9;
const QUICK: Size = { race: { rounds: 1, blocks: 1, block: 20 }, warmUp: 20, addresses: 40 };
const NAMESPACE = 'bench-sanctions';
const LOADED_LIMIT_MS = 180_000;

/**
 * (l) Measures screening over HTTP, including authentication and the written history, against moov-io/watchman with the same
 * lists and names in the same run; then the cost of the index, look-ups of addresses, and a new list version under load.
 */
export async function measureSanctionsRace(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const names = readRaceNames();
  installation.log(`(l) names from ${names.isSample ? 'the small sample' : 'the whole test sets'}`);
  const lists = join(installation.folder, 'lists');
  await unpackLists(lists);
  const entries = await readBundled(lists);
  const [buildMs, again] = [indexBuildMs(entries, 40_000), indexBuildMs(entries, 40_000)];
  const wallets = entries.flatMap((entry) => entry.wallets.map(({ address }) => address));
  const product = await withProgress(installation.log, '(l) starting', startProduct(installation));
  try {
    const { api, client, operatorKey } = product;
    const nameCount = entries.reduce((sum, entry) => sum + entry.names.length, 0);
    const races = await raceBoth(installation, size, names, client);
    const addresses = await measureAddresses(product, size.addresses, wallets);
    const service = { url: api.url, operatorKey, client };
    const swap = swapUnderLoad(service, lists, names.mix, quick);
    const swaps = await withProgress(installation.log, '(l) new versions under load', swap);
    return [
      ...races,
      addressFigure(addresses),
      indexFigure(buildMs, again),
      memoryFigure(product.grownMb, nameCount),
      swapFigure(swaps),
    ];
  } finally {
    await product.stop();
  }
}

interface Product {
  api: RunningApi;
  tenant: BenchTenant;
  client: ScreeningClient;
  operatorKey: string;
  /** Growth of the api's resident memory by the lists, in MB. */
  grownMb: number;
  stop: () => Promise<void>;
}

/** Starts the api before the worker loads the bundled lists, to measure how its memory grows. */
async function startProduct(installation: BenchInstallation): Promise<Product> {
  const temporal = await installation.startTemporal(NAMESPACE);
  const deployment = await newDeployment(installation, { address: temporal.address, namespace: NAMESPACE });
  const api = await startApi(installation, deployment);
  const tenant = await api.createTenant('Bench Exchange');
  const before = await residentMb(api.pid);
  const worker = await startWorker(installation, deployment);
  await untilLoaded(tenant);
  const grownMb = (await residentMb(api.pid)) - before;
  const client = openScreeningClient(api.url, (name) => ({
    method: 'POST',
    path: '/sanctions/search',
    headers: { 'X-Api-Key': tenant.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, type: 'NATURAL' }),
  }));
  const stop = async () => {
    await client.close();
    await Promise.all([api.stop(), worker.stop()]);
    await temporal.end();
  };
  return { api, tenant, client, operatorKey: deployment.OPERATOR_KEY, grownMb, stop };
}

interface SearchAnswer {
  answeredBy: string;
  lists: unknown[];
}

async function untilLoaded({ api }: BenchTenant): Promise<void> {
  const started = performance.now();
  const isLoaded = async () => {
    const body = { name: 'Nobody Inparticular' };
    const answer = await api.post<SearchAnswer>('/sanctions/search', body).catch(() => undefined);
    return answer?.answeredBy === 'INDEX' && answer.lists.length === 2;
  };
  while (!(await isLoaded())) {
    if (performance.now() - started > LOADED_LIMIT_MS) throw new Error('the lists were not loaded in time');
    await delay(100);
  }
}

async function raceBoth(
  installation: BenchInstallation,
  size: Size,
  names: RaceNames,
  ours: ScreeningClient,
): Promise<BenchFigure[]> {
  const binary = await findWatchman(installation.log);
  const watchman = binary === undefined ? undefined : await startWatchman(installation, binary);
  const theirs =
    watchman &&
    openScreeningClient(watchman.url, (name) => ({
      method: 'GET',
      path: '/v2/search',
      query: { name, type: 'person', limit: 5, minMatch: WATCHMAN_MIN_MATCH },
    }));
  const run = async (set: (at: number) => string, says: string): Promise<SanctionsRace> => {
    const warmUp = Array.from({ length: size.warmUp }, (_, at) => set(at));
    for (const client of theirs ? [ours, theirs] : [ours]) await askAll(client, warmUp);
    const racing = race(set, size.race, { ours, theirs, beforeRound: installation.checkpoint });
    return await withProgress(installation.log, `(l) ${says}`, racing);
  };
  try {
    const says = '80 % clean customers, 15 % listed with a change, 5 % as listed';
    const mix = await run(names.mix, 'names of customers');
    const listed = await run(names.listed, 'listed names');
    const disk = await diskSync(installation.folder);
    return [
      raceFigure(says, mix, { goal: 10, disk }),
      raceFigure('listed names alone', listed, { goal: 4, disk }),
    ];
  } finally {
    await theirs?.close();
    await watchman?.stop();
  }
}

/** Screens addresses one after the other, every second one listed. Returns the milliseconds of each. */
async function measureAddresses(
  { api, tenant }: Product,
  count: number,
  wallets: readonly string[],
): Promise<number[]> {
  const requestOf = (address: string) => ({
    method: 'GET' as const,
    path: `/sanctions/addresses/${address}`,
    headers: { 'X-Api-Key': tenant.apiKey },
  });
  const client = openScreeningClient(api.url, requestOf, 1);
  const addresses = Array.from({ length: count }, (_, at) => {
    const listed = wallets[at % wallets.length] ?? '';
    return at % 2 === 0 ? listed : listed.split('').toReversed().join('');
  });
  try {
    await askAll(client, addresses.slice(0, count / 4));
    return (await askAll(client, addresses)).times;
  } finally {
    await client.close();
  }
}
