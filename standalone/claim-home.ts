import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endLeftovers, recordProcess, runningProcess } from './processes.ts';
import { withProgress, type ProgressLog } from './progress.ts';

const RUNNING = 'standalone';
const STOPPING = 'stopping';
/** The PID files of `npm start` itself, not of its children. */
export const OWN_RECORDS = [RUNNING, STOPPING];
/** How long to wait for another start to end, in milliseconds: it notices within 250 ms that its npm was killed. */
const NOTICE_MS = 1000;
const POLL_MS = 50;

export interface HomeClaim {
  /** Makes a new start wait for the end of this one instead of refusing. */
  markStopping: () => void;
  giveBack: () => void;
}

/**
 * Makes this process the only one of its home folder, and ends processes that a killed start left running. Waits for a start
 * that is stopping. Throws an error for the user while another start is running.
 */
export async function claimHome(home: string, log: ProgressLog): Promise<HomeClaim> {
  const folder = join(home, 'run');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await othersGone(home, folder, log);
  recordProcess(folder, RUNNING, process.pid, process.argv.slice(0, 2).join(' '));
  await endLeftovers(folder, log, OWN_RECORDS);
  const file = (name: string): string => join(folder, `${name}.json`);
  return {
    markStopping: () => renameSync(file(RUNNING), file(STOPPING)),
    giveBack: () => {
      rmSync(file(RUNNING), { force: true });
      rmSync(file(STOPPING), { force: true });
    },
  };
}

async function othersGone(home: string, folder: string, log: ProgressLog): Promise<void> {
  const refuseAt = Date.now() + NOTICE_MS;
  for (let other = runningProcess(folder, RUNNING); other; other = runningProcess(folder, RUNNING)) {
    if (Date.now() > refuseAt) {
      throw new Error(
        `Waybill is already running with ${home} (process ${other.pid}). Stop it first, or set another WAYBILL_HOME.`,
      );
    }
    await delay(POLL_MS);
  }
  await withProgress(log, 'Waiting for the previous start to stop', stopped(folder));
}

async function stopped(folder: string): Promise<void> {
  while (runningProcess(folder, STOPPING)) await delay(POLL_MS);
}
