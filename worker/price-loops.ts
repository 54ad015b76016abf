import type { Logger } from 'pino';
import { httpPriceSource, sandboxPriceSource, type PriceSource } from '../activities/prices/price-source.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { PriceMemory } from '../db/prices/price-memory.ts';
import { storePrices } from '../db/prices/price-table.ts';
import { startLoop, type Loop } from './loop.ts';

const FETCH_EVERY_MS = 5 * 60_000;
const READ_EVERY_MS = 60_000;

interface PriceLoops {
  config: Config;
  db: Database;
  prices: PriceMemory;
  log: Logger;
}

/** Keeps the price table fresh from its source, and this process's memory fresh from the table. */
export function startPriceLoops({ config, db, prices, log }: PriceLoops): Loop[] {
  const source = sourceOf(config);
  const fetch = async (): Promise<boolean> => {
    if (source) await storePrices(db.pool, await source());
    await prices.refresh();
    return false;
  };
  const read = async (): Promise<boolean> => {
    await prices.refresh();
    return false;
  };
  return [
    startLoop(FETCH_EVERY_MS, READ_EVERY_MS, log, 'price source', fetch),
    startLoop(READ_EVERY_MS, READ_EVERY_MS, log, 'price memory', read),
  ];
}

/** A sandbox without a source works with round figures; in production unknown stays unknown. */
function sourceOf(config: Config): PriceSource | undefined {
  if (config.PRICES_URL) return httpPriceSource(config.PRICES_URL);
  return config.ENVIRONMENT === 'sandbox' ? sandboxPriceSource() : undefined;
}
