import { Pool, type Dispatcher } from 'undici';
import { median, percentile } from '../statistics.ts';

/** Enough to keep two cores busy, and few enough that requests do not wait long for each other. */
const CONNECTIONS = 5;

/** A client that sends screening requests, one at a time per connection. */
export interface ScreeningClient {
  /** Screens a name or an address and returns the body of the answer. Throws unless the status is 200. */
  ask: (subject: string) => Promise<string>;
  connections: number;
  close: () => Promise<void>;
}

type RequestOf = (subject: string) => Omit<Dispatcher.RequestOptions, 'origin'>;

export function openScreeningClient(
  url: string,
  requestOf: RequestOf,
  connections = CONNECTIONS,
): ScreeningClient {
  const pool = new Pool(url, { connections, pipelining: 1 });
  return {
    ask: async (subject) => {
      const { statusCode, body } = await pool.request(requestOf(subject));
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text.slice(0, 300)}`);
      return text;
    },
    connections,
    close: async () => await pool.close(),
  };
}

/** Times of a block of requests, in milliseconds: of the whole block, and of each request. */
export interface RaceBlock {
  wall: number;
  times: number[];
}

/** Screens all subjects, on all connections in parallel. */
export async function askAll(
  { ask, connections }: ScreeningClient,
  subjects: readonly string[],
): Promise<RaceBlock> {
  const times: number[] = [];
  const waiting = subjects[Symbol.iterator]();
  const started = performance.now();
  const onOneConnection = async () => {
    for (const subject of waiting) {
      const sentAt = performance.now();
      await ask(subject);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, onOneConnection));
  return { wall: performance.now() - started, times };
}

export interface RaceSize {
  rounds: number;
  blocks: number;
  /** Number of names in a block. */
  block: number;
}

export interface RaceSide {
  /** Requests per second, median over the rounds. `p50` and `p99` are in milliseconds, over all requests. */
  rate: number;
  p50: number;
  p99: number;
}

export interface SanctionsRace {
  ours: RaceSide;
  /** Undefined if watchman is not available. */
  theirs: RaceSide | undefined;
  /** Our rate divided by theirs, median over the rounds. */
  ratio: number | undefined;
}

interface Racers {
  ours: ScreeningClient;
  theirs: ScreeningClient | undefined;
  /** What must not fall into a round. */
  beforeRound?: () => Promise<void>;
}

/**
 * Sends blocks of the same names to both sides in turn, so that other load on the machine slows both. A block is so long
 * that the CPU caches left by the other side have no influence.
 */
export async function race(
  names: (at: number) => string,
  size: RaceSize,
  { ours, theirs, beforeRound }: Racers,
): Promise<SanctionsRace> {
  const rounds: { ours: RaceBlock[]; theirs: RaceBlock[] }[] = [];
  let at = 0;
  for (let round = 0; round < size.rounds; round += 1) {
    await beforeRound?.();
    const done: { ours: RaceBlock[]; theirs: RaceBlock[] } = { ours: [], theirs: [] };
    for (let block = 0; block < size.blocks; block += 1) {
      const blockNames = Array.from({ length: size.block }, () => names(at++));
      done.ours.push(await askAll(ours, blockNames));
      if (theirs) done.theirs.push(await askAll(theirs, blockNames));
    }
    rounds.push(done);
  }
  return {
    ours: sideOf(rounds.map((round) => round.ours)),
    theirs: theirs && sideOf(rounds.map((round) => round.theirs)),
    ratio: theirs && median(rounds.map((round) => rateOf(round.ours) / rateOf(round.theirs))),
  };
}

function rateOf(blocks: readonly RaceBlock[]): number {
  const requests = blocks.reduce((sum, { times }) => sum + times.length, 0);
  return (requests * 1_000) / blocks.reduce((sum, { wall }) => sum + wall, 0);
}

function sideOf(rounds: readonly RaceBlock[][]): RaceSide {
  const times = rounds.flat().flatMap((block) => block.times);
  return { rate: median(rounds.map(rateOf)), p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
