import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { paced } from './paced.ts';
import { newDeployment, startApi, type BenchTenant } from './product.ts';
import { sampleBody } from './sample-body.ts';
import { percentile } from './statistics.ts';

const SIGN_INS_PER_SECOND = 100;
const READS_PER_SECOND = 50;
const GOAL = 2;
const FULL = { seconds: 30, warmUpSeconds: 10 };
const QUICK = { seconds: 2, warmUpSeconds: 1 };
const PAGE = '/transactions?_start=0&_end=20';

/**
 * (r) Measures list requests while nothing else goes on, and while 100 sign-ins a second come with wrong passwords, each for
 * another account and from another address, so that no limit by account or address turns them away.
 */
export async function measureSignInFlood(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const starting = startApi(installation, deployment, { TRUST_PROXY: 'true' });
  const api = await withProgress(installation.log, 'Starting the api', starting);
  const tenant = await api.createTenant('Bench Exchange');
  for (let n = 1; n <= 20; n += 1) await tenant.api.post('/transactions', sampleBody(n));
  await withProgress(installation.log, '(r) warming up', readsOf(tenant, size.warmUpSeconds));
  const idle = await withProgress(installation.log, '(r) reads alone', readsOf(tenant, size.seconds));
  const flood = floodOf(api.url, size.seconds);
  const flooded = await withProgress(
    installation.log,
    '(r) reads under the flood',
    readsOf(tenant, size.seconds),
  );
  const answers = await flood;
  await api.stop();
  return [floodFigure({ idle, flooded, answers })];
}

/** Lists transactions at a fixed rate; the milliseconds of each request. */
async function readsOf(tenant: BenchTenant, seconds: number): Promise<number[]> {
  const times: number[] = [];
  await paced(seconds * READS_PER_SECOND, READS_PER_SECOND, async () => {
    const startedMs = performance.now();
    await tenant.api.get(PAGE);
    times.push(performance.now() - startedMs);
  });
  return times;
}

/** How often each status was answered. Throws for another one than 401 and 429. */
async function floodOf(url: string, seconds: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  let sent = 0;
  await paced(seconds * SIGN_INS_PER_SECOND, SIGN_INS_PER_SECOND, async () => {
    sent += 1;
    const response = await fetch(`${url}/auth/signin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': addressOf(sent) },
      body: JSON.stringify({ email: `nobody-${sent}@bench.example`, password: 'not the right one' }),
    });
    await response.arrayBuffer();
    if (response.status !== 401 && response.status !== 429)
      throw new Error(`POST /auth/signin was answered ${response.status}`);
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
  });
  return answers;
}

function addressOf(sent: number): string {
  return `198.18.${Math.floor(sent / 250) % 250}.${sent % 250}`;
}

interface FloodTimes {
  idle: readonly number[];
  flooded: readonly number[];
  answers: ReadonlyMap<number, number>;
}

function floodFigure({ idle, flooded, answers }: FloodTimes): BenchFigure {
  const [alone, under] = [percentile(idle, 0.99), percentile(flooded, 0.99)];
  const refused = `${answers.get(401) ?? 0} times 401, ${answers.get(429) ?? 0} times 429`;
  return {
    measure: 'r',
    name: `list requests at ${READS_PER_SECOND}/s under ${SIGN_INS_PER_SECOND} wrong sign-ins/s`,
    value: `${(under / alone).toFixed(1)} times (p99 ${under.toFixed(0)} ms; ${refused})`,
    comparedTo: `the same requests alone (p99 ${alone.toFixed(0)} ms)`,
    goal: `${GOAL} times`,
    met: under <= GOAL * alone,
    reason: 'client, api and PostgreSQL share the cores with the hashing of passwords',
  };
}
