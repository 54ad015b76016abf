import type { Logger } from 'pino';
import { httpPriceSource } from '../activities/prices/price-source.ts';
import type { Database } from '../db/database.ts';
import { storePrices } from '../db/prices/price-table.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const FETCH_EVERY_MS = 5 * 60_000;
const AGAIN_AFTER_MS = 30_000;

/** Updates the price table from its source; without a source it starts no loop. */
export function startPriceLoop(url: string | undefined, db: Database, log: Logger): WorkerLoop[] {
  if (!url) return [];
  const source = httpPriceSource(url);
  const fetch = async (): Promise<boolean> => {
    await storePrices(db.pool, await source());
    return false;
  };
  return [
    startLoop({ name: 'price source', idleMs: FETCH_EVERY_MS, troubleMs: AGAIN_AFTER_MS, log, work: fetch }),
  ];
}
