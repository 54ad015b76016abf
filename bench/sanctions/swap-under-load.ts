import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { SDN_FILES } from './index-cost.ts';
import type { ScreeningClient } from './race-blocks.ts';

const CODE = 'OFAC_SDN';
const LIMIT_MS = 120_000;
/** The load continues for this time after the last change, to catch late failures. */
const AFTER_MS = 1_000;
/** Number of removed entries, as on the day after the bundled snapshot. */
const REMOVED = 8;

/** The result of the version changes under load. */
export interface VersionChanges {
  requests: number;
  failures: string[];
  /** Milliseconds from the answer to the operator to the first screening with the new version, per change. */
  switchMs: number[];
  p99: number;
}

interface Service {
  url: string;
  operatorKey: string;
  client: ScreeningClient;
}

/**
 * Screens without a pause while an operator uploads a changed list and then rolls back to the version before. A quick run
 * has one connection and one change.
 */
export async function swapUnderLoad(
  service: Service,
  folder: string,
  names: (at: number) => string,
  quick: boolean,
): Promise<VersionChanges> {
  const load = startLoad(service.client, names, quick ? 1 : service.client.connections);
  const switchMs: number[] = [];
  try {
    for (const change of quick ? [uploadChanged] : [uploadChanged, rollBack]) {
      const version = await change(service, folder);
      const active = performance.now();
      await load.untilVersion(version);
      switchMs.push(performance.now() - active);
    }
    await delay(AFTER_MS);
  } finally {
    await load.stop();
  }
  const { times, failures } = load;
  return { requests: times.length + failures.length, failures, switchMs, p99: percentile(times, 0.99) };
}

function startLoad({ ask }: ScreeningClient, names: (at: number) => string, connections: number) {
  const times: number[] = [];
  const failures: string[] = [];
  let version = 0;
  let at = 0;
  let running = true;
  const onOneConnection = async () => {
    while (running) {
      const sentAt = performance.now();
      try {
        version = Math.max(version, versionOf(await ask(names(at++))));
        times.push(performance.now() - sentAt);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const ended = Promise.all(Array.from({ length: connections }, onOneConnection));
  return {
    times,
    failures,
    untilVersion: async (expected: number) => {
      const started = performance.now();
      while (version < expected) {
        if (performance.now() - started > LIMIT_MS) throw new Error('the new version was never searched');
        await delay(5);
      }
    },
    stop: async () => {
      running = false;
      await ended;
    },
  };
}

function versionOf(answer: string): number {
  const { lists } = JSON.parse(answer) as { lists: { code: string; version: number }[] };
  return lists.find(({ code }) => code === CODE)?.version ?? 0;
}

async function uploadChanged({ url, operatorKey }: Service, folder: string): Promise<number> {
  const form = new FormData();
  form.append('format', 'OFAC_CSV');
  for (const name of SDN_FILES) {
    const path = join(folder, name);
    const content = name === SDN_FILES[0] ? new Blob([await withoutFirst(path)]) : await openAsBlob(path);
    form.append('file', content, name);
  }
  const path = `/operator/lists/${CODE}/versions`;
  return await made(await fetch(url + path, { method: 'POST', headers: keyOf(operatorKey), body: form }));
}

/** The file without its first rows. The last rows must stay, because the file ends with the byte 0x1A. */
async function withoutFirst(path: string): Promise<string> {
  const lines = (await readFile(path, 'latin1')).split('\n');
  return lines.slice(REMOVED).join('\n');
}

async function rollBack({ url, operatorKey }: Service): Promise<number> {
  const response = await fetch(`${url}/operator/lists/${CODE}/rollback`, {
    method: 'POST',
    headers: { ...keyOf(operatorKey), 'Content-Type': 'application/json' },
    body: JSON.stringify({ version: 1 }),
  });
  return await made(response);
}

const keyOf = (operatorKey: string) => ({ 'X-Operator-Key': operatorKey });

async function made(response: Response): Promise<number> {
  const text = await response.text();
  if (response.status !== 201) throw new Error(`the list was not changed: ${response.status} ${text}`);
  return (JSON.parse(text) as { version: number }).version;
}
