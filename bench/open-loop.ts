import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure, MeasureName } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import type { BenchTenant } from './product.ts';
import { percentile } from './statistics.ts';

/** Shares of the measured maximum at which requests arrive, and the goals there. */
const LOADS = [
  { share: 0.5, goalMs: 25 },
  { share: 0.8, goalMs: 60 },
] as const;
const SEED = 20_261_126;

interface Arrivals {
  perSecond: number;
  seconds: number;
}

interface OpenLoop {
  measure: MeasureName;
  /** What runs, as in `POST /transactions, api alone`. */
  name: string;
  /** The rate whose shares arrive, per second. */
  maximum: number;
  seconds: number;
  send: () => Promise<unknown>;
}

/** Measures the time of requests that arrive independently of each other, at shares of the maximum, after a checkpoint each. */
export async function openLoopFigures(
  { log, checkpoint }: Pick<BenchInstallation, 'log' | 'checkpoint'>,
  { measure, name, maximum, seconds, send }: OpenLoop,
): Promise<BenchFigure[]> {
  const figures: BenchFigure[] = [];
  for (const { share, goalMs } of LOADS) {
    const perSecond = maximum * share;
    const percent = `${share * 100} %`;
    await checkpoint();
    const arriving = timesOf({ perSecond, seconds }, send);
    const times = await withProgress(log, `(${measure}) arrivals at ${percent}`, arriving);
    const at = (part: number) => percentile(times, part).toFixed(1);
    figures.push({
      measure,
      name: `${name}, random arrivals at ${percent} of the maximum`,
      value: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms (${times.length} requests, ${perSecond.toFixed(0)}/s)`,
      comparedTo: `the moment at which each was to be sent, Poisson arrivals; maximum ${maximum.toFixed(0)}/s`,
      goal: `p99 ${goalMs} ms`,
      met: percentile(times, 0.99) <= goalMs,
      reason:
        'client, api and database share the cores, and a pause of one of them delays all that arrive meanwhile',
    });
  }
  return figures;
}

/** Milliseconds of each request, from the moment at which it was to be sent: one that is sent late has waited. */
async function timesOf({ perSecond, seconds }: Arrivals, send: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const sending: Promise<void>[] = [];
  const startedMs = performance.now();
  for (const dueMs of poissonMs({ perSecond, seconds })) {
    const waitMs = startedMs + dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    sending.push(send().then(() => void times.push(performance.now() - startedMs - dueMs)));
  }
  await Promise.all(sending);
  return times;
}

/** Moments of a Poisson process in milliseconds, the same in every run. */
function* poissonMs({ perSecond, seconds }: Arrivals): Generator<number> {
  const random = seeded(SEED);
  for (let at = -Math.log(1 - random()) / perSecond; at < seconds; at -= Math.log(1 - random()) / perSecond)
    yield at * 1_000;
}

/** Numbers from 0 to below 1 that a seed determines: a linear congruential generator of 32 bits. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** POST requests of a tenant over as many connections as are needed. Rejects unless the answer is 201. */
export function poster(url: string, { apiKey }: BenchTenant): (body: string, key: string) => Promise<void> {
  const agent = new Agent({ keepAlive: true });
  return async (body, key) =>
    await new Promise((resolve, reject) => {
      const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': key };
      const sent = request(url, { agent, method: 'POST', headers }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 201) resolve();
          else reject(new Error(`${url} answered ${response.statusCode}`));
        });
      });
      sent.once('error', reject).end(body);
    });
}
