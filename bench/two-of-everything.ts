import { setTimeout as delay } from 'node:timers/promises';
import { checkCounts } from '../db/statistics/check-counts.ts';
import { openDatabase } from '../process/open-database.ts';
import { readSettings } from '../process/settings.ts';
import { withProgress } from '../standalone/progress.ts';
import { machineCpuMs } from './cpu-seconds.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { asTenant } from './json-api.ts';
import { messagesPerSecond } from './message-rate.ts';
import { pairedRounds } from './paired-rounds.ts';
import { startApi, startWorker } from './product.ts';
import { median } from './statistics.ts';
import { startWholeProduct, type WholeProduct } from './whole-product.ts';

/** Longer than a webhook takes. */
const LATE_MS = 5_000;
const FULL = { rounds: 3, messages: 600 };
const QUICK = { rounds: 1, messages: 10 };

/**
 * (w) Measures messages per second with two apis and two workers on one database, in turn with one of each on the same cores.
 * Afterwards each message must have been counted once, and each side told by one webhook. A webhook may come again, as the product
 * says: how many did is in the figure.
 */
export async function measureTwoOfEverything(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const { rounds: count, messages } = quick ? QUICK : FULL;
  const product = await startWholeProduct(installation, 'bench-two');
  const one = async (label: string) =>
    await withProgress(installation.log, `(w) one of each, ${label}`, carry(product, messages));
  await one('warming up');
  const cpuOfOne: number[] = [];
  const { ratio, text, limit, rounds } = await pairedRounds(
    installation,
    count,
    async (round) => {
      const { rate, cpuMs } = await one(`round ${round}`);
      cpuOfOne.push(cpuMs);
      return rate;
    },
    async (round) => await carryByTwo(installation, product, { messages, round }),
  );
  const accepted = (count * 2 + 2) * messages + warmUpOf(messages) * count;
  await requireOnce(product, accepted);
  const rate = median(rounds.map((round) => round.rate));
  const cpuText = (ofRounds: readonly number[]) => `${median(ofRounds).toFixed(0)} ms of CPU time a message`;
  await product.stop();
  return [
    {
      measure: 'w',
      name: 'messages carried by two apis and two workers on one database',
      value: `${text}, ${rate.toFixed(1)}/s, ${cpuText(rounds.map(({ cpuMs }) => cpuMs))}; ${accepted} counted once, ${product.inbox.repeats()} of their webhooks came again`,
      comparedTo: `one of each on the same cores, ${limit.toFixed(1)}/s, ${cpuText(cpuOfOne)}`,
      goal: '1.00',
      met: ratio >= 1,
      reason: 'four processes share two cores, and each has caches and compiled code of its own',
    },
  ];
}

interface Carried {
  /** Messages per second. */
  rate: number;
  /** CPU time of the whole machine for each message: the client, Temporal and PostgreSQL are in it. */
  cpuMs: number;
}

async function carry(product: Parameters<typeof messagesPerSecond>[0], messages: number): Promise<Carried> {
  const before = machineCpuMs();
  const rate = await messagesPerSecond(product, messages);
  return { rate, cpuMs: (machineCpuMs() - before) / messages };
}

/** Of a round with a second pair, whose code is not compiled and whose caches are empty: it takes half of them, and is then as warm as the first. */
const warmUpOf = (messages: number) => 2 * messages;

/** A second api and a second worker come for a round, and take half of the messages and of the work. */
async function carryByTwo(
  installation: BenchInstallation,
  product: WholeProduct,
  { messages, round }: { messages: number; round: number },
): Promise<Carried> {
  const { deployment, sender } = product;
  const [api, worker] = await Promise.all([
    startApi(installation, deployment),
    startWorker(installation, deployment),
  ]);
  const second = asTenant(api.url, sender.apiKey);
  let sent = 0;
  const send = async () => await product.send((sent += 1) % 2 === 0 ? second : sender.api);
  await messagesPerSecond({ ...product, send }, warmUpOf(messages));
  const measured = carry({ ...product, send }, messages);
  const carried = await withProgress(installation.log, `(w) two of each, round ${round}`, measured);
  await Promise.all([api.stop(), worker.stop()]);
  return carried;
}

/** Throws where a message is not counted once, or a side was told by no webhook or by two. */
async function requireOnce({ deployment, sender, inbox }: WholeProduct, accepted: number): Promise<void> {
  const { transactions } = await sender.api.get<{ transactions: { count: number }[] }>(
    '/tenant/me/statistics',
  );
  const counted = transactions.reduce((sum, { count }) => sum + count, 0);
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  let wrong = 0;
  for await (const { faults } of checkCounts(db.pool)) wrong += faults.length;
  await db.close();
  // One that is too many may come a moment later.
  await delay(LATE_MS);
  const told = ['sender', 'receiver'].map((side) => inbox.countOf(side));
  if (counted !== accepted || wrong > 0 || told.some((count) => count !== accepted))
    throw new Error(
      `${counted} of ${accepted} counted, ${wrong} counts wrong, ${told.join(' and ')} webhooks`,
    );
}
