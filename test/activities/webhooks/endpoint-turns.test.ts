import {
  createEndpointTurns,
  type EndpointTurn,
  type EndpointTurns,
} from '../../../activities/webhooks/endpoint-turns.ts';
import type { PlacesWanted } from '../../../activities/webhooks/endpoint-lease.ts';

const opened: EndpointTurns[] = [];

afterEach(() => {
  for (const turns of opened.splice(0)) turns.close();
});

type TurnsOptions = Partial<Parameters<typeof createEndpointTurns>[0]>;

/** Turns of a worker that gets all places that it asks for. */
function openTurns(options: TurnsOptions) {
  const turns = createEndpointTurns({
    leasePlaces: async ({ wanted }) => await Promise.resolve(wanted),
    ...options,
  });
  opened.push(turns);
  return {
    take: async (tenantId: string) => await turns.take({ tenantId, origin: 'https://hooks.example' }),
  };
}

function clock() {
  let nowMs = 1_000_000;
  return { now: () => nowMs, advance: (ms: number) => void (nowMs += ms) };
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/** One turn after the other. */
async function all(count: number, turns: ReturnType<typeof openTurns>): Promise<EndpointTurn[]> {
  const taken: EndpointTurn[] = [];
  for (let turn = 0; turn < count; turn += 1) taken.push(await turns.take('a'));
  return taken;
}

function releaseOf(turn: EndpointTurn): () => void {
  if (!turn.granted) throw new Error('the turn was not granted');
  return turn.release;
}

function waitOf(turn: EndpointTurn): number {
  if (turn.granted) throw new Error('the turn was granted');
  return turn.waitMs;
}

test('eight requests to one endpoint run at once, the ninth waits, other endpoints are not concerned', async () => {
  const turns = openTurns({ now: clock().now });
  expect((await all(9, turns)).map(({ granted }) => granted)).toEqual([...times(8, () => true), false]);
  expect((await turns.take('b')).granted).toBe(true);
});

test('a released place is free at once, and releasing twice frees one place only', async () => {
  const turns = openTurns({ maxInFlight: 1, now: clock().now });
  const release = releaseOf(await turns.take('a'));
  release();
  release();
  expect((await turns.take('a')).granted).toBe(true);
  release();
  expect((await turns.take('a')).granted).toBe(false);
});

test('refused callers get turns one after the other, as far apart as a hanging endpoint frees places', async () => {
  const time = clock();
  const turns = openTurns({ maxInFlight: 8, slotMs: 10_000, now: time.now });
  await all(8, turns);
  expect((await all(4, turns)).map(waitOf)).toEqual([1_250, 2_500, 3_750, 5_000]);
  time.advance(1_000);
  expect(waitOf(await turns.take('a'))).toBe(5_250);
});

test('turns that have passed unused push nobody into the future', async () => {
  const time = clock();
  const turns = openTurns({ maxInFlight: 8, slotMs: 10_000, now: time.now });
  await all(8, turns);
  await turns.take('a');
  time.advance(60_000);
  expect(waitOf(await turns.take('a'))).toBe(1_250);
});

test('when the endpoint drains the reservations begin anew', async () => {
  const time = clock();
  const turns = openTurns({ maxInFlight: 1, slotMs: 10_000, now: time.now });
  const release = releaseOf(await turns.take('a'));
  expect((await all(3, turns)).map(waitOf)).toEqual([10_000, 20_000, 30_000]);
  time.advance(10_000);
  release();
  await turns.take('a');
  expect(waitOf(await turns.take('a'))).toBe(10_000);
});

test('while one request is still in flight the reservations stand', async () => {
  const turns = openTurns({ maxInFlight: 2, slotMs: 10_000, now: clock().now });
  const [first] = (await all(2, turns)).map(releaseOf);
  await turns.take('a');
  first?.();
  await turns.take('a');
  expect(waitOf(await turns.take('a'))).toBeGreaterThan(5_000);
});

test('the places of an endpoint that answers fast are handed on fast', async () => {
  const time = clock();
  const turns = openTurns({ now: time.now });
  for (let sent = 0; sent < 40; sent += 1) {
    const release = releaseOf(await turns.take('a'));
    time.advance(40);
    release();
  }
  await all(8, turns);
  const waits = (await all(100, turns)).map(waitOf);
  expect(waits[0]).toBeLessThanOrEqual(6);
  expect(waits.at(-1)).toBeLessThanOrEqual(600);
  expect(new Set(waits).size).toBe(100);
});

test('an endpoint that was fast and hangs now spaces its callers before the first request has ended', async () => {
  const time = clock();
  const turns = openTurns({ firstGuessMs: 40, now: time.now });
  await all(8, turns);
  time.advance(4_000);
  expect(waitOf(await turns.take('a'))).toBe(500);
  time.advance(60_000);
  expect(waitOf(await turns.take('a'))).toBe(1_250);
});

test('1,000 deliveries to a hanging endpoint come back one by one (two when a reset falls between), and all get through', async () => {
  const time = clock();
  const turns = openTurns({ now: time.now });
  // What is due, by time: a caller at its turn, or the end of a request that hung for ten seconds.
  const due = new Map<number, (() => Promise<void> | void)[]>();
  let granted = 0;
  let refusals = 0;
  let inFlight = 0;
  const at = (ms: number, action: () => Promise<void> | void) =>
    due.set(ms, [...(due.get(ms) ?? []), action]);
  const call = async (): Promise<void> => {
    const turn = await turns.take('a');
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
  for (let caller = 0; caller < 1_000; caller += 1) await call();
  let mostCallersAtOnce = 0;
  for (let step = 0; due.size > 0 && step < 100_000; step += 1) {
    const next = Math.min(...due.keys());
    time.advance(next - time.now());
    const actions = due.get(next) ?? [];
    due.delete(next);
    mostCallersAtOnce = Math.max(mostCallersAtOnce, actions.filter((action) => action === call).length);
    for (const action of actions) await action();
  }
  expect(granted).toBe(1_000);
  expect(mostCallersAtOnce).toBeLessThanOrEqual(2);
  expect(refusals).toBeLessThan(2_500);
});

describe('places that are leased', () => {
  /** Answers each request with what is left of `free`, and remembers the requests. */
  function lessor(free: { places: number }) {
    const asked: PlacesWanted[] = [];
    const leasePlaces = async (request: PlacesWanted) => {
      asked.push(request);
      return await Promise.resolve(Math.max(request.inFlight, Math.min(request.wanted, free.places)));
    };
    return { asked, leasePlaces };
  }

  test('are asked for when they are needed, and not again while they last', async () => {
    const time = clock();
    const { asked, leasePlaces } = lessor({ places: 8 });
    const turns = openTurns({ now: time.now, leasePlaces });
    for (let sent = 0; sent < 50; sent += 1) {
      releaseOf(await turns.take('a'))();
      time.advance(100);
    }
    expect(asked).toMatchObject([{ wanted: 1, inFlight: 0 }]);
    time.advance(10_000);
    expect(asked).toHaveLength(1);
    await turns.take('a');
    expect(asked).toHaveLength(2);
  });

  test('are asked for once by all who wait', async () => {
    const { asked, leasePlaces } = lessor({ places: 8 });
    const turns = openTurns({ now: clock().now, leasePlaces });
    const taken = await Promise.all(times(20, () => turns.take('a')));
    expect(taken.filter(({ granted }) => granted)).toHaveLength(8);
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  test('limit the requests of this worker, who asks again a second later', async () => {
    const time = clock();
    const free = { places: 3 };
    const { asked, leasePlaces } = lessor(free);
    const turns = openTurns({ now: time.now, leasePlaces });
    const taken = await Promise.all(times(9, () => turns.take('a')));
    expect(taken.filter(({ granted }) => granted)).toHaveLength(3);
    const before = asked.length;
    free.places = 8;
    expect((await turns.take('a')).granted).toBe(false);
    expect(asked).toHaveLength(before);
    time.advance(1_000);
    expect((await turns.take('a')).granted).toBe(true);
  });

  test('that others have taken all are waited for, without a request to the database each time', async () => {
    const { asked, leasePlaces } = lessor({ places: 0 });
    const turns = openTurns({ now: clock().now, leasePlaces, firstGuessMs: 1 });
    expect((await all(5, turns)).map(waitOf)).toEqual([1_001, 1_002, 1_003, 1_004, 1_005]);
    expect(asked).toHaveLength(1);
  });

  test('are not used when too little of the lease is left for a whole request', async () => {
    const time = clock();
    const { asked, leasePlaces } = lessor({ places: 8 });
    const turns = openTurns({ now: time.now, leasePlaces, slotMs: 10_000, leaseMs: 20_000 });
    await all(3, turns);
    const before = asked.length;
    time.advance(10_000);
    await turns.take('a');
    expect(asked.slice(before)).toMatchObject([{ inFlight: 3 }]);
  });

  test('count as lost when it is not known whether a lease was renewed', async () => {
    const time = clock();
    let isAway = false;
    const { leasePlaces } = lessor({ places: 8 });
    const turns = openTurns({
      now: time.now,
      leasePlaces: async (request) => {
        if (isAway) throw new Error('the database is away');
        return await leasePlaces(request);
      },
    });
    const [first] = (await all(4, turns)).map(releaseOf);
    time.advance(10_000);
    isAway = true;
    first?.();
    await expect(turns.take('a')).rejects.toThrow('away');
    isAway = false;
    expect((await turns.take('a')).granted).toBe(true);
  });
});
