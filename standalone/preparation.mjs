import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';
import { withBuildLock } from './build-lock.mjs';
import { onLauncherEnd } from './launcher.mjs';
import { installPackages, isInstalled } from './install-packages.mjs';

/** The child stops everything itself within ten seconds. */
const STOP_LIMIT_MS = 11_000;

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Installs packages and builds dist, each only when it is stale. Works from any folder; simultaneous calls wait for each other. */
export async function prepareProject() {
  if (isInstalled(root) && isBuilt(root)) return;
  await withBuildLock(root, async () => {
    if (!isInstalled(root)) await installPackages(root);
    if (!isBuilt(root)) await build(root);
  });
}

/**
 * Runs a compiled file in this terminal, passes signals on, and ends with its exit code. The IPC channel tells the child when
 * this process is killed.
 */
export async function runEntry(entry, args) {
  const file = join(root, 'dist', `${entry}.js`);
  const child = spawn(process.execPath, ['--enable-source-maps', file, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const hand = (signal) => {
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, hand);
  onLauncherEnd(() => hand('SIGTERM'));
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
      resolve();
    });
  });
}
