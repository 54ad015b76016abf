import { withProgress } from '../standalone/progress.ts';
import { diskFigure, readDiskUse } from './disk-per-message.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { paced } from './paced.ts';
import { percentile } from './statistics.ts';
import { startWholeProduct, type WholeProduct } from './whole-product.ts';

const CONNECTIONS = 64;
const READS_PER_SECOND = 20;
const GOAL = { seconds: 100, p99Ms: 100 };
const LIMIT_MS = 600_000;
const FULL = { warmUp: 50, messages: 3_000 };
const QUICK = { warmUp: 5, messages: 40 };

/**
 * (p) Measures how long a burst of messages takes that is accepted as fast as the API can: from the first POST to the last
 * webhook of both tenants; the time of list requests at 20 per second meanwhile; and what each message takes of the disk.
 */
export async function measureBurst(installation: BenchInstallation, quick: boolean): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const product = await startWholeProduct(installation, 'bench-burst');
  await withProgress(installation.log, '(p) warming up', burstOf(product, size.warmUp));
  const before = await readDiskUse(product.databaseUrl);
  const reads: number[] = [];
  const ended = { isEnded: false };
  const reading = readUntil(product, reads, ended);
  const burst = await withProgress(
    installation.log,
    '(p) a burst of messages',
    burstOf(product, size.messages),
  );
  ended.isEnded = true;
  await reading;
  const disk = diskFigure(size.messages, before, await readDiskUse(product.databaseUrl));
  await product.stop();
  return [burstFigure(size.messages, burst), readsFigure(reads), disk];
}

interface Burst {
  /** Seconds until every message was accepted. */
  acceptedIn: number;
  /** Seconds until both webhooks of every message had arrived. */
  carriedIn: number;
}

async function burstOf({ send, carried, inbox }: WholeProduct, messages: number): Promise<Burst> {
  const before = carried();
  const startedMs = performance.now();
  const secondsSince = () => (performance.now() - startedMs) / 1_000;
  let next = 0;
  const oneAfterTheOther = async () => {
    while (next++ < messages) await send();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, oneAfterTheOther));
  const acceptedIn = secondsSince();
  await inbox.until(() => carried() - before >= messages, LIMIT_MS);
  return { acceptedIn, carriedIn: secondsSince() };
}

/** Lists transactions at a fixed rate until the burst has ended; adds the milliseconds of each request to `times`. */
async function readUntil(
  { sender }: WholeProduct,
  times: number[],
  ended: { isEnded: boolean },
): Promise<void> {
  const read = async () => {
    const startedMs = performance.now();
    await sender.api.get('/transactions?_start=0&_end=20');
    times.push(performance.now() - startedMs);
  };
  while (!ended.isEnded) await paced(READS_PER_SECOND, READS_PER_SECOND, read);
}

function burstFigure(messages: number, { acceptedIn, carriedIn }: Burst): BenchFigure {
  return {
    measure: 'p',
    name: `a burst of ${messages} messages, all delivered`,
    value: `${carriedIn.toFixed(0)} s (${(messages / carriedIn).toFixed(1)}/s)`,
    comparedTo: `accepted within ${acceptedIn.toFixed(1)} s over ${CONNECTIONS} connections`,
    goal: `${GOAL.seconds} s`,
    met: carriedIn <= GOAL.seconds,
    reason: 'api, worker, Temporal, PostgreSQL and the receiver share the cores',
  };
}

function readsFigure(times: readonly number[]): BenchFigure {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return {
    measure: 'p',
    name: `list requests at ${READS_PER_SECOND}/s during the burst`,
    value: `p99 ${p99.toFixed(0)} ms`,
    comparedTo: `p50 ${p50.toFixed(0)} ms`,
    goal: `p99 ${GOAL.p99Ms} ms`,
    met: p99 <= GOAL.p99Ms,
    reason: 'api, worker, Temporal, PostgreSQL and the receiver share the cores',
  };
}
