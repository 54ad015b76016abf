import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { acceptAll, npmStart, readRunning, startedPids } from './npm-start.ts';
import { peakMb, processesBelow, proportionalMb } from './resident-memory.ts';

const GOAL = { idleMb: 900, burstMb: 600 };
const POLL_MS = 500;
const LIMIT_MS = 600_000;
const FULL = { quietMs: 60_000, messages: 3_000 };
const QUICK = { quietMs: 1_000, messages: 20 };

/**
 * (x) Measures the memory of an installation that `npm start` made, with the bundled lists in memory: all of it while nothing
 * happens, shared pages counted once, and the peak of the worker in a burst of messages.
 */
export async function measureMemory(installation: BenchInstallation, quick: boolean): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const home = join(installation.folder, 'memory');
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(x) ${name}`, work);
  const launcher = await step('npm start', npmStart(home));
  await step('one message', carry(home, 1));
  await step('nothing', delay(size.quietMs));
  const idle = memoryNow(home, launcher.pid ?? 0);
  await step('a burst of messages', carry(home, size.messages));
  const peak = peakMb(startedPids(home)['worker'] ?? 0);
  launcher.kill('SIGTERM');
  await once(launcher, 'exit');
  return [idleFigure(idle), burstFigure(size.messages, peak)];
}

/** Sends messages as fast as the api accepts them; resolves when none waits any more. */
async function carry(home: string, messages: number): Promise<void> {
  await acceptAll(home, messages);
  const client = new pg.Client({ connectionString: readRunning(home).databaseUrl });
  await client.connect();
  const startedMs = performance.now();
  const waiting = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from transactions where direction = 'OUTGOING' and status = 'PENDING'`,
    );
    return rows[0]?.count ?? 0;
  };
  try {
    for (let left = await waiting(); left > 0; left = await waiting()) {
      if (performance.now() - startedMs > LIMIT_MS) throw new Error(`${left} messages still wait`);
      await delay(POLL_MS);
    }
  } finally {
    await client.end();
  }
}

/** MB of each part of the installation, with the processes that it has started. Those of `npm start` are the other parts. */
function memoryNow(home: string, launcher: number): Record<string, number> {
  const pids = Object.entries(startedPids(home)).filter(([, pid]) => pid !== launcher);
  const parts = pids.map(
    ([name, pid]) => [name, processesBelow(pid).reduce((sum, one) => sum + proportionalMb(one), 0)] as const,
  );
  return { ...Object.fromEntries(parts), 'npm start': proportionalMb(launcher) };
}

function idleFigure(parts: Record<string, number>): BenchFigure {
  const all = Object.values(parts).reduce((sum, mb) => sum + mb, 0);
  const each = Object.entries(parts).map(([name, mb]) => `${name} ${mb.toFixed(0)}`);
  return {
    measure: 'x',
    name: 'memory of an idle installation, lists loaded',
    value: `${all.toFixed(0)} MB`,
    comparedTo: `its parts: ${each.join(', ')}`,
    goal: `${GOAL.idleMb} MB`,
    met: all <= GOAL.idleMb,
  };
}

function burstFigure(messages: number, peak: number): BenchFigure {
  return {
    measure: 'x',
    name: `memory of the worker in a burst of ${messages} messages`,
    value: `${peak.toFixed(0)} MB at most`,
    comparedTo: 'resident, from its start on',
    goal: `${GOAL.burstMb} MB`,
    met: peak <= GOAL.burstMb,
  };
}
