import pg from 'pg';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { runNoOp } from './no-op.ts';
import { paced } from './paced.ts';
import { percentile } from './statistics.ts';
import { startWholeProduct, type WholeProduct } from './whole-product.ts';

const EVENTS_PER_SECOND = 20;
const GOAL_P99_MS = 150;
const FULL = { warmUp: 100, events: 400, noOps: 200 };
const QUICK = { warmUp: 10, events: 20, noOps: 10 };

/** A source of events, which have one webhook each. */
interface WebhookSource {
  name: string;
  eventsEach: number;
  make: () => Promise<unknown>;
}

/**
 * (c) Measures the time from an event to the first attempt of its webhook, at 20 events per second. Compared with a minimal
 * workflow from start to result at the same rate. The time of an event is taken before its database transaction, so the
 * figure includes the commit.
 */
export async function measureWebhookDelay(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const product = await startWholeProduct(installation, 'bench-webhooks');
  const sources: WebhookSource[] = [
    { name: 'messages received, one event each', eventsEach: 1, make: product.receive },
    { name: 'messages sent, two events each', eventsEach: 2, make: product.send },
  ];
  const bare: number[] = [];
  const runBare = async () => {
    const startedMs = performance.now();
    await runNoOp(product.client);
    bare.push(performance.now() - startedMs);
  };
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(c) ${name}`, work);
  for (const source of sources) await step('warming up', delaysOf(product, source, size.warmUp));
  await step('bare workflows', paced(size.noOps, EVENTS_PER_SECOND, runBare));
  const delays: number[][] = [];
  for (const source of sources) {
    delays.push(await step(source.name, delaysOf(product, source, size.events)));
  }
  await step('bare workflows again', paced(size.noOps, EVENTS_PER_SECOND, runBare));
  await product.stop();
  return sources.map((source, index) => figureOf(source, delays[index] ?? [], bare));
}

/** Makes events and waits for their webhooks; returns the milliseconds from each event to the receiver. */
async function delaysOf(
  { databaseUrl, inbox }: WholeProduct,
  { eventsEach, make }: WebhookSource,
  events: number,
): Promise<number[]> {
  const since = new Date();
  const goal = inbox.arrivals.size + events;
  await paced(events / eventsEach, EVENTS_PER_SECOND / eventsEach, make);
  await inbox.until(() => inbox.arrivals.size >= goal);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; created_at: Date }>(
    'select id, created_at from webhook_deliveries where created_at >= $1',
    [since],
  );
  await client.end();
  if (rows.length !== events) throw new Error(`${rows.length} webhooks were written for ${events} events`);
  return rows.map(({ id, created_at: created }) => (inbox.arrivals.get(id) ?? NaN) - created.getTime());
}

function figureOf({ name }: WebhookSource, delays: number[], bare: number[]): BenchFigure {
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  const [bareP50, bareP99] = [percentile(bare, 0.5), percentile(bare, 0.99)];
  return {
    measure: 'c',
    name: `event to first webhook attempt, ${EVENTS_PER_SECOND} events/s, ${name}`,
    value: `${(p50 / bareP50).toFixed(1)} times (p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms)`,
    comparedTo:
      `start to result of a workflow of one empty activity at ${EVENTS_PER_SECOND}/s ` +
      `(p50 ${bareP50.toFixed(0)} ms, p99 ${bareP99.toFixed(0)} ms)`,
    goal: `p99 ${GOAL_P99_MS} ms`,
    met: p99 <= GOAL_P99_MS,
    reason: `of it an empty workflow takes ${bareP99.toFixed(0)} ms (p99) with server, worker and api on the same cores`,
  };
}
