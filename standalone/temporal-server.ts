import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { recordProcess } from './processes.ts';
import { SERVER_STOP_LIMIT_MS, serverProcess, untilStarted, type ServerProcess } from './server-process.ts';

const START_LIMIT_MS = 60_000;

/**
 * Without these settings each timer fires up to a second late and each step of a workflow costs 50 ms (measured). Eager
 * execution gives an activity to the worker that requested it; one partition is enough for one machine.
 */
const DYNAMIC_SETTINGS = [
  'history.transferProcessorMaxPollRPS=100',
  'history.timerProcessorMaxPollRPS=100',
  'history.timerProcessorMaxTimeShift="50ms"',
  'system.enableActivityEagerExecution=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

export interface TemporalOptions {
  binary: string;
  namespace: string;
  port: number;
  /** The UI's port; undefined = no UI. */
  uiPort: number | undefined;
  /** SQLite file; undefined = in memory. */
  file: string | undefined;
  logFile: string;
  /** WAYBILL_HOME of the child, which identifies its owner. The PID file is in the folder run. */
  home: string;
}

export interface TemporalServer extends ServerProcess {
  address: string;
  uiUrl: string | undefined;
}

/**
 * Starts the dev server on loopback and waits until it serves its namespace. Rejects with the
 * end of its log.
 */
export async function startTemporalServer(options: TemporalOptions): Promise<TemporalServer> {
  const child = launch(options);
  await untilStarted('Temporal', child, options.logFile, (gaveUp) => untilReady(options, child, gaveUp));
  return control(child, options);
}

/** A process of its own group, so that Ctrl-C in the terminal reaches only the parent, which stops things in order. */
function launch(options: TemporalOptions): ChildProcess {
  const output = openSync(options.logFile, 'a', 0o600);
  try {
    const child = spawn(options.binary, serverArguments(options), {
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], WAYBILL_HOME: options.home },
    });
    recordProcess(join(options.home, 'run'), 'temporal', child.pid, `${options.binary} server start-dev`);
    return child;
  } finally {
    closeSync(output);
  }
}

function serverArguments({ namespace, port, uiPort, file }: TemporalOptions): string[] {
  const ui = uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)];
  // Without these two pragmas each commit is synced by itself, and throughput halves.
  const wal = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'];
  const store = file === undefined ? [] : ['--db-filename', file, ...wal];
  const place = ['--ip', '127.0.0.1', '--port', String(port), ...ui, '--namespace', namespace];
  const settings = DYNAMIC_SETTINGS.flatMap((setting) => ['--dynamic-config-value', setting]);
  return ['server', 'start-dev', '--log-level', 'error', ...place, ...store, ...settings];
}

/** Waits for the namespace, because the port opens before the namespace exists. */
async function untilReady(options: TemporalOptions, child: ChildProcess, gaveUp: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  const connection = Connection.lazy({
    address: `127.0.0.1:${options.port}`,
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 200 },
  });
  try {
    while (!gaveUp.aborted) {
      if (await hasNamespace(connection, options.namespace)) return;
      if (Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`Temporal was not ready within ${START_LIMIT_MS / 1000} s`);
      }
      await delay(25);
    }
  } finally {
    await connection.close();
  }
}

async function hasNamespace(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + 1000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false;
  }
}

function control(child: ChildProcess, { port, uiPort }: TemporalOptions): TemporalServer {
  return {
    ...serverProcess(child, 'SIGTERM', SERVER_STOP_LIMIT_MS),
    address: `127.0.0.1:${port}`,
    uiUrl: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`,
  };
}
