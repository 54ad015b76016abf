import { z } from 'zod';
import type { AssetPrice } from '../../db/prices/price-table.ts';
import { plainNumber } from '../../domain/decimal.ts';
import { priceIdsWith } from '../../domain/transactions/price-assets.ts';
import { createHttpClient } from '../../outside/http.ts';

/** Gives the newest prices it has; throws when the source does not answer usefully. */
export type PriceSource = () => Promise<AssetPrice[]>;

/** All prices together are some kilobytes. */
const LIMITS = { deadlineMs: 10_000, maxBodyBytes: 1 << 20 };
const unit = z.number().positive().optional();
const Prices = z.record(
  z.string(),
  z.object({ usd: unit, eur: unit, last_updated_at: z.int().positive().optional() }),
);

/**
 * An HTTP source that answers like CoinGecko's `/simple/price`. `url` is that address without its query. A request has 10 s
 * and its response at most 1 MB. `ids` are the source's ids by ticker.
 */
export function httpPriceSource(url: string, ids = priceIdsWith([])): PriceSource {
  const http = createHttpClient({ reach: 'ANYWHERE', limits: LIMITS });
  const query = new URLSearchParams({
    ids: [...new Set(Object.values(ids))].join(','),
    vs_currencies: 'usd,eur',
    include_last_updated_at: 'true',
    precision: 'full',
  });
  return async () => {
    const { status, body } = await http.send(new URL(`${url}?${query.toString()}`));
    if (status !== 200) throw new Error(`the price source answered ${status}`);
    const prices = Prices.parse(JSON.parse(body.toString()));
    return Object.entries(ids).flatMap(([asset, id]) => toPrice(asset, prices[id], new URL(url).host));
  };
}

function toPrice(
  asset: string,
  price: z.infer<typeof Prices>[string] | undefined,
  source: string,
): AssetPrice[] {
  if (!price || (price.usd === undefined && price.eur === undefined)) return [];
  const pricedAt = price.last_updated_at ? new Date(price.last_updated_at * 1_000) : new Date();
  return [{ asset, usd: decimalText(price.usd), eur: decimalText(price.eur), source, pricedAt }];
}

function decimalText(value: number | undefined): string | null {
  return value === undefined ? null : plainNumber(value);
}
