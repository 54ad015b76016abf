import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { endProcess } from './processes.ts';

/** How long a database may take to write all data to disk, in milliseconds. */
export const SERVER_STOP_LIMIT_MS = 4000;

/** A server that runs as a child of this process. */
export interface ServerProcess {
  pid: number;
  stop: () => Promise<void>;
  /** Registers a callback for a server that ends without a call of `stop`. */
  onCrash: (tell: (why: string) => void) => void;
}

/** Waits until a child is ready. Rejects with the end of its log when the child ends before. */
export async function untilStarted(
  name: string,
  child: ChildProcess,
  logFile: string,
  untilReady: (gaveUp: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      if (!over.signal.aborted) reject(new Error(`${name} did not start:\n${lastLines(logFile)}`));
    });
  });
  try {
    await Promise.race([failed, untilReady(over.signal)]);
  } finally {
    over.abort();
  }
}

export function serverProcess(
  child: ChildProcess,
  stopSignal: NodeJS.Signals,
  limitMs: number,
): ServerProcess {
  const { pid = 0 } = child;
  let stopping = false;
  return {
    pid,
    stop: async () => {
      stopping = true;
      await endProcess(pid, stopSignal, limitMs);
    },
    onCrash: (tell) => {
      child.on('exit', (code, signal) => {
        if (!stopping) tell(signal ?? `code ${code}`);
      });
    },
  };
}

/** The end of a log file without call stacks, for a message about the process that wrote it. */
export function lastLines(file: string, count = 12): string {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return [...lines.filter((line) => !/^ +at /.test(line)).slice(-count), `(from ${file})`].join('\n');
  } catch {
    return '';
  }
}
