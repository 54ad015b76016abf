import type { Price } from '../../domain/transactions/fiat.ts';
import type { Queryable } from '../database.ts';
import { listPrices } from './price-table.ts';

/** The price table as a process remembers it, so that no request has to ask for it. */
export interface PriceMemory {
  priceOf: (asset: string) => Price | undefined;
  /** True while no price is known at all. */
  isEmpty: () => boolean;
  refresh: () => Promise<void>;
}

export function createPriceMemory(db: Queryable): PriceMemory {
  let prices = new Map<string, Price>();
  return {
    priceOf: (asset) => prices.get(asset.toUpperCase()),
    isEmpty: () => prices.size === 0,
    async refresh() {
      prices = new Map((await listPrices(db)).map(({ asset, ...price }) => [asset, price]));
    },
  };
}
