import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { withProgress, type ProgressLog } from './progress.ts';
import { buildTemporal, downloadTemporal } from './temporal-installers.ts';

const run = promisify(execFile);
const OLDEST_SERVER = [1, 29] as const;

/** The version of the command line tool that is fetched when none is found; its dev server is Temporal 1.29.1. */
const TEMPORAL_CLI = '1.5.1';

type BinaryEnvironment = Record<string, string | undefined>;

/** Puts a binary into that file, or resolves with one line that says why it could not. */
export type TemporalInstaller = (
  target: string,
  env: BinaryEnvironment,
  log: ProgressLog,
) => Promise<string | undefined>;

/** Path of the fetched binary, shared by all projects of this user. */
export function cachedTemporal(env: BinaryEnvironment): string {
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache');
  return join(cache, 'waybill', `temporal-${TEMPORAL_CLI}`, program());
}

function program(): string {
  return process.platform === 'win32' ? 'temporal.exe' : 'temporal';
}

/**
 * Finds a Temporal binary whose server is 1.29 or newer: on PATH, in the cache, by the SDK's download, by go install. Throws
 * one message with the ways to get one.
 */
export async function findTemporal(
  log: ProgressLog,
  env: BinaryEnvironment = process.env,
  installers: readonly TemporalInstaller[] = [downloadTemporal, buildTemporal],
): Promise<string> {
  const cached = cachedTemporal(env);
  // The installers say themselves what they do.
  const installed = await withProgress(log, 'Looking for a Temporal server', firstUsable(cached, env, log));
  if (installed !== undefined) return installed;
  const reasons: string[] = [];
  for (const install of installers) {
    const reason = await install(cached, env, log);
    if (reason === undefined && (await isUsable(cached, log))) return cached;
    if (reason !== undefined) reasons.push(reason);
  }
  throw new Error(howToGetOne(reasons));
}

async function firstUsable(
  cached: string,
  env: BinaryEnvironment,
  log: ProgressLog,
): Promise<string | undefined> {
  for (const candidate of [...(await onPath(env)), cached]) {
    if (await isUsable(candidate, log)) return candidate;
  }
  return undefined;
}

async function onPath(env: BinaryEnvironment): Promise<string[]> {
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const file = join(folder, program());
    if (await isExecutable(file)) return [file];
  }
  return [];
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function isUsable(file: string, log: ProgressLog): Promise<boolean> {
  if (!(await isExecutable(file))) return false;
  const version = await serverVersion(file);
  if (version && isNewEnough(version)) return true;
  log(
    `Skipping ${file}: ` +
      (version
        ? `its server is ${version}, 1.29 or newer is needed`
        : 'it does not say the version of its server'),
  );
  return false;
}

async function serverVersion(file: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(file, ['--version'], { timeout: 10_000, killSignal: 'SIGKILL' });
    return /\(Server (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
}

function howToGetOne(reasons: readonly string[]): string {
  return [
    'No Temporal server was found.',
    ...reasons.map((reason) => `  - ${reason}`),
    'Three ways to get one:',
    '  1. Install the Temporal command line tool (1.5 or newer) so that `temporal` is on PATH: https://docs.temporal.io/cli',
    '  2. Install Go 1.25 or newer and start again: the tool is then built once, in about three minutes.',
    '  3. Set TEMPORAL_ADDRESS=host:port to a Temporal server (1.29 or newer) of your own.',
  ].join('\n');
}
