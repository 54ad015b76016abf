import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../process/settings.ts';
import { freshLog } from './home.ts';
import { API_FLAGS, startNodeProcess, WORKER_FLAGS } from './node-process.ts';
import { onFreePorts } from './on-free-ports.ts';
import type { StandaloneRun } from './run.ts';
import type { ServerProcess } from './server-process.ts';
import { keepRunning, type SupervisedProcess } from './supervise.ts';

/** A first start loads the lists and the directory that come with the product, which takes long on a small machine. */
const READY_LIMIT_MS = 180_000;
const POLL_MS = 50;
const LOOPBACK = '127.0.0.1,localhost,[::1]';

/** Settings of the two programs besides those that the user has set. */
export interface ProcessInput {
  databaseUrl: string;
  temporalAddress: string;
  temporalUiUrl: string | undefined;
  masterKey: string;
  operatorKey: string;
}

/** Starts the api and waits until it is ready to serve. */
export async function startApi(
  settings: Settings,
  input: ProcessInput,
  run: StandaloneRun,
): Promise<SupervisedProcess<ServerProcess> & { url: string }> {
  const logFile = freshLog(run.home, 'api');
  const preference = {
    name: 'api',
    label: 'API',
    usual: settings.PORT,
    isConfigured: Boolean(process.env['PORT']),
    host: settings.HOST,
  } as const;
  return onFreePorts(run, [preference], async (ports) => {
    const url = `http://${reachable(settings.HOST)}:${ports.api}`;
    const program = {
      name: 'api',
      file: 'dist/api/main.js',
      flags: API_FLAGS,
      // METRICS_PORT belongs to the worker; the api serves /metrics on its own port.
      env: {
        ...environment(settings, input, { url, port: ports.api, home: run.home }),
        METRICS_PORT: undefined,
      },
      home: run.home,
      logFile,
      untilReady: (_: ChildProcess, gaveUp: AbortSignal) => untilAnswering(`${url}/health/ready`, gaveUp),
    };
    const api = await keepRunning('api', () => startNodeProcess(program), run);
    return { ...api, url };
  });
}

/** Starts the worker and waits until it reports that it polls. */
export async function startWorker(
  settings: Settings,
  input: ProcessInput,
  apiUrl: string,
  run: StandaloneRun,
): Promise<SupervisedProcess<ServerProcess>> {
  const program = {
    name: 'worker',
    file: 'dist/worker/main.js',
    flags: WORKER_FLAGS,
    env: environment(settings, input, { url: apiUrl, port: Number(new URL(apiUrl).port), home: run.home }),
    home: run.home,
    logFile: freshLog(run.home, 'worker'),
    untilReady: untilReported,
  };
  return keepRunning('worker', () => startNodeProcess(program), run);
}

function environment(
  settings: Settings,
  input: ProcessInput,
  { url, port, home }: { url: string; port: number; home: string },
): NodeJS.ProcessEnv {
  const given = {
    HOST: settings.HOST,
    PORT: String(port),
    WAYBILL_HOME: home,
    DATABASE_URL: input.databaseUrl,
    TEMPORAL_ADDRESS: input.temporalAddress,
    TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
    ...(input.temporalUiUrl && { TEMPORAL_UI_URL: input.temporalUiUrl }),
    MASTER_KEY: input.masterKey,
    OPERATOR_KEY: input.operatorKey,
    ENVIRONMENT: settings.ENVIRONMENT,
    PUBLIC_URL: settings.PUBLIC_URL ?? url,
    WEBHOOK_ALLOWED_HOSTS: [LOOPBACK, ...settings.WEBHOOK_ALLOWED_HOSTS].join(','),
  };
  // A setting that was read from a file is passed as a value; both at once would be refused.
  const files: NodeJS.ProcessEnv = Object.fromEntries(
    Object.keys(given).map((name) => [`${name}_FILE`, undefined]),
  );
  return { ...process.env, ...files, ...given };
}

/** The host at which a server that listens on `host` is reached; a server on all addresses is reached by loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

async function untilAnswering(url: string, gaveUp: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!gaveUp.aborted) {
    if (await isAnswering(url)) return;
    if (Date.now() > deadline) throw new Error(`The api was not ready within ${READY_LIMIT_MS / 1000} s`);
    await delay(POLL_MS);
  }
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function untilReported(child: ChildProcess, gaveUp: AbortSignal): Promise<void> {
  const reported = new Promise<void>((resolve) => child.once('message', () => resolve()));
  const late = delay(READY_LIMIT_MS, true, { signal: gaveUp }).catch(() => false);
  if ((await Promise.race([reported, late])) === true) {
    throw new Error(`The worker was not ready within ${READY_LIMIT_MS / 1000} s`);
  }
}
