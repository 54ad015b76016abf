import { setTimeout as delay } from 'node:timers/promises';

/** Starts work at a fixed rate, without waiting for earlier work to end. Rejects if any work rejects. */
export async function paced(count: number, perSecond: number, work: () => Promise<unknown>): Promise<void> {
  await pacedWhile((started) => started < count, perSecond, work);
}

/** The same for as long as `goesOn` says so, which is told how many have been started. */
export async function pacedWhile(
  goesOn: (started: number) => boolean,
  perSecond: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const startedMs = performance.now();
  const all: Promise<unknown>[] = [];
  for (let n = 0; goesOn(n); n += 1) {
    await delay(Math.max(0, startedMs + (n * 1_000) / perSecond - performance.now()));
    all.push(work());
  }
  await Promise.all(all);
}
