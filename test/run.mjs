// What `npm test` runs: prepares a fresh clone, then jest with the arguments given.
import '../standalone/check-node.mjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { onLauncherEnd } from '../standalone/launcher.mjs';
import { prepareProject, root } from '../standalone/preparation.mjs';

try {
  await prepareProject();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const child = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--experimental-vm-modules',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    // First the arguments given: after --reporters, jest would take file names for further reporters.
    ...process.argv.slice(2),
    '--reporters=default',
    `--reporters=${join(root, 'test', 'cost-reporter.mjs')}`,
    `--reporters=${join(root, 'test', 'count-reporter.mjs')}`,
  ],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
onLauncherEnd(() => child.kill('SIGTERM'));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
