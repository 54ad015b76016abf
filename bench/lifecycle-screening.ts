import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { withProgress } from '../standalone/progress.ts';
import type { Figure } from './figure.ts';
import type { Ground } from './ground.ts';
import { messagesPerSecond } from './message-rate.ts';
import { pairedRounds } from './paired-rounds.ts';
import { median, percentile } from './statistics.ts';
import { startWholeProduct, type WholeProduct } from './whole-product.ts';

const GOAL = 0.7;
const VENDOR_MS = 300;
const PER_SECOND = 100;
const FULL = { rounds: 3, messages: 150, seconds: 10 };
const QUICK = { rounds: 1, messages: 10, seconds: 1 };

/**
 * (n) Measures messages delivered per second with screening and rules, compared with the same messages while a trigger
 * clears every transaction unscreened; and the time of an accepted POST at 100 per second while the AML provider needs
 * 300 ms for each answer.
 */
export async function measureLifecycleScreening(ground: Ground, quick: boolean): Promise<Figure[]> {
  const size = quick ? QUICK : FULL;
  const vendor = await slowVendor();
  const { port } = vendor.address() as AddressInfo;
  const product = await startWholeProduct(ground, 'bench-screening', {
    AMLBOT_URL: `http://127.0.0.1:${port}`,
  });
  const database = new pg.Client(product.databaseUrl);
  database.on('error', (error) => ground.log(`(n) the bench lost its connection: ${error.message}`));
  await database.connect();
  await withProgress(ground.log, '(n) warming up', messagesPerSecond(product, size.messages / 2));
  const figures = [
    await carriedRatio(ground, product, database, size),
    await acceptTimes(ground, product, size),
  ];
  await database.end();
  await product.stop();
  vendor.close();
  vendor.closeAllConnections();
  return figures;
}

type Size = typeof FULL;

async function carriedRatio(
  ground: Ground,
  product: WholeProduct,
  database: pg.Client,
  size: Size,
): Promise<Figure> {
  const measure = async (what: string) =>
    await withProgress(ground.log, `(n) ${what}`, messagesPerSecond(product, size.messages));
  const { ratio, limit, rounds } = await pairedRounds(
    size.rounds,
    async (round) => {
      await database.query(PASS_ALL);
      const rate = await measure(`without screening ${round}`);
      await database.query('drop trigger bench_pass on transactions');
      return rate;
    },
    async (round) => ({ rate: await measure(`with screening, round ${round}`) }),
  );
  return {
    measure: 'n',
    name: 'messages carried with screening of names and wallets, and rules',
    value: `${ratio.toFixed(2)} (${median(rounds.map(({ rate }) => rate)).toFixed(1)}/s)`,
    comparedTo: `the same messages let pass unscreened, ${limit.toFixed(1)}/s`,
    goal: GOAL.toFixed(2),
    met: ratio >= GOAL,
  };
}

const PASS_ALL = `
  create or replace function bench_pass() returns trigger language plpgsql as $$
  begin
    new.screening_state := null;
    if new.direction = 'INCOMING' then new.wake_at := null; end if;
    return new;
  end $$;
  create trigger bench_pass before insert on transactions for each row execute function bench_pass();
`;

async function acceptTimes(ground: Ground, product: WholeProduct, size: Size): Promise<Figure> {
  const plain = await withProgress(ground.log, '(n) accepting, no AML provider', timesOf(product, size));
  const key = { accessId: 'bench', accessKey: 'bench' };
  await product.sender.api.put('/tenant/me/service-keys', { feature: 'aml_check', provider: 'amlbot', key });
  const asked = await withProgress(
    ground.log,
    `(n) accepting, ${VENDOR_MS} ms for each check`,
    timesOf(product, size),
  );
  const [before, with300] = [percentile(plain, 0.5), percentile(asked, 0.5)];
  const most = Math.max(1.5 * before, before + 10);
  return {
    measure: 'n',
    name: `POST /transactions at ${PER_SECOND}/s while each is checked by a provider that needs ${VENDOR_MS} ms`,
    value: `${(with300 / before).toFixed(2)} (p50 ${with300.toFixed(0)} ms, p99 ${percentile(asked, 0.99).toFixed(0)} ms)`,
    comparedTo: `the same without a provider, p50 ${before.toFixed(0)} ms, p99 ${percentile(plain, 0.99).toFixed(0)} ms`,
    goal: 'no growth (p50 within half as much again, or 10 ms)',
    met: with300 <= most,
  };
}

/** Sends requests at a fixed rate, without waiting for earlier answers. Returns the milliseconds of each. */
async function timesOf({ send }: WholeProduct, { seconds }: Size): Promise<number[]> {
  const times: number[] = [];
  const sending: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let sent = 0; sent < seconds * PER_SECOND; sent += 1) {
    const dueMs = startedMs + (sent * 1_000) / PER_SECOND;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    const begunMs = performance.now();
    sending.push(send().then(() => void times.push(performance.now() - begunMs)));
  }
  await Promise.all(sending);
  return times;
}

/** A stand-in for amlbot that answers after `VENDOR_MS`. */
async function slowVendor(): Promise<Server> {
  const answer = JSON.stringify({
    result: true,
    balance: 10,
    data: { uid: 'bench', riskscore: 0.1, signals: { exchange: 1 }, updated_at: 1_700_000_000 },
  });
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      setTimeout(
        () => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer),
        VENDOR_MS,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
