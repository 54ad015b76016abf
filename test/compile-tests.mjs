import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { withBuildLock } from '../standalone/build-lock.mjs';
import { root } from '../standalone/preparation.mjs';
import { runStep } from '../standalone/run-step.mjs';

const TARGET = join(root, 'dist', 'test');
/** Ends as an output does: a build that clears outputs without a source takes it with the compiled tests. */
const STAMP = join(TARGET, 'compiled-from.js');

/**
 * Compiles the tests to dist/test, beside the product that they import, unless it was done from exactly these sources.
 * Their types are left to `npm run check`.
 */
export async function compileTests() {
  await withBuildLock(root, async () => {
    const stamp = `// ${hashOfSources()}\n`;
    if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await runStep('Compiling the tests', process.execPath, [tsc, '-p', 'tsconfig.test.json'], root);
    writeFileSync(STAMP, stamp);
  });
}

function hashOfSources() {
  const tests = readdirSync(join(root, 'test'), { recursive: true }).filter((file) => file.endsWith('.ts'));
  const hash = createHash('sha256');
  for (const file of [
    ...tests.sort().map((test) => join('test', test)),
    'tsconfig.test.json',
    'tsconfig.json',
  ]) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}
