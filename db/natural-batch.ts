interface WaitingItem<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

interface BatchOptions<T, R> {
  maxSize: number;
  /** How many runs may be under way at once. */
  concurrency: number;
  /** Items that are made one after the other in one turn of the event loop go together, the first of them too. */
  gather?: boolean;
  /** Gives one result per item, in order. */
  run: (items: T[]) => Promise<R[]>;
}

/**
 * Natural batching: an item goes at once when nothing is under way, else together with all that arrive meanwhile. There
 * is no timer, so a lone caller waits for nobody. A failing batch is run again item by item, so that one bad item fails
 * alone.
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
    if (batch.length === 1) batch[0]?.reject(error);
    else for (const waiting of batch) await settle([waiting], run);
  }
}
