import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../standalone/preparation.mjs';

/** One line of JSON for each whole run on this machine; git ignores the folder. */
const FILE = join(root, '.waybill', 'test-history.jsonl');

/**
 * Appends the figures of a whole run (`command`, `wall` and `cpu` in seconds, counts of tests) to the history, with date and
 * commit. Returns a line that compares them with the last run of the same command.
 */
export function recordRun(figures) {
  const run = { at: new Date().toISOString(), commit: currentCommit(), ...figures };
  const last = earlierRuns().findLast(({ command }) => command === run.command);
  mkdirSync(dirname(FILE), { recursive: true });
  appendFileSync(FILE, `${JSON.stringify(run)}\n`);
  return `${costOf(run)}; ${last ? `${costOf(last)} at ${last.commit}` : 'the first run'} (${FILE})`;
}

function earlierRuns() {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function costOf({ wall, cpu }) {
  return `${Math.round(wall)} s, ${Math.round(cpu)} s of CPU time`;
}

/** An archive of the project has no commits. */
function currentCommit() {
  try {
    const args = ['describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'no commit';
  }
}
