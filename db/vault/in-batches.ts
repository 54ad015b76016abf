import type pg from 'pg';
import { inTransaction } from '../postgres.ts';

/** How many keys one transaction of a rotation handles. */
export const BATCH_SIZE = 500;

/** Runs `change` in separate transactions until one returns 0. Returns the sum of their counts. */
export async function inBatches(
  pool: pg.Pool,
  change: (tx: pg.PoolClient) => Promise<number>,
  onBatch: (total: number) => void,
): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await inTransaction(pool, change);
    if (count === 0) return total;
    total += count;
    onBatch(total);
  }
}
