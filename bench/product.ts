import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../standalone/free-port.ts';
import { API_FLAGS, startNodeProcess, WORKER_FLAGS } from '../standalone/node-process.ts';
import type { ServerProcess } from '../standalone/server-process.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchInstallation } from './installation.ts';
import { asOperator, asTenant, type JsonApi } from './json-api.ts';

const API_FILE = 'dist/api/main.js';
const READY_LIMIT_MS = 180_000;
const LABELLED_LIMIT_MS = 300_000;

/** Environment variables of the processes of one deployment. */
export interface Deployment {
  DATABASE_URL: string;
  TEMPORAL_ADDRESS: string;
  TEMPORAL_NAMESPACE: string;
  MASTER_KEY: string;
  OPERATOR_KEY: string;
}

/** Prepares a deployment with a new database. Without `temporal`, nothing listens on its Temporal address. */
export async function newDeployment(
  installation: BenchInstallation,
  temporal?: Temporal,
): Promise<Deployment> {
  return {
    DATABASE_URL: await installation.newDatabase(),
    TEMPORAL_ADDRESS: temporal?.address ?? `127.0.0.1:${await freePort([])}`,
    TEMPORAL_NAMESPACE: temporal?.namespace ?? 'bench',
    MASTER_KEY: randomBytes(32).toString('hex'),
    OPERATOR_KEY: randomBytes(16).toString('hex'),
  };
}

interface Temporal {
  address: string;
  namespace: string;
}

/** A tenant, and API calls with its key. */
export interface BenchTenant {
  id: string;
  name: string;
  apiKey: string;
  api: JsonApi;
}

export interface RunningApi {
  url: string;
  pid: number;
  createTenant: (name: string, webhookUrl?: string) => Promise<BenchTenant>;
  stop: () => Promise<void>;
}

/** Starts the built api in its own process, without rate limits. */
export async function startApi(
  installation: BenchInstallation,
  deployment: Deployment,
  settings: NodeJS.ProcessEnv = {},
): Promise<RunningApi> {
  const port = await freePort([]);
  const url = `http://127.0.0.1:${port}`;
  const limits = { RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '0', RATE_LIMIT_SCREENING: '0' };
  const api = await startProgram(installation, deployment, API_FILE, 1, {
    PORT: String(port),
    ...limits,
    ...settings,
  });
  return {
    url,
    pid: api.pid,
    stop: api.stop,
    createTenant: async (name, webhookUrl) => {
      const operator = asOperator(url, deployment.OPERATOR_KEY);
      const body = { name, ...(webhookUrl !== undefined && { webhookUrl }) };
      const made = await operator.post<Created>('/operator/tenants', body);
      const { apiKey } = made.apiKey;
      return { id: made.tenant.id, name, apiKey, api: asTenant(url, apiKey) };
    },
  };
}

/**
 * Starts the built worker in its own process, together with a worker for the no-op workflow; each reports that it is ready.
 * Then waits until the worker has loaded the bundled labels into the new database, because that happens only once and
 * must not be measured.
 */
export async function startWorker(
  installation: BenchInstallation,
  deployment: Deployment,
): Promise<ServerProcess> {
  const worker = await startProgram(installation, deployment, 'dist/bench/no-op-worker.js', 2);
  await withProgress(
    installation.log,
    'Loading the labels that come with the product',
    untilLabelled(deployment),
  );
  return worker;
}

async function untilLabelled({ DATABASE_URL }: Deployment): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    const started = performance.now();
    while ((await client.query('select from label_imports where is_active')).rowCount === 0) {
      if (performance.now() - started > LABELLED_LIMIT_MS)
        throw new Error('the labels were not loaded in time');
      await delay(200);
    }
  } finally {
    await client.end();
  }
}

interface Created {
  tenant: { id: string };
  apiKey: { apiKey: string };
}

let programs = 0;

async function startProgram(
  { folder }: BenchInstallation,
  deployment: Deployment,
  file: string,
  readyMessages: number,
  settings: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const name = `program-${(programs += 1)}`;
  const logFile = join(folder, `${name}.log`);
  writeFileSync(logFile, '');
  return await startNodeProcess({
    name,
    file,
    flags: file === API_FILE ? API_FLAGS : WORKER_FLAGS,
    home: folder,
    logFile,
    // No other environment variables: the user's settings must not change the result.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      WAYBILL_HOME: folder,
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      ...deployment,
      ...settings,
    },
    untilReady: async (child, gaveUp) => await untilReady(child, readyMessages, gaveUp),
  });
}

/** Waits for the `ready` messages of a process. Throws if they do not arrive in time. */
async function untilReady(child: ChildProcess, messages: number, gaveUp: AbortSignal): Promise<void> {
  const ready = async () => {
    for (let count = 0; count < messages; count += 1) await once(child, 'message');
    return true;
  };
  const late = delay(READY_LIMIT_MS, false, { signal: gaveUp }).catch(() => true);
  if (!(await Promise.race([ready(), late]))) throw new Error('A process was not ready in time.');
}
