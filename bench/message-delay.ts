import pg from 'pg';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { openNeighbourTenants } from './neighbours.ts';
import { paced } from './paced.ts';
import { runNoOp } from './no-op.ts';
import { percentile } from './statistics.ts';
import { startWholeProduct, type WholeProduct } from './whole-product.ts';

const PER_SECOND = 5;
const GOAL = { p50Ms: 60, p99Ms: 200 };
const NEIGHBOURS = 50;
/** At twice the p99 beside endpoints that answer, endpoints that hang would delay others. */
const NEIGHBOURS_GOAL = 2;
const FULL = { warmUp: 50, messages: 300, noOps: 100, beside: 150 };
const QUICK = { warmUp: 5, messages: 10, noOps: 5, beside: 5 };

/**
 * (o) Measures the time from the start of POST /transactions to the receiver's webhook, screened on both sides, at 5
 * messages per second. Compared with a workflow of one empty activity from start to result at the same rate. Then the
 * same while as many messages go to 50 other tenants, whose endpoints first answer and then hang.
 */
export async function measureMessageDelay(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const product = await startWholeProduct(installation, 'bench-delay');
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(o) ${name}`, work);
  await step('warming up', delaysOf(product, size.warmUp));
  const bare: number[] = [];
  const runBare = async () => {
    const startedMs = performance.now();
    await runNoOp(product.client);
    bare.push(performance.now() - startedMs);
  };
  await step('bare workflows', paced(size.noOps, PER_SECOND, runBare));
  const delays = await step('messages', delaysOf(product, size.messages));
  const neighbours = await step('creating other tenants', openNeighbourTenants(product, NEIGHBOURS));
  const beside = async () => {
    const toNeighbours = paced(size.beside, PER_SECOND, neighbours.send);
    const besideThem = await delaysOf(product, size.beside);
    await toNeighbours;
    return besideThem;
  };
  const answered = await step('messages beside endpoints that answer', beside());
  neighbours.hang();
  const hung = await step('messages beside endpoints that hang', beside());
  neighbours.close();
  await product.stop();
  return [figureOf(delays, bare), besideFigure(hung, answered)];
}

/** Sends messages and waits for the webhooks of their receiver; returns the milliseconds of each. */
async function delaysOf(product: WholeProduct, messages: number): Promise<number[]> {
  const startedMs = new Map<string, number>();
  const before = product.carried();
  await paced(messages, PER_SECOND, async () => {
    const nowMs = performance.timeOrigin + performance.now();
    startedMs.set(await product.send(), nowMs);
  });
  await product.inbox.until(() => product.carried() - before >= messages);
  const deliveries = await firstDeliveries(product, [...startedMs.keys()]);
  return deliveries.map(({ sentId, deliveryId }) => {
    const arrivedMs = product.inbox.arrivals.get(deliveryId);
    const sentMs = startedMs.get(sentId);
    if (arrivedMs === undefined || sentMs === undefined) throw new Error('a message has no webhook');
    return arrivedMs - sentMs;
  });
}

/** The first webhook of the receiver of each message. */
async function firstDeliveries(
  { databaseUrl }: WholeProduct,
  sentIds: readonly string[],
): Promise<{ sentId: string; deliveryId: string }[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ sentId: string; deliveryId: string }>(
    `select distinct on (p.outgoing_id) p.outgoing_id as "sentId", d.id as "deliveryId"
     from message_pairs p
     join webhook_deliveries d on d.tenant_id = p.incoming_tenant_id and d.resource_id = p.incoming_id
     where p.outgoing_id = any($1::uuid[]) order by p.outgoing_id, d.created_at, d.id`,
    [sentIds],
  );
  await client.end();
  if (rows.length !== sentIds.length)
    throw new Error(`${rows.length} of ${sentIds.length} messages were delivered`);
  return rows;
}

function figureOf(delays: readonly number[], bare: readonly number[]): BenchFigure {
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  const [bareP50, bareP99] = [percentile(bare, 0.5), percentile(bare, 0.99)];
  return {
    measure: 'o',
    name: `POST to the receiver's webhook at ${PER_SECOND} messages/s`,
    value: `${(p50 / bareP50).toFixed(1)} times (p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms)`,
    comparedTo:
      `start to result of a workflow of one empty activity at ${PER_SECOND}/s ` +
      `(p50 ${bareP50.toFixed(0)} ms, p99 ${bareP99.toFixed(0)} ms)`,
    goal: `p50 ${GOAL.p50Ms} ms, p99 ${GOAL.p99Ms} ms`,
    met: p50 <= GOAL.p50Ms && p99 <= GOAL.p99Ms,
  };
}

function besideFigure(hung: readonly number[], answered: readonly number[]): BenchFigure {
  const [p50, p99] = [percentile(hung, 0.5), percentile(hung, 0.99)];
  const [answeredP50, answeredP99] = [percentile(answered, 0.5), percentile(answered, 0.99)];
  const ratio = p99 / answeredP99;
  return {
    measure: 'o',
    name: `the same beside ${NEIGHBOURS} endpoints of others that hang, ${PER_SECOND} messages/s to these`,
    value: `${ratio.toFixed(1)} times the p99 (p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms)`,
    comparedTo: `endpoints that answer (p50 ${answeredP50.toFixed(0)} ms, p99 ${answeredP99.toFixed(0)} ms)`,
    goal: `${NEIGHBOURS_GOAL} times`,
    met: ratio <= NEIGHBOURS_GOAL,
  };
}
