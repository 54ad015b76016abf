// What `npm test` and `npm run test:full` run: prepares a fresh clone, then jest with the arguments given.
import '../standalone/check-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { onLauncherEnd } from '../standalone/launcher.mjs';
import { prepareProject, root } from '../standalone/preparation.mjs';
import { compileTests } from './compile-tests.mjs';
import { cpuSeconds } from './cpu-seconds.mjs';
import { recordRun } from './run-history.mjs';

const JEST = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const REPORTERS = ['cost-reporter.mjs', 'count-reporter.mjs'].map((file) => join(root, 'test', file));

/** One at a time after everything else, and not in `npm test`. */
const LATER = ['<rootDir>/test/bench/', '<rootDir>/test/faults/'];

/** The files that cut connections. */
const CUTS = 'test/faults/.*connections-cut';

const startedAt = performance.now();
const given = process.argv.slice(2);
const isFull = given[0] === '--full';
const isWhole = given.length === (isFull ? 1 : 0);
const counts = { passed: 0, failed: 0, skipped: 0 };
const allFailures = [];
let child;
let isStopped = false;

/** Ends the run: jest may answer a signal with an exit code, and what has not begun yet must not begin then. */
function stop(signal) {
  isStopped = true;
  child?.kill(signal);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal));
onLauncherEnd(() => stop('SIGTERM'));

try {
  await prepareProject();
  await compileTests();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

for (const args of isFull
  ? fullRuns(given.slice(1))
  : [[...given, ...without(...LATER, '\\.full\\.test\\.ts$')]]) {
  const code = await runJest(args);
  process.exitCode ||= code ?? 1;
  if (isStopped || code === null) break;
}
if (isWhole && !isStopped) {
  const wall = (performance.now() - startedAt) / 1_000;
  const command = isFull ? 'npm run test:full' : 'npm test';
  console.log(recordRun({ command, wall, cpu: cpuSeconds(), ...counts }));
}
// Last, since a log that was cut has its end: a run of half an hour must not be repeated to learn what failed.
for (const failure of allFailures) console.log(`FAILED ${failure}\n`);
// One plain line for programs.
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);

/**
 * Faults and benches come last and one at a time: beside others, the limits of time that they hold would not be met. Those that
 * cut connections hold none, and there the process of the tests and PostgreSQL wait for each other in turn: two such files at
 * once use both cores, and take half the time.
 */
function fullRuns(args) {
  if (args.length > 0) return [args];
  return [
    without(...LATER),
    [CUTS, '--maxWorkers=2'],
    ['test/faults/', 'test/bench/', '--maxWorkers=1', ...without(CUTS)],
  ];
}

function without(...patterns) {
  return patterns.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
}

/** Resolves with the exit code of jest, null when a signal has ended it, once its last count has arrived. */
async function runJest(args) {
  child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--enable-source-maps',
      // Its workers get the same: with Node's 16 MB a seventeenth of the CPU time is spent on collecting garbage.
      '--max-semi-space-size=64',
      JEST,
      // First the arguments given: after --reporters, jest would take file names for further reporters.
      ...args,
      '--reporters=default',
      ...REPORTERS.map((file) => `--reporters=${file}`),
    ],
    {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...(isFull && { WAYBILL_TESTS: 'full' }) },
    },
  );
  child.on('message', ({ counted = {}, failures = [] }) => {
    for (const [name, count] of Object.entries(counted)) counts[name] += count;
    allFailures.push(...failures);
  });
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  return code;
}
