import type pg from 'pg';
import type { Logger } from 'pino';
import { tidyCustomerSums } from '../db/customer-sums/tidy.ts';
import { foldDeltas } from '../db/statistics/fold.ts';
import { recountNext } from '../db/statistics/recount.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

/** Statistics read the deltas that are not folded yet one by one. */
const EVERY_MS = 10_000;
const AGAIN_AFTER_MS = 30_000;

/** Folds what changes of records have added for the statistics and for sums over a customer, and counts the records of tenants that are marked for it. */
export function startStatisticsLoop(pool: pg.Pool, log: Logger): WorkerLoop {
  const work = async (): Promise<boolean> => await statisticsRound(pool);
  return startLoop({ name: 'statistics', idleMs: EVERY_MS, troubleMs: AGAIN_AFTER_MS, log, work });
}

/** Counts the records of one tenant, or folds batches. True when there may be more. */
export async function statisticsRound(pool: pg.Pool): Promise<boolean> {
  const isCounting = (await recountNext(pool)) || (await foldDeltas(pool));
  // Also while there is always more to fold: the sums of a customer are quick to read only once they are few.
  return (await tidyCustomerSums(pool)) || isCounting;
}
