import { withProgress } from '../standalone/progress.ts';
import { diskFigure, readDiskUse } from './disk-per-message.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { pacedWhile } from './paced.ts';
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
  const reads: Read[] = [];
  const ended = { isEnded: false };
  const startedMs = performance.now();
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
  return [burstFigure(size.messages, burst), readsFigure(reads, startedMs + burst.acceptedIn * 1_000), disk];
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

interface Read {
  startedMs: number;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** Lists transactions at a fixed rate until the burst has ended; adds each request to `reads`. */
async function readUntil(
  { sender }: WholeProduct,
  reads: Read[],
  ended: { isEnded: boolean },
): Promise<void> {
  const read = async () => {
    const startedMs = performance.now();
    await sender.api.get('/transactions?_start=0&_end=20');
    reads.push({ startedMs, ms: performance.now() - startedMs });
  };
  await pacedWhile(() => !ended.isEnded, READS_PER_SECOND, read);
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

/** The goal is for the whole burst. Until all is accepted the reads also wait for what 64 connections send. */
function readsFigure(reads: readonly Read[], acceptedAtMs: number): BenchFigure {
  const msOf = (some: readonly Read[]) => some.map(({ ms }) => ms);
  const [p50, p99] = [percentile(msOf(reads), 0.5), percentile(msOf(reads), 0.99)];
  const [meanwhile, after] = [true, false].map((isMeanwhile) => {
    const ofPhase = reads.filter(({ startedMs }) => startedMs < acceptedAtMs === isMeanwhile);
    return ofPhase.length === 0 ? 'of no request' : `${percentile(msOf(ofPhase), 0.99).toFixed(0)} ms`;
  });
  return {
    measure: 'p',
    name: `list requests at ${READS_PER_SECOND}/s during the burst`,
    value: `p99 ${p99.toFixed(0)} ms`,
    comparedTo: `p50 ${p50.toFixed(0)} ms; p99 ${meanwhile} until all is accepted, ${after} afterwards`,
    goal: `p99 ${GOAL.p99Ms} ms`,
    met: p99 <= GOAL.p99Ms,
    reason: 'api, worker, Temporal, PostgreSQL and the receiver share the cores',
  };
}
