import { spawn } from 'node:child_process';
import { closeSync, createReadStream, createWriteStream, openSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { freePort } from '../../standalone/free-port.ts';
import { recordProcess } from '../../standalone/processes.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import {
  SERVER_STOP_LIMIT_MS,
  serverProcess,
  untilStarted,
  type ServerProcess,
} from '../../standalone/server-process.ts';
import type { BenchInstallation } from '../installation.ts';

const BUNDLED = join(projectRoot, 'data', 'sanctions-lists');
const POLL_MS = 200;

export interface Watchman extends ServerProcess {
  url: string;
}

/** Starts watchman with the bundled lists and waits until it has loaded them. */
export async function startWatchman(installation: BenchInstallation, binary: string): Promise<Watchman> {
  const folder = join(installation.folder, 'watchman');
  await unpackLists(join(folder, 'lists'));
  const port = await freePort([]);
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, 'config.yml');
  await writeFile(config, configuration(port, await freePort([])));
  const logFile = join(folder, 'watchman.log');
  const output = openSync(logFile, 'a', 0o600);
  const child = spawn(binary, [], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    // No other environment variables. Watchman downloads nothing, because its folder has every file.
    env: {
      HOME: folder,
      WAYBILL_HOME: installation.folder,
      APP_CONFIG: config,
      INITIAL_DATA_DIRECTORY: join(folder, 'lists'),
      INCLUDED_LISTS: 'us_ofac,us_non_sdn',
      DATA_REFRESH_INTERVAL: '8760h',
    },
  });
  closeSync(output);
  recordProcess(join(installation.folder, 'run'), 'watchman', child.pid, binary);
  await untilStarted('watchman', child, logFile, async (gaveUp) => {
    while (!gaveUp.aborted && !(await answers(url))) await delay(POLL_MS);
  });
  return { url, ...serverProcess(child, 'SIGTERM', SERVER_STOP_LIMIT_MS) };
}

/** Unpacks the bundled sanctions lists into a folder. */
export async function unpackLists(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const packed = (await readdir(BUNDLED)).filter((name) => name.endsWith('.gz'));
  for (const name of packed) {
    const target = createWriteStream(join(folder, name.slice(0, -'.gz'.length)));
    await pipeline(createReadStream(join(BUNDLED, name)), createGunzip(), target);
  }
}

/** Watchman's configuration: listens on loopback only, otherwise defaults. */
function configuration(port: number, adminPort: number): string {
  return [
    'Watchman:',
    '  Servers:',
    `    BindAddress: "127.0.0.1:${port}"`,
    `    AdminAddress: "127.0.0.1:${adminPort}"`,
    '',
  ].join('\n');
}

async function answers(url: string): Promise<boolean> {
  return await fetch(`${url}/ping`).then(
    (response) => response.ok,
    () => false,
  );
}
