import { fairTurns, turnsOfEach } from '../../db/fair-turns.ts';

class Refused extends Error {}
const refusal = () => new Refused('no place');

/** Turns with the work of some owners waiting behind work that ends with `release`; `done` has whose work ran, in order. */
function busyTurns(maxWaiting: number, owners: readonly string[]) {
  const inTurn = fairTurns({ atOnce: 1, places: { maxWaiting, refusal } });
  const done: string[] = [];
  let release = (): void => undefined;
  const running = inTurn('running', async () => await new Promise<void>((ended) => (release = ended)));
  const ask = async (owner: string) =>
    await inTurn(owner, async () => await Promise.resolve(done.push(owner))).then(
      () => 'DONE',
      (error: unknown) => (error instanceof Refused ? 'REFUSED' : 'FAILED'),
    );
  const asked = owners.map(ask);
  const end = async () => {
    release();
    await running;
    return await Promise.all(asked);
  };
  return { inTurn, ask, done, end };
}

describe('fair turns', () => {
  test('each owner has one after the other, however many of one came first', async () => {
    const turns = busyTurns(20, ['a', 'a', 'a', 'b', 'c', 'b']);
    await turns.end();
    expect(turns.done).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('where all places are taken, the owner of most of them loses its last one to somebody else', async () => {
    const turns = busyTurns(3, ['a', 'a', 'a']);
    const other = turns.ask('b');
    expect(await turns.end()).toEqual(['DONE', 'DONE', 'REFUSED']);
    expect(await other).toBe('DONE');
    expect(turns.done).toEqual(['a', 'b', 'a']);
  });

  test('nobody takes a place of an owner that would have no more than itself', async () => {
    const turns = busyTurns(3, ['a', 'a', 'b']);
    expect([await turns.ask('a'), await turns.ask('b')]).toEqual(['REFUSED', 'REFUSED']);
    expect(await turns.end()).toEqual(['DONE', 'DONE', 'DONE']);
  });

  test('work whose turn does not come in time is refused, and what waits behind it has its turn', async () => {
    const inTurn = fairTurns({ atOnce: 1, places: { maxWaiting: 2, maxWaitMs: 20, refusal } });
    let release = (): void => undefined;
    const running = inTurn('a', async () => await new Promise<void>((ended) => (release = ended)));
    const late = ['a', 'b'].map(async (owner) => await inTurn(owner, async () => await Promise.resolve()));
    const ends = await Promise.allSettled(late);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = inTurn('b', async () => await Promise.resolve('ran'));
    release();
    await running;
    expect(await next).toBe('ran');
  });

  test('one piece of work runs at a time, and one that fails lets the next one begin', async () => {
    const { inTurn } = busyTurns(0, []);
    await expect(inTurn('a', async () => await Promise.resolve())).rejects.toBeInstanceOf(Refused);
    const free = fairTurns({ atOnce: 1 });
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      throw new Error('failed');
    };
    const ended = await Promise.allSettled(['a', 'b', 'a'].map(async (owner) => await free(owner, work)));
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(most).toBe(1);
    expect(await free('a', async () => await Promise.resolve('free again'))).toBe('free again');
  });

  test('as many run at once as may, and no more', async () => {
    const inTurn = fairTurns({ atOnce: 2 });
    const ends: (() => void)[] = [];
    const work = async () => await new Promise<void>((end) => void ends.push(end));
    const all = ['a', 'a', 'a', 'b'].map(async (owner) => await inTurn(owner, work));
    expect(ends).toHaveLength(2);
    ends[0]?.();
    await all[0];
    expect(ends).toHaveLength(3);
    ends[1]?.();
    await all[1];
    for (const end of ends) end();
    await Promise.all(all);
    expect(ends).toHaveLength(4);
  });
});

test('turns of each owner: the work of one waits for its own alone, and is refused where too much of its own waits', async () => {
  const inTurn = turnsOfEach({ atOnce: 1, places: { maxWaiting: 1, refusal } });
  let release = (): void => undefined;
  const running = inTurn('a', async () => await new Promise<void>((ended) => (release = ended)));
  const waiting = inTurn('a', async () => await Promise.resolve('waited'));
  await expect(inTurn('a', async () => await Promise.resolve())).rejects.toThrow(Refused);
  expect(await inTurn('b', async () => await Promise.resolve('ran'))).toBe('ran');
  release();
  await running;
  expect(await waiting).toBe('waited');
  expect(await inTurn('a', async () => await Promise.resolve('ran again'))).toBe('ran again');
});
