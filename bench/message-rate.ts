import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { runNoOp } from './no-op.ts';
import { openLoopFigures } from './open-loop.ts';
import { pairedRounds } from './paired-rounds.ts';
import { median } from './statistics.ts';
import { startWholeProduct, type WholeProduct } from './whole-product.ts';

const IN_FLIGHT = 50;
const GOAL = 0.55;
const FULL = { rounds: 3, messages: 600, noOps: 1_200, arrivalSeconds: 60 };
const QUICK = { rounds: 1, messages: 10, noOps: 20, arrivalSeconds: 2 };

/**
 * (d) Measures messages per second, screened on both sides, from the accepted POST to the answered webhooks of both
 * tenants. Compared with workflows
 * of one empty activity on the same Temporal server and in the same worker process, with the same number in flight.
 */
export async function measureMessageRate(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const product = await startWholeProduct(installation, 'bench-messages', { LOG_LEVEL: 'info' });
  const warmUp = async () => {
    await noOpsPerSecond(product, size.noOps / 4);
    await messagesPerSecond(product, size.messages / 4);
  };
  await withProgress(installation.log, '(d) warming up', warmUp());
  const { ratio, text, limit, rounds } = await pairedRounds(
    installation,
    size.rounds,
    async (round) =>
      await withProgress(
        installation.log,
        `(d) bare workflows ${round}`,
        noOpsPerSecond(product, size.noOps),
      ),
    async (round) => ({
      rate: await withProgress(
        installation.log,
        `(d) messages, round ${round}`,
        messagesPerSecond(product, size.messages),
      ),
    }),
  );
  const rate = median(rounds.map((round) => round.rate));
  const arrivals = await openLoopFigures(installation, {
    measure: 'd',
    name: 'accepted POST /transactions of messages that are carried',
    maximum: rate,
    seconds: size.arrivalSeconds,
    send: product.send,
  });
  await product.stop();
  return [
    {
      measure: 'd',
      name: `messages carried end to end, ${IN_FLIGHT} at once`,
      value: `${text}, ${rate.toFixed(1)}/s`,
      comparedTo: `workflows of one empty activity, same server and worker process, ${IN_FLIGHT} at once, ${limit.toFixed(1)}/s`,
      goal: GOAL.toFixed(2),
      met: ratio >= GOAL,
      reason:
        'a message is one workflow, four database transactions and two requests; server, worker and api share the cores',
    },
    ...arrivals,
  ];
}

async function noOpsPerSecond({ client }: WholeProduct, count: number): Promise<number> {
  let next = 0;
  const startedMs = performance.now();
  const oneAfterTheOther = async () => {
    while (next++ < count) await runNoOp(client);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, oneAfterTheOther));
  return (count * 1_000) / (performance.now() - startedMs);
}

/** Sends messages and waits for the webhooks of both tenants; returns messages per second. */
export async function messagesPerSecond(
  { send, carried, inbox }: Pick<WholeProduct, 'carried' | 'inbox'> & { send: () => Promise<unknown> },
  count: number,
): Promise<number> {
  const before = carried();
  const startedMs = performance.now();
  const sending: Promise<unknown>[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    await inbox.until(() => sent - (carried() - before) < IN_FLIGHT);
    sending.push(send());
  }
  await Promise.all(sending);
  await inbox.until(() => carried() - before >= count);
  return (count * 1_000) / (performance.now() - startedMs);
}
