import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { messagesPerSecond } from './message-rate.ts';
import { pairedRounds } from './paired-rounds.ts';
import { median, percentile } from './statistics.ts';
import { startWholeProduct, type WholeProduct } from './whole-product.ts';

const GOAL = 0.85;
const VENDOR_MS = 300;
const PER_SECOND = 100;
const FULL = { rounds: 3, messages: 150, seconds: 10 };
const QUICK = { rounds: 1, messages: 10, seconds: 1 };

/**
 * (n) Measures messages delivered per second with screening and rules on both sides, compared with messages of which a
 * trigger lets the sender's record pass unscreened and which arrive sealed, so that their receiver screens nothing; and the time of an accepted POST at 100 per second while the AML provider needs
 * 300 ms for each answer.
 */
export async function measureLifecycleScreening(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const vendor = await slowVendor();
  const { port } = vendor.address() as AddressInfo;
  const product = await startWholeProduct(installation, 'bench-screening', {
    AMLBOT_URL: `http://127.0.0.1:${port}`,
  });
  const database = new pg.Client(product.databaseUrl);
  database.on('error', (error) => installation.log(`(n) the bench lost its connection: ${error.message}`));
  await database.connect();
  await withProgress(installation.log, '(n) warming up', messagesPerSecond(product, size.messages / 2));
  const figures = [
    await carriedRatio(installation, product, database, size),
    await acceptTimes(installation, product, size),
  ];
  await database.end();
  await product.stop();
  vendor.close();
  vendor.closeAllConnections();
  return figures;
}

type Size = typeof FULL;

async function carriedRatio(
  installation: BenchInstallation,
  product: WholeProduct,
  database: pg.Client,
  size: Size,
): Promise<BenchFigure> {
  const measure = async (what: string, send: () => Promise<unknown>) =>
    await withProgress(
      installation.log,
      `(n) ${what}`,
      messagesPerSecond({ ...product, send }, size.messages),
    );
  const { ratio, text, limit, rounds } = await pairedRounds(
    installation,
    size.rounds,
    async (round) => {
      await database.query(PASS_ALL);
      const rate = await measure(`without screening ${round}`, product.sendSealed);
      await database.query('drop trigger bench_pass on transactions');
      return rate;
    },
    async (round) => ({ rate: await measure(`with screening, round ${round}`, product.send) }),
  );
  return {
    measure: 'n',
    name: 'messages carried with screening of names and wallets, and rules',
    value: `${text}, ${median(rounds.map(({ rate }) => rate)).toFixed(1)}/s`,
    comparedTo: `messages that neither side screens, ${limit.toFixed(1)}/s`,
    goal: GOAL.toFixed(2),
    met: ratio >= GOAL,
  };
}

const PASS_ALL = `
  create or replace function bench_pass() returns trigger language plpgsql as $$
  begin
    if new.direction = 'OUTGOING' then new.screening_state := null; end if;
    return new;
  end $$;
  create trigger bench_pass before insert on transactions for each row execute function bench_pass();
`;

async function acceptTimes(
  installation: BenchInstallation,
  product: WholeProduct,
  size: Size,
): Promise<BenchFigure> {
  const plain = await withProgress(
    installation.log,
    '(n) accepting, no AML provider',
    timesOf(product, size),
  );
  const key = { accessId: 'bench', accessKey: 'bench' };
  await product.sender.api.put('/tenant/me/service-keys', { feature: 'aml_check', provider: 'amlbot', key });
  const checked = await withProgress(
    installation.log,
    `(n) accepting, ${VENDOR_MS} ms for each check`,
    timesOf(product, size),
  );
  const [before, with300] = [percentile(plain, 0.5), percentile(checked, 0.5)];
  const most = Math.max(1.5 * before, before + 10);
  return {
    measure: 'n',
    name: `POST /transactions at ${PER_SECOND}/s while each is checked by a provider that needs ${VENDOR_MS} ms`,
    value: `${(with300 / before).toFixed(2)} (p50 ${with300.toFixed(0)} ms, p99 ${percentile(checked, 0.99).toFixed(0)} ms)`,
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
    // From the planned moment: a late start is a delay too.
    sending.push(send().then(() => void times.push(performance.now() - dueMs)));
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
