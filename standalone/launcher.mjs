import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

const POLL_MS = 250;

/**
 * Calls back when the `npm start` or `npm test` that started this process ends. npm passes SIGTERM only to the shell in
 * between, and kill -9 sends no notice, so the parent is polled. A process that was started by hand may outlive its parent.
 */
export function onLauncherEnd(callback) {
  if (!/\b(prepare|run)\.mjs\b/.test(process.env.npm_lifecycle_script ?? '')) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(timer);
    callback();
  }, POLL_MS);
  timer.unref();
}

/** Returns the parent of a shell, and undefined for other processes: processes above npm come and go. */
function parentOf(pid) {
  if (process.platform !== 'linux') return parentByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const nameEnd = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
    return isShell(name) ? stat.slice(nameEnd + 2).split(' ')[1] : undefined;
  } catch {
    return undefined;
  }
}

function parentByPs(pid) {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const [parent, name] = line.trim().split(/\s+/);
    return isShell(name) ? parent : undefined;
  } catch {
    return undefined;
  }
}

function isShell(name) {
  return /(^|\/)-?(ba|da|z|k|a)?sh$/.test(name);
}
