import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withSettings, type Settings } from '../process/settings.ts';
import { stopSignal } from './stop-signal.ts';
import { bringUp, type UndoStep } from './bring-up.ts';
import { claimHome, OWN_RECORDS, type HomeClaim } from './claim-home.ts';
import { homeFolder, openHome } from './home.ts';
import { endLeftovers, killRecorded } from './processes.ts';
import type { ProgressLog } from './progress.ts';

const STOP_LIMIT_MS = 9500;
const BREAK_OFF_LIMIT_MS = 3000;

const log: ProgressLog = (line) => console.log(line);

/** `npm start`: starts everything on this machine, and stops everything when it is requested. Ends the process. */
async function standalone(settings: Settings): Promise<void> {
  const home = homeFolder(process.env['WAYBILL_HOME'] ? settings.WAYBILL_HOME : undefined);
  let claim: HomeClaim | undefined;
  const force = (): void => {
    // Without a claim, the recorded processes belong to another start.
    if (claim) killRecorded(join(home, 'run'), OWN_RECORDS);
    claim?.giveBack();
    process.exit(1);
  };
  const stopRequest = stopSignal(force);
  try {
    openHome(home);
    // Only this user may read Temporal's file, the logs and all other files created from here on.
    process.umask(0o077);
    claim = await claimHome(home, log);
  } catch (error) {
    printError(error);
    process.exit(1);
  }
  const code = await runUntilStopped(settings, home, stopRequest, () => {
    setTimeout(force, STOP_LIMIT_MS).unref();
    claim?.markStopping();
  });
  claim.giveBack();
  process.exit(code);
}

/** Starts everything, waits for a request to stop or a failure, and stops everything. Resolves with the exit code. */
async function runUntilStopped(
  settings: Settings,
  home: string,
  stopRequest: AbortSignal,
  onStopping: () => void,
): Promise<number> {
  const undo: UndoStep = { files: [], programs: [], servers: [] };
  const failed = new AbortController();
  const stopping = AbortSignal.any([stopRequest, failed.signal]);
  const fail = (error: unknown): void => {
    if (!stopping.aborted) printError(error);
    failed.abort();
  };
  process.on('uncaughtException', fail);
  const up = bringUp(settings, { home, log, stopping }, undo).catch(fail);
  if (!stopping.aborted) await once(stopping, 'abort');
  if (stopRequest.aborted) log('Stopping ...');
  onStopping();
  await takeDown(home, undo);
  // An interrupted start may still have started a process.
  await Promise.race([up, delay(BREAK_OFF_LIMIT_MS)]);
  await takeDown(home, undo);
  return stopRequest.aborted ? 0 : 1;
}

async function takeDown(home: string, undo: UndoStep): Promise<void> {
  undo.files.splice(0).forEach((remove) => remove());
  await Promise.all(undo.programs.splice(0).map((stop) => stop()));
  await Promise.all(undo.servers.splice(0).map((stop) => stop()));
  await endLeftovers(join(home, 'run'), () => undefined, OWN_RECORDS);
}

function printError(error: unknown): void {
  console.error(error instanceof Error ? error.message : 'Waybill could not be started');
}

await withSettings((settings) => {
  if (settings.ENVIRONMENT === 'production') {
    console.error(
      'npm start is for trials on one machine. In production, start the api and the worker separately: see docs/operating.md.',
    );
    process.exit(1);
  }
  return standalone(settings);
});
