import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function bench(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, 'dist/bench/main.js'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

// Speed itself is never asserted: a ratio of one small run on a busy machine says nothing.
test('the quick form of (a) runs through and says ratio, rate, percentiles and what it was compared to', async () => {
  const { code, output } = await bench('a', '--quick');
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/\(a\) accepted POST .*: \d+\.\d+ \(\d+\/s, p50 .* p99 .*\); compared to/),
  ]);
}, 90_000);

test('an unknown measure is named, and nothing starts', async () => {
  const { code, output } = await bench('z');
  expect([code, output]).toEqual([1, expect.stringContaining('There is no measure "z"')]);
});
