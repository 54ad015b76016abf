import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../standalone/project-root.ts';

async function bench(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/bench/main.js'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** The lines of the result, every number that was measured as #. */
function figures(output: string): string[] {
  const lines = output.split('\n').filter((line) => /^\([a-d]\) .*; compared to /.test(line));
  return lines.map((line) =>
    line.replaceAll(/\d+(\.\d+)?(?= times|\/s[,;)]| ms[,;)]| to \d|\), \d| \()/g, '#'),
  );
}

/** The lines of requests that arrive at random. */
const arrivals = (measure: string): unknown[] =>
  [50, 80].map((percent): unknown =>
    expect.stringMatching(
      new RegExp(
        String.raw`^\(${measure}\) accepted POST .*, random arrivals at ${percent} % of the maximum: p50 # ms, p99 # ms`,
      ),
    ),
  );

// Speed itself is never asserted: a ratio of one small run on a busy machine says nothing.
test('the quick forms of (a) and (b) run through and state each ratio, figure and what it was compared to', async () => {
  const { code, output } = await bench('a', 'b', '--quick');
  expect(code === 0 ? '' : output).toBe('');
  const page = '(p50 # ms, p99 # ms); compared to a page in bare SQL by primary key (p50 # ms, p99 # ms)';
  const both = page.replace('a page', 'a page and the count');
  const unjudged = ': not judged, quick run';
  expect(figures(output)).toEqual([
    expect.stringMatching(
      /^\(a\) accepted POST .*: # \(# to #\), #\/s, p50 # ms, p99 # ms; compared to commit limit #\/s/,
    ),
    ...arrivals('a'),
    `(b) list of 100, first page: # times ${page}; goal p99 30 ms${unjudged}`,
    `(b) list of 100, first page with count: # times ${both}; goal p99 150 ms${unjudged}`,
    `(b) list of 100, page 100: # times ${page}; goal p99 100 ms${unjudged}`,
    `(b) list of 100, page 100 with count: # times ${both}; goal p99 150 ms${unjudged}`,
    `(b) list of 100, q with 200 hits, with count: # times ${both}; goal p99 150 ms${unjudged}`,
    `(b) list of 100, q with 2,000 hits, with count: # times ${both}; goal p99 600 ms${unjudged}`,
  ]);
});

test('so do those of (c) and (d), with api, worker, Temporal and a receiver of webhooks', async () => {
  const { code, output } = await bench('c', 'd', '--quick');
  expect(code === 0 ? '' : output).toBe('');
  const event = String.raw`^\(c\) event to first webhook attempt, 20 events/s, messages`;
  const bare = String.raw`# times \(p50 # ms, p99 # ms\); compared to .* \(p50 # ms, p99 # ms\); goal p99 150 ms`;
  expect(figures(output)).toEqual([
    expect.stringMatching(`${event} received, one event each: ${bare}`),
    expect.stringMatching(`${event} sent, two events each: ${bare}`),
    expect.stringMatching(
      /^\(d\) messages carried end to end, 50 at once: # \(# to #\), #\/s; compared to .* #\/s; goal 0.55/,
    ),
    ...arrivals('d'),
  ]);
});

test('an unknown measure is named, and nothing starts', async () => {
  const { code, output } = await bench('z');
  expect([code, output]).toEqual([1, expect.stringContaining('There is no measure "z"')]);
});
