import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { freshLog } from './home.ts';
import { onFreePorts } from './on-free-ports.ts';
import { recordProcess } from './processes.ts';
import { withProgress, type Log } from './progress.ts';
import { keepRunning, type Supervised } from './supervise.ts';
import { findTemporal } from './temporal-binary.ts';
import { startTemporalServer, type TemporalOptions, type TemporalServer } from './temporal-server.ts';

const USUAL_PORTS = { temporal: 7233, temporalUi: 8233 };

interface Options {
  home: string;
  namespace: string;
  log: Log;
}

/** Starts the home's own Temporal server with its UI; its state lives in <home>/temporal.db. */
export async function startTemporal({ home, namespace, log }: Options): Promise<Supervised<TemporalServer>> {
  const binary = await withProgress(log, 'Looking for a Temporal server', findTemporal(log));
  const logFile = freshLog(home, 'temporal');
  const file = join(home, 'temporal.db');
  const wishes = [
    { name: 'temporal', label: 'Temporal', usual: USUAL_PORTS.temporal },
    { name: 'temporalUi', label: 'Temporal UI', usual: USUAL_PORTS.temporalUi },
  ] as const;
  const start = (): Promise<Supervised<TemporalServer>> =>
    onFreePorts(home, wishes, log, (ports) => {
      const options = {
        binary,
        namespace,
        port: ports.temporal,
        uiPort: ports.temporalUi,
        file,
        logFile,
        home,
      };
      return keepRunning('Temporal', () => startRecorded(options), log);
    });
  try {
    return await start();
  } catch (error) {
    if (!existsSync(file)) throw error;
    setAside(file, log);
    return start();
  }
}

async function startRecorded(options: TemporalOptions): Promise<TemporalServer> {
  return startTemporalServer(options, (pid) =>
    recordProcess(join(options.home, 'run'), 'temporal', pid, `${options.binary} server start-dev`),
  );
}

/** Its state may be of another version; what it knows can be told anew from the database. */
function setAside(file: string, log: Log): void {
  log(
    `Temporal does not start with ${file}: beginning with an empty one, the old one is kept as ${file}.old`,
  );
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(file + ending)) renameSync(file + ending, `${file}.old${ending}`);
  }
}
