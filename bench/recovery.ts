import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { endLeftovers } from '../standalone/processes.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { acceptAll, npmStart, readRunning, startedPids } from './npm-start.ts';

const GOAL_SECONDS = 60;
const LIMIT_MS = 600_000;
const POLL_MS = 100;

/**
 * (q) Measures the recovery of a whole installation that was killed: messages are accepted as fast as the API can, then
 * every process gets kill -9 at once and `npm start` runs again. From its readiness to the moment when the last message
 * that had no workflow was handed to Temporal.
 */
export async function measureRecovery(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const messages = quick ? 40 : 2_000;
  const home = join(installation.folder, 'recovery');
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(q) ${name}`, work);
  const first = await step('npm start', npmStart(home));
  await step('a burst of messages', acceptAll(home, messages));
  await killAll(home, first);
  const again = await step('npm start after kill -9 of everything', npmStart(home));
  const recovered = await step('recovering', untilHandedOver(home));
  again.kill('SIGTERM');
  await once(again, 'exit');
  return [figureOf(messages, recovered)];
}

/** Kills every process of the installation at once. */
async function killAll(home: string, launcher: ChildProcess): Promise<void> {
  const pids = Object.values(startedPids(home));
  launcher.kill('SIGKILL');
  for (const pid of pids) if (pid !== launcher.pid) process.kill(pid, 'SIGKILL');
  await endLeftovers(join(home, 'run'), () => undefined);
}

interface Recovered {
  /** Messages without a workflow once everything ran again. */
  waiting: number;
  seconds: number;
}

/** Until no message waits for its workflow any more. */
async function untilHandedOver(home: string): Promise<Recovered> {
  const client = new pg.Client({ connectionString: readRunning(home).databaseUrl });
  await client.connect();
  const startedMs = performance.now();
  const count = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from outbox where workflow = 'transactionLifecycle'`,
    );
    return rows[0]?.count ?? 0;
  };
  try {
    const waiting = await count();
    for (let left = waiting; left > 0; left = await count()) {
      if (performance.now() - startedMs > LIMIT_MS) throw new Error(`${left} messages still wait`);
      await delay(POLL_MS);
    }
    return { waiting, seconds: (performance.now() - startedMs) / 1_000 };
  } finally {
    await client.end();
  }
}

function figureOf(messages: number, { waiting, seconds }: Recovered): BenchFigure {
  return {
    measure: 'q',
    name: `recovery of ${messages} messages after kill -9 of everything`,
    value: `${seconds.toFixed(1)} s from readiness until the last has a workflow`,
    comparedTo: `${waiting} that had none when everything ran again`,
    goal: `${GOAL_SECONDS} s`,
    met: seconds <= GOAL_SECONDS,
  };
}
