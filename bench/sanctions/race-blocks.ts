import { Pool, type Dispatcher } from 'undici';
import { median, percentile } from '../statistics.ts';

/** Both cores have work all the time, and nobody waits long behind others. */
const CONNECTIONS = 5;

/** Asks for one name or address at a time on each of its connections. */
export interface Asker {
  /** The body of the answer. Throws for anything but 200. */
  ask: (subject: string) => Promise<string>;
  connections: number;
  close: () => Promise<void>;
}

type RequestOf = (subject: string) => Omit<Dispatcher.RequestOptions, 'origin'>;

export function openAsker(url: string, requestOf: RequestOf, connections = CONNECTIONS): Asker {
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

/** Milliseconds. */
export interface Block {
  wall: number;
  times: number[];
}

/** Asks for all of them on all connections. */
export async function askAll({ ask, connections }: Asker, subjects: readonly string[]): Promise<Block> {
  const times: number[] = [];
  const waiting = subjects[Symbol.iterator]();
  const started = performance.now();
  const onOneConnection = async () => {
    for (const subject of waiting) {
      const asked = performance.now();
      await ask(subject);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, onOneConnection));
  return { wall: performance.now() - started, times };
}

export interface RaceSize {
  rounds: number;
  blocks: number;
  /** Names in a block. */
  block: number;
}

export interface RaceSide {
  /** Requests per second; median of the rounds. */
  rate: number;
  p50: number;
  p99: number;
}

export interface Race {
  ours: RaceSide;
  /** Undefined when there is nobody to race against. */
  theirs: RaceSide | undefined;
  /** Median over the rounds of our rate to theirs. */
  ratio: number | undefined;
}

/**
 * Blocks of the same names by turns, ours, theirs, ours, …: a machine that others slow down slows both. A block is long
 * enough that what the other side left in the caches plays no part.
 */
export async function race(
  names: (at: number) => string,
  size: RaceSize,
  ours: Asker,
  theirs: Asker | undefined,
): Promise<Race> {
  const rounds: { ours: Block[]; theirs: Block[] }[] = [];
  let at = 0;
  for (let round = 0; round < size.rounds; round += 1) {
    const done: { ours: Block[]; theirs: Block[] } = { ours: [], theirs: [] };
    for (let block = 0; block < size.blocks; block += 1) {
      const asked = Array.from({ length: size.block }, () => names(at++));
      done.ours.push(await askAll(ours, asked));
      if (theirs) done.theirs.push(await askAll(theirs, asked));
    }
    rounds.push(done);
  }
  return {
    ours: sideOf(rounds.map((round) => round.ours)),
    theirs: theirs && sideOf(rounds.map((round) => round.theirs)),
    ratio: theirs && median(rounds.map((round) => rateOf(round.ours) / rateOf(round.theirs))),
  };
}

function rateOf(blocks: readonly Block[]): number {
  const requests = blocks.reduce((sum, { times }) => sum + times.length, 0);
  return (requests * 1_000) / blocks.reduce((sum, { wall }) => sum + wall, 0);
}

function sideOf(rounds: readonly Block[][]): RaceSide {
  const times = rounds.flat().flatMap((block) => block.times);
  return { rate: median(rounds.map(rateOf)), p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
