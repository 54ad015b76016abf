import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withProgress } from '../standalone/progress.ts';
import type { Figure } from './figure.ts';
import type { Ground } from './ground.ts';
import { newDeployment, startApi, startWorker, type BenchTenant, type RunningApi } from './product.ts';
import { indexBuildMs, readBundled, residentMb } from './sanctions/index-cost.ts';
import { askAll, openAsker, race, type Asker, type Race, type RaceSize } from './sanctions/race-blocks.ts';
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

const FULL: Size = { race: { rounds: 6, blocks: 1, block: 600 }, warmUp: 600, addresses: 2_000 };
const QUICK: Size = { race: { rounds: 1, blocks: 1, block: 20 }, warmUp: 20, addresses: 40 };
const NAMESPACE = 'bench-sanctions';
const LOADED_LIMIT_MS = 180_000;

/**
 * (l) Measures screening over HTTP, including authentication and the written history, against moov-io/watchman with the same
 * lists and names in the same run; then the cost of the index, look-ups of addresses, and a new list version under load.
 */
export async function measureSanctionsRace(ground: Ground, quick: boolean): Promise<Figure[]> {
  const size = quick ? QUICK : FULL;
  const names = readRaceNames();
  ground.log(`(l) names from ${names.isSample ? 'the small sample' : 'the whole test sets'}`);
  const lists = join(ground.folder, 'lists');
  await unpackLists(lists);
  const entries = await readBundled(lists);
  const buildMs = indexBuildMs(entries, 40_000);
  const wallets = entries.flatMap((entry) => entry.wallets.map(({ address }) => address));
  const product = await withProgress(ground.log, '(l) starting', startProduct(ground));
  try {
    const { api, asker, operatorKey } = product;
    const nameCount = entries.reduce((sum, entry) => sum + entry.names.length, 0);
    const races = await raceBoth(ground, size, names, asker);
    const addresses = await measureAddresses(product, size.addresses, wallets);
    const service = { url: api.url, operatorKey, asker };
    const swap = swapUnderLoad(service, lists, names.mix, quick);
    const swaps = await withProgress(ground.log, '(l) new versions under load', swap);
    return [
      ...races,
      addressFigure(addresses),
      indexFigure(buildMs),
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
  asker: Asker;
  operatorKey: string;
  /** Growth of the api's resident memory by the lists, in MB. */
  grownMb: number;
  stop: () => Promise<void>;
}

/** Starts the api before the worker loads the bundled lists, to measure how its memory grows. */
async function startProduct(ground: Ground): Promise<Product> {
  const temporal = await ground.startTemporal(NAMESPACE);
  const deployment = await newDeployment(ground, { address: temporal.address, namespace: NAMESPACE });
  const api = await startApi(ground, deployment);
  const tenant = await api.createTenant('Bench Exchange');
  const before = await residentMb(api.pid);
  const worker = await startWorker(ground, deployment);
  await untilLoaded(tenant);
  const grownMb = (await residentMb(api.pid)) - before;
  const asker = openAsker(api.url, (name) => ({
    method: 'POST',
    path: '/sanctions/search',
    headers: { 'X-Api-Key': tenant.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, type: 'NATURAL' }),
  }));
  const stop = async () => {
    await asker.close();
    await Promise.all([api.stop(), worker.stop()]);
    await temporal.end();
  };
  return { api, tenant, asker, operatorKey: deployment.OPERATOR_KEY, grownMb, stop };
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

async function raceBoth(ground: Ground, size: Size, names: RaceNames, ours: Asker): Promise<Figure[]> {
  const binary = await findWatchman(ground.log);
  const watchman = binary === undefined ? undefined : await startWatchman(ground, binary);
  const theirs =
    watchman &&
    openAsker(watchman.url, (name) => ({
      method: 'GET',
      path: '/v2/search',
      query: { name, type: 'person', limit: 5, minMatch: 0.01 },
    }));
  const run = async (set: (at: number) => string, says: string): Promise<Race> => {
    const warmUp = Array.from({ length: size.warmUp }, (_, at) => set(at));
    for (const asker of theirs ? [ours, theirs] : [ours]) await askAll(asker, warmUp.slice(-200));
    await askAll(ours, warmUp);
    return await withProgress(ground.log, `(l) ${says}`, race(set, size.race, ours, theirs));
  };
  try {
    const says = '80 % clean customers, 15 % listed with a change, 5 % as listed';
    const mix = raceFigure(says, await run(names.mix, 'names of customers'), 10);
    const listed = raceFigure('listed names alone', await run(names.listed, 'listed names'), 4);
    return [mix, listed];
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
  const asker = openAsker(api.url, requestOf, 1);
  const addresses = Array.from({ length: count }, (_, at) => {
    const listed = wallets[at % wallets.length] ?? '';
    return at % 2 === 0 ? listed : listed.split('').toReversed().join('');
  });
  try {
    await askAll(asker, addresses.slice(0, count / 4));
    return (await askAll(asker, addresses)).times;
  } finally {
    await asker.close();
  }
}
