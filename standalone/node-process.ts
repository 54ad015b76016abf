import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { recordProcess } from './processes.ts';
import { projectRoot } from './project-root.ts';
import { serverProcess, untilStarted, type ServerProcess } from './server-process.ts';

const STOP_LIMIT_MS = 5000;

export interface NodeProgram {
  name: string;
  /** Compiled file, from the project's folder. */
  file: string;
  /** Flags of Node. */
  flags?: readonly string[];
  env: NodeJS.ProcessEnv;
  home: string;
  logFile: string;
  untilReady: (child: ChildProcess, gaveUp: AbortSignal) => Promise<void>;
}

/**
 * The api makes much that lives for one request. With Node's 16 MB for what is new, requests wait twice as long for garbage to be
 * collected. The containers start it with the same flags.
 */
export const API_FLAGS = ['--max-semi-space-size=64'];

/**
 * The worker's heaps, its own and those of its threads, are collected when they have grown by a quarter, not when they have doubled:
 * in a burst of messages it takes a third less memory, and a twentieth more time at most. The containers start it with the same flags.
 */
export const WORKER_FLAGS = ['--heap-growing-percent=25'];

/** Starts api or worker. The IPC channel closes when this process ends, which tells the program to stop. */
export async function startNodeProcess(program: NodeProgram): Promise<ServerProcess> {
  const child = launch(program);
  recordProcess(join(program.home, 'run'), program.name, child.pid, program.file);
  await untilStarted(program.name, child, program.logFile, (gaveUp) => program.untilReady(child, gaveUp));
  return serverProcess(child, 'SIGTERM', STOP_LIMIT_MS);
}

/** A process of its own group, so that Ctrl-C in the terminal reaches only the parent, which stops things in order. */
function launch({ file, flags = [], env, logFile }: NodeProgram): ChildProcess {
  const output = openSync(logFile, 'a', 0o600);
  try {
    return spawn(process.execPath, ['--enable-source-maps', ...flags, join(projectRoot, file)], {
      detached: true,
      env,
      stdio: ['ignore', output, output, 'ipc'],
    });
  } finally {
    closeSync(output);
  }
}
