import { createEndpointTurns, type EndpointTurn } from '../../../activities/webhooks/endpoint-turns.ts';

function clock() {
  let nowMs = 1_000_000;
  return { now: () => nowMs, advance: (ms: number) => void (nowMs += ms) };
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function releaseOf(turn: EndpointTurn): () => void {
  if (!turn.granted) throw new Error('the turn was not granted');
  return turn.release;
}

function waitOf(turn: EndpointTurn): number {
  if (turn.granted) throw new Error('the turn was granted');
  return turn.waitMs;
}

test('eight requests to one endpoint run at once, the ninth waits, other endpoints are not concerned', () => {
  const turns = createEndpointTurns({ now: clock().now });
  expect(times(9, () => turns.take('a').granted)).toEqual([...times(8, () => true), false]);
  expect(turns.take('b').granted).toBe(true);
});

test('a released place is free at once, and releasing twice frees one place only', () => {
  const turns = createEndpointTurns({ maxInFlight: 1, now: clock().now });
  const release = releaseOf(turns.take('a'));
  release();
  release();
  expect(turns.take('a').granted).toBe(true);
  release();
  expect(turns.take('a').granted).toBe(false);
});

test('refused callers get turns one after the other, as far apart as a hanging endpoint frees places', () => {
  const time = clock();
  const turns = createEndpointTurns({ maxInFlight: 8, slotMs: 10_000, now: time.now });
  times(8, () => turns.take('a'));
  expect(times(4, () => waitOf(turns.take('a')))).toEqual([1_250, 2_500, 3_750, 5_000]);
  time.advance(1_000);
  expect(waitOf(turns.take('a'))).toBe(5_250);
});

test('turns that have passed unused push nobody into the future', () => {
  const time = clock();
  const turns = createEndpointTurns({ maxInFlight: 8, slotMs: 10_000, now: time.now });
  times(8, () => turns.take('a'));
  turns.take('a');
  time.advance(60_000);
  expect(waitOf(turns.take('a'))).toBe(1_250);
});

test('when the endpoint drains the reservations begin anew', () => {
  const time = clock();
  const turns = createEndpointTurns({ maxInFlight: 1, slotMs: 10_000, now: time.now });
  const release = releaseOf(turns.take('a'));
  expect(times(3, () => waitOf(turns.take('a')))).toEqual([10_000, 20_000, 30_000]);
  time.advance(10_000);
  release();
  turns.take('a');
  expect(waitOf(turns.take('a'))).toBe(10_000);
});

test('while one request is still in flight the reservations stand', () => {
  const turns = createEndpointTurns({ maxInFlight: 2, slotMs: 10_000, now: clock().now });
  const [first] = times(2, () => releaseOf(turns.take('a')));
  turns.take('a');
  first?.();
  turns.take('a');
  expect(waitOf(turns.take('a'))).toBeGreaterThan(5_000);
});

test('the places of an endpoint that answers fast are handed on fast', () => {
  const time = clock();
  const turns = createEndpointTurns({ now: time.now });
  for (let sent = 0; sent < 40; sent += 1) {
    const release = releaseOf(turns.take('a'));
    time.advance(40);
    release();
  }
  times(8, () => turns.take('a'));
  const waits = times(100, () => waitOf(turns.take('a')));
  expect(waits[0]).toBeLessThanOrEqual(6);
  expect(waits.at(-1)).toBeLessThanOrEqual(600);
  expect(new Set(waits).size).toBe(100);
});

test('an endpoint that was fast and hangs now spaces its callers before the first request has ended', () => {
  const time = clock();
  const turns = createEndpointTurns({ firstGuessMs: 40, now: time.now });
  times(8, () => turns.take('a'));
  time.advance(4_000);
  expect(waitOf(turns.take('a'))).toBe(500);
  time.advance(60_000);
  expect(waitOf(turns.take('a'))).toBe(1_250);
});

test('1,000 deliveries to a hanging endpoint come back one by one (two when a reset falls between), and all get through', () => {
  const time = clock();
  const turns = createEndpointTurns({ now: time.now });
  // What is due, by time: a caller at its turn, or the end of a request that hung for ten seconds.
  const due = new Map<number, (() => void)[]>();
  let granted = 0;
  let refusals = 0;
  let inFlight = 0;
  const at = (ms: number, action: () => void) => due.set(ms, [...(due.get(ms) ?? []), action]);
  const call = (): void => {
    const turn = turns.take('a');
    if (!turn.granted) {
      refusals += 1;
      return void at(time.now() + turn.waitMs, call);
    }
    granted += 1;
    inFlight += 1;
    expect(inFlight).toBeLessThanOrEqual(8);
    at(time.now() + 10_000, () => {
      inFlight -= 1;
      turn.release();
    });
  };
  times(1_000, call);
  let mostCallersAtOnce = 0;
  for (let step = 0; due.size > 0 && step < 100_000; step += 1) {
    const next = Math.min(...due.keys());
    time.advance(next - time.now());
    const actions = due.get(next) ?? [];
    due.delete(next);
    mostCallersAtOnce = Math.max(mostCallersAtOnce, actions.filter((action) => action === call).length);
    for (const action of actions) action();
  }
  expect(granted).toBe(1_000);
  expect(mostCallersAtOnce).toBeLessThanOrEqual(2);
  expect(refusals).toBeLessThan(2_500);
});
