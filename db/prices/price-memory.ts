import type { FiatPrice } from '../../domain/transactions/fiat.ts';
import { SANDBOX_PRICES } from '../../domain/transactions/price-assets.ts';
import type { Queryable } from '../postgres.ts';
import { listPrices } from './price-table.ts';

const READ_EVERY_MS = 60_000;
const READ_EVERY_WHILE_EMPTY_MS = 1_000;

/** Prices in the memory of a process, so that no request reads the database for them. */
export interface PriceMemory {
  priceOf: (asset: string) => FiatPrice | undefined;
  /** True while no price is known at all. */
  isEmpty: () => boolean;
  stop: () => void;
}

/** The fixed, round figures of a sandbox that has no price source. */
export function sandboxPrices(now: () => Date): PriceMemory {
  return {
    priceOf(asset) {
      const [usd, eur] = SANDBOX_PRICES[asset.toUpperCase()] ?? [];
      return usd && eur ? { usd, eur, source: 'sandbox', pricedAt: now() } : undefined;
    },
    isEmpty: () => false,
    stop: () => undefined,
  };
}

/** Prices of the table, read now and every minute; every second while it is empty. */
export async function rememberPrices(
  db: Queryable,
  onTrouble: (error: unknown) => void,
): Promise<PriceMemory> {
  let prices = new Map<string, FiatPrice>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const read = async (): Promise<void> => {
    try {
      prices = new Map((await listPrices(db)).map(({ asset, ...price }) => [asset, price]));
    } catch (error) {
      onTrouble(error);
    }
    if (!stopped)
      timer = setTimeout(() => void read(), prices.size > 0 ? READ_EVERY_MS : READ_EVERY_WHILE_EMPTY_MS);
  };
  await read();
  return {
    priceOf: (asset) => prices.get(asset.toUpperCase()),
    isEmpty: () => prices.size === 0,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
