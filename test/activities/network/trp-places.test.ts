import { trpPlaces } from '../../../activities/network/trp-places.ts';

const call = (tenantId: string, host: string, what: 'INQUIRY' | 'NOTICE' = 'INQUIRY') => ({
  what,
  tenantId,
  host,
});

const settled = async () => await new Promise((resolve) => void setImmediate(resolve));

/** Places with calls that last until they are ended, on a clock that the test sets. */
function heldCalls() {
  const clock = { nowMs: 0 };
  const places = trpPlaces(() => clock.nowMs);
  const ends: (() => void)[] = [];
  const outcomes: unknown[] = [];
  /** Begins a call; false if there was no place. The outcome of one without is the wait until its next try. */
  async function begin(of: Parameters<typeof places>[0]): Promise<boolean> {
    const before = ends.length;
    const outcome = places(of, async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return 'MADE';
    });
    outcome.then(
      (made) => outcomes.push(made),
      (error: unknown) => outcomes.push(error),
    );
    await settled();
    return ends.length > before;
  }
  async function beginAll(count: number, of: (n: number) => Parameters<typeof places>[0]): Promise<number> {
    let begun = 0;
    for (let n = 0; n < count; n += 1) if (await begin(of(n))) begun += 1;
    return begun;
  }
  /** Ends the first of the calls. */
  async function endAll(count: number): Promise<void> {
    for (const end of ends.splice(0, count)) end();
    await settled();
  }
  return { clock, outcomes, begin, beginAll, endAll };
}

test('calls of one tenant that hang leave places for its other hosts, and for every other tenant', async () => {
  const { begin, beginAll } = heldCalls();
  expect(await beginAll(100, () => call('hostile', 'hangs.example'))).toBe(16);
  expect(await begin(call('hostile', 'answers.example'))).toBe(true);
  expect(await beginAll(100, (n) => call('hostile', `hangs-${n}.example`))).toBe(15);
  expect(await begin(call('hostile', 'hangs.example', 'NOTICE'))).toBe(true);
  expect(await begin(call('other', 'hangs.example'))).toBe(true);
  expect(await begin(call('other', 'answers.example'))).toBe(true);
});

test('a call gives its place back, whether it succeeds or fails', async () => {
  const places = trpPlaces();
  const fails = async () =>
    await places(call('alpine', 'vasp.example'), async () => await Promise.reject(new Error('refused')));
  for (let n = 0; n < 40; n += 1) await expect(fails()).rejects.toThrow('refused');
  const made = places(call('alpine', 'vasp.example'), async () => await Promise.resolve('MADE'));
  expect(await made).toBe('MADE');
});

test('calls without a place come again one after the other, as fast as others end', async () => {
  const { clock, outcomes, beginAll, endAll } = heldCalls();
  const toHost = () => call('alpine', 'slow.example');
  const waits = () => outcomes.splice(0).map((error) => (error as { nextRetryDelay: number }).nextRetryDelay);
  await beginAll(16 + 3, toHost);
  expect(waits()).toEqual([563, 625, 688]);
  // The calls turn out to take ten seconds: the places are free that much later.
  clock.nowMs = 10_000;
  await endAll(15);
  expect(await beginAll(15, toHost)).toBe(15);
  outcomes.splice(0);
  await beginAll(2, toHost);
  const [first = 0, second = 0] = waits();
  expect(first).toBeGreaterThan(5_000);
  expect(second - first).toBeGreaterThan(600);
});

test('nobody waits longer for the next try than an inquiry lives, and keeps no later turn from others', async () => {
  const { outcomes, beginAll } = heldCalls();
  await beginAll(16 + 6_000, () => call('hostile', 'hangs.example'));
  const longest = outcomes.map((error) => (error as { nextRetryDelay: number }).nextRetryDelay);
  expect(Math.max(...longest)).toBeLessThanOrEqual(150_000);
  // The turns that are given out come one after the other; whoever is beyond them comes at any time.
  const inTurn = longest.findIndex((wait, at) => wait < (longest[at - 1] ?? 0));
  expect(inTurn).toBeGreaterThan(2_000);
  expect(new Set(longest.slice(inTurn)).size).toBeGreaterThan(1_000);
});
