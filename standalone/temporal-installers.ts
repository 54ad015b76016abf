import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withProgress, type ProgressLog } from './progress.ts';
import { projectRoot } from './project-root.ts';

const CLI_MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const STALLED_MS = 20_000;
const DOWNLOAD_LIMIT_MS = 10 * 60_000;
const BUILD_LIMIT_MS = 20 * 60_000;

type InstallEnvironment = Record<string, string | undefined>;

/** Calls the SDK's download of a test server, in a process of its own because the download cannot be cancelled. */
const SDK_DOWNLOAD = `
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const executable = { type: 'cached-download', downloadDir: process.argv[1], version: 'v1.5.1' };
  try {
    const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
    await environment.teardown();
    process.exit(0);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
`;

/** Downloads the binary by the SDK; gives up when nothing has arrived for 20 s. */
export async function downloadTemporal(
  target: string,
  env: InstallEnvironment,
  log: ProgressLog,
): Promise<string | undefined> {
  if (!existsSync(join(projectRoot, 'node_modules', '@temporalio', 'testing'))) {
    return 'The download by the Temporal SDK needs the development packages (npm ci).';
  }
  return intoPlace(target, async (folder) => {
    const script = ['--input-type=module', '--eval', SDK_DOWNLOAD, folder];
    const installer = { program: process.execPath, args: script, cwd: projectRoot, env };
    const work = runWatched(installer, folder);
    const failure = await withProgress(log, 'Downloading a Temporal server', work);
    return failure && `The download by the Temporal SDK failed: ${failure}`;
  });
}

/** Builds the tool from source with the Go tool chain. */
export async function buildTemporal(
  target: string,
  env: InstallEnvironment,
  log: ProgressLog,
): Promise<string | undefined> {
  return intoPlace(target, async (folder) => {
    const goEnv = { ...env, GOBIN: folder, GOFLAGS: '' };
    const installer = { program: 'go', args: ['install', CLI_MODULE], cwd: folder, env: goEnv };
    const work = runLimited(installer, BUILD_LIMIT_MS).ended;
    const failure = await withProgress(
      log,
      'Building a Temporal server with Go (about 3 minutes, once)',
      work,
    );
    return failure && `Building with Go failed: ${failure}`;
  });
}

/** Lets `get` fill a temporary folder next to the target, and moves the binary over in one step. */
export async function intoPlace(
  target: string,
  get: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const cache = dirname(dirname(target));
  try {
    await mkdir(dirname(target), { recursive: true });
    const folder = await mkdtemp(join(cache, 'fetch-'));
    try {
      const failure = await get(folder);
      if (failure) return failure;
      const binary = await largestFile(folder);
      if (!binary) return 'The fetched folder contains no binary.';
      await chmod(binary, 0o755);
      await rename(binary, target);
      return undefined;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    return `The folder ${cache} cannot be used: ${error instanceof Error ? error.message : 'unknown error'}`;
  }
}

async function filesIn(folder: string): Promise<{ file: string; size: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
}

async function largestFile(folder: string): Promise<string | undefined> {
  return (await filesIn(folder)).sort((a, b) => b.size - a.size)[0]?.file;
}

interface InstallerCommand {
  program: string;
  args: readonly string[];
  cwd: string;
  env: InstallEnvironment;
}

interface RunningInstaller {
  ended: Promise<string | undefined>;
  giveUp: (why: string) => void;
}

/** Resolves with undefined after success, else with one line that names the failure. */
export function runLimited(command: InstallerCommand, limitMs: number): RunningInstaller {
  const { program, args, cwd, env } = command;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  let reason: string | undefined;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-4000);
  });
  const giveUp = (why: string): void => {
    reason ??= why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => giveUp(`not done after ${limitMs / 60_000} minutes`), limitMs);
  // A start that is stopped meanwhile must not leave a running build or download.
  const endWithParent = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithParent);
  const ended = new Promise<string | undefined>((resolve) => {
    const finish = (failure: string | undefined): void => {
      clearTimeout(timer);
      process.off('exit', endWithParent);
      resolve(failure);
    };
    child.once('error', (error) =>
      finish(isMissing(error) ? `\`${program}\` is not installed` : error.message),
    );
    child.once('close', (code) => finish(code === 0 ? undefined : (reason ?? lastLine(output))));
  });
  return { ended, giveUp };
}

/** Gives up as well when the folder has not grown for 20 s. */
async function runWatched(command: InstallerCommand, folder: string): Promise<string | undefined> {
  const { ended, giveUp } = runLimited(command, DOWNLOAD_LIMIT_MS);
  let size = 0;
  let grownAt = Date.now();
  const look = async (): Promise<void> => {
    const now = (await filesIn(folder).catch(() => [])).reduce((sum, file) => sum + file.size, 0);
    if (now !== size) grownAt = Date.now();
    size = now;
    if (Date.now() - grownAt > STALLED_MS) giveUp('its address is unreachable');
  };
  const timer = setInterval(() => void look(), 1000);
  return ended.finally(() => clearInterval(timer));
}

function isMissing(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT';
}

function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? 'no reason was given';
}
