import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runningProcess } from '../standalone/processes.ts';
import { projectRoot } from '../standalone/project-root.ts';
import { asTenant } from './json-api.ts';
import { sampleBody } from './sample-body.ts';

const CONNECTIONS = 64;
const READY_LIMIT_MS = 300_000;
const POLL_MS = 100;

interface Running {
  apiUrl: string;
  databaseUrl: string;
  tenants: { name: string; apiKey: string }[];
}

/** What `npm start` tells programs of the installation of that home. */
export function readRunning(home: string): Running {
  return JSON.parse(readFileSync(join(home, 'standalone.json'), 'utf8')) as Running;
}

/** Starts the installation of that home like `npm start`; resolves when it is ready. */
export async function npmStart(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/standalone/main.js')], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      WAYBILL_HOME: home,
      PORT: '0',
      RATE_LIMIT_WRITES: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  const startedMs = performance.now();
  while (!output.includes('Waybill is running')) {
    if (child.exitCode !== null || performance.now() - startedMs > READY_LIMIT_MS)
      throw new Error(`The installation did not start: ${output}`);
    await delay(POLL_MS);
  }
  return child;
}

/** Sends messages between two tenants of the installation; each is accepted with 201. */
export async function acceptAll(home: string, messages: number): Promise<void> {
  const { apiUrl, tenants } = readRunning(home);
  const [sender, receiver] = tenants;
  if (!sender || !receiver) throw new Error('the installation has no demo tenants');
  const api = asTenant(apiUrl, sender.apiKey);
  let next = 0;
  const oneAfterTheOther = async () => {
    while (next < messages) await api.post('/transactions', sampleBody((next += 1), receiver.name));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, oneAfterTheOther));
}

/** The processes that `npm start` has recorded, by their names; those of PostgreSQL are children of one of them. */
export function startedPids(home: string): Record<string, number> {
  const folder = join(home, 'run');
  const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
  const running = names.map((name) => [name, runningProcess(folder, name)?.pid] as const);
  return Object.fromEntries(running.filter((one): one is [string, number] => one[1] !== undefined));
}
