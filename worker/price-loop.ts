import type { Logger } from 'pino';
import { httpPriceSource } from '../activities/prices/price-source.ts';
import type { Database } from '../db/database.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { storePrices, type AssetPrice } from '../db/prices/price-table.ts';
import { changeTransaction } from '../db/transactions/change-transaction.ts';
import { listUnvalued } from '../db/transactions/list-unvalued.ts';
import { DomainError } from '../domain/errors.ts';
import { fillFiatValues } from '../domain/transactions/lifecycle/fill-fiat-values.ts';
import { assetsOf, priceIdsWith } from '../domain/transactions/price-assets.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import type { Settings } from '../process/settings.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const FETCH_EVERY_MS = 5 * 60_000;
const AGAIN_AFTER_MS = 30_000;
/** Records that one round values; the next round takes the rest. */
const VALUED_PER_ROUND = 1_000;

export interface PriceLoopDeps {
  db: Database;
  now: () => Date;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/** Updates the price table from its source and values what waited for a price; without a source it starts no loop. */
export function startPriceLoop(
  { PRICES_URL, chains }: Pick<Settings, 'PRICES_URL' | 'chains'>,
  deps: PriceLoopDeps,
  log: Logger,
): WorkerLoop[] {
  if (!PRICES_URL) return [];
  const source = httpPriceSource(PRICES_URL, priceIdsWith(chains.flatMap(assetsOf)));
  const fetch = async (): Promise<boolean> => {
    const prices = await source();
    await storePrices(deps.db.pool, prices);
    await valueTransactions(deps, prices);
    return false;
  };
  return [
    startLoop({ name: 'price source', idleMs: FETCH_EVERY_MS, troubleMs: AGAIN_AFTER_MS, log, work: fetch }),
  ];
}

/**
 * Fills in the fiat values of open records of all tenants that were made while the price was unknown. A transfer that is
 * not sent yet, or that a rule lets wait, is decided again.
 */
export async function valueTransactions(
  { db, now, notifyWorkflows }: PriceLoopDeps,
  prices: readonly AssetPrice[],
): Promise<number> {
  const priceOf = new Map(prices.map((price) => [price.asset, price]));
  const unvalued = await listUnvalued(db.pool, [...priceOf.keys()], VALUED_PER_ROUND);
  for (const { id, tenantId, asset } of unvalued) {
    const at = now();
    const price = priceOf.get(asset.toUpperCase());
    const decide = (own: TransactionRecord) => fillFiatValues(own, price, at);
    const changed = await changeTransaction(db, { tenantId, id, now: at, decide }).catch(unlessDeleted);
    notifyWorkflows(changed?.outbox ?? []);
  }
  return unvalued.length;
}

/** A record that was deleted since it was found needs no value. */
function unlessDeleted(error: unknown): null {
  if (error instanceof DomainError && error.code === 'not_found') return null;
  throw error;
}
