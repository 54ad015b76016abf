import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { runStep } from './run-step.mjs';

/** True when node_modules holds what the lock file says: by content where we installed it, else by time. */
export function isInstalled(root) {
  const lock = join(root, 'package-lock.json');
  // npm writes its own record last, so a killed installation is seen.
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  if (!existsSync(lock) || readText(stampFile(root)) === hashOf(lock)) return true;
  return statSync(record).mtimeMs >= statSync(lock).mtimeMs;
}

/** Throws instead of installing through a link: npm ci first empties the folder, and that one belongs to others too. */
export async function installPackages(root) {
  const folder = join(root, 'node_modules');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error(
      `${folder} is a link to ${readlinkSync(folder)}, which does not match package-lock.json. ` +
        'Run npm ci there, or remove the link.',
    );
  }
  const npm = process.env.npm_execpath ?? '';
  const [command, script] = basename(npm) === 'npm-cli.js' ? [process.execPath, [npm]] : ['npm', []];
  // NODE_ENV=production would leave out the compiler.
  const args = [...script, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  await runStep('Installing packages (npm ci, once)', command, args, root);
  writeFileSync(stampFile(root), hashOf(join(root, 'package-lock.json')));
}

function stampFile(root) {
  return join(root, 'node_modules', '.waybill-installed');
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
