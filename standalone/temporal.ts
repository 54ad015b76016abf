import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { freshLog } from './home.ts';
import { onFreePorts } from './on-free-ports.ts';
import type { ProgressLog } from './progress.ts';
import type { StandaloneRun } from './run.ts';
import { keepRunning, type SupervisedProcess } from './supervise.ts';
import { findTemporal } from './temporal-binary.ts';
import { startTemporalServer, type TemporalServer } from './temporal-server.ts';

const USUAL_PORTS = { temporal: 7233, temporalUi: 8233 };

/** Starts the home's own Temporal server with its UI; its state is in <home>/temporal.db. */
export async function startTemporal(
  run: StandaloneRun,
  namespace: string,
): Promise<SupervisedProcess<TemporalServer>> {
  const { home, log, stopping } = run;
  const binary = await findTemporal(log);
  const logFile = freshLog(home, 'temporal');
  const file = join(home, 'temporal.db');
  const wishes = [
    { name: 'temporal', label: 'Temporal', usual: USUAL_PORTS.temporal },
    { name: 'temporalUi', label: 'Temporal UI', usual: USUAL_PORTS.temporalUi },
  ] as const;
  const start = (): Promise<SupervisedProcess<TemporalServer>> =>
    onFreePorts(run, wishes, (ports) => {
      const options = {
        binary,
        namespace,
        port: ports.temporal,
        uiPort: ports.temporalUi,
        file,
        logFile,
        home,
      };
      return keepRunning('Temporal', () => startTemporalServer(options), run);
    });
  try {
    return await start();
  } catch (error) {
    // An interrupted start says nothing about the file.
    if (stopping.aborted || !existsSync(file)) throw error;
    moveAside(file, log);
    return start();
  }
}

/** Moves the state file away: it may be of another version, and the sweep restores the workflows from the database. */
function moveAside(file: string, log: ProgressLog): void {
  log(
    `Temporal does not start with ${file}: starting with an empty file; the old one is kept as ${file}.old`,
  );
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(file + ending)) renameSync(file + ending, `${file}.old${ending}`);
  }
}
