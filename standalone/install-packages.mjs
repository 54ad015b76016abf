import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { runStep } from './run-step.mjs';

/** True when node_modules matches the lock file: compared by content after `installPackages`, else by time. */
export function isInstalled(root) {
  const lock = join(root, 'package-lock.json');
  // npm writes this record last, so it is missing after a killed installation.
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  if (!existsSync(lock) || readText(stampFile(root)) === hashOf(lock)) return true;
  return statSync(record).mtimeMs >= statSync(lock).mtimeMs;
}

/** Installs the packages. Throws if node_modules is a link: npm ci empties the folder first, and others use it too. */
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
