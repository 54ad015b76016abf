import { isConnectionLost } from './postgres.ts';

interface WaitingItem<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

interface BatchOptions<T, R> {
  maxSize: number;
  /** Maximum number of batches that run at once. */
  concurrency: number;
  /**
   * Waits until the end of the event loop's turn, so that all items added in that turn share a batch, the first one
   * included.
   */
  gather?: boolean;
  /** Processes a batch; returns one result per item, in order. */
  run: (items: T[]) => Promise<R[]>;
}

/**
 * Natural batching: an item runs at once when nothing is running, otherwise together with all items that arrive
 * meanwhile. There is no timer, so a lone caller waits for nobody. A failed batch is run again item by item, so that
 * one bad item fails alone; not so one that has lost its connection, which may have been stored.
 */
export function naturalBatch<T, R>({
  maxSize,
  concurrency,
  gather = false,
  run,
}: BatchOptions<T, R>): (item: T) => Promise<R> {
  let waiting: WaitingItem<T, R>[] = [];
  let running = 0;

  const next = () => {
    while (running < concurrency && waiting.length > 0) {
      const batch = waiting.slice(0, maxSize);
      waiting = waiting.slice(maxSize);
      running += 1;
      void settle(batch, run).finally(() => {
        running -= 1;
        next();
      });
    }
  };

  return async (item) =>
    await new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!gather) next();
      else if (waiting.length === 1) setImmediate(next);
    });
}

async function settle<T, R>(batch: WaitingItem<T, R>[], run: (items: T[]) => Promise<R[]>): Promise<void> {
  try {
    const results = await run(batch.map((waiting) => waiting.item));
    batch.forEach((waiting, index) => waiting.resolve(results[index] as R));
  } catch (error) {
    if (batch.length === 1 || isConnectionLost(error)) for (const waiting of batch) waiting.reject(error);
    else for (const half of halvesOf(batch)) await settle(half, run);
  }
}

function halvesOf<T>(batch: readonly T[]): T[][] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
