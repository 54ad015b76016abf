import { request } from 'undici';
import { z } from 'zod';
import type { AssetPrice } from '../../db/prices/price-table.ts';
import { PRICE_IDS } from '../../domain/transactions/price-assets.ts';

/** Gives the newest prices it has; throws when the source does not answer usefully. */
export type PriceSource = () => Promise<AssetPrice[]>;

const TIMEOUT_MS = 10_000;
const unit = z.number().positive().optional();
const Prices = z.record(
  z.string(),
  z.object({ usd: unit, eur: unit, last_updated_at: z.int().positive().optional() }),
);

/** An HTTP source that answers like CoinGecko's `/simple/price`. `url` is that address without its query. */
export function httpPriceSource(url: string): PriceSource {
  const query = new URLSearchParams({
    ids: Object.values(PRICE_IDS).join(','),
    vs_currencies: 'usd,eur',
    include_last_updated_at: 'true',
    precision: 'full',
  });
  return async () => {
    const { statusCode, body } = await request(`${url}?${query.toString()}`, {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the price source answered ${statusCode}`);
    }
    const prices = Prices.parse(await body.json());
    return Object.entries(PRICE_IDS).flatMap(([asset, id]) => toPrice(asset, prices[id], new URL(url).host));
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

/** PostgreSQL's numeric reads exponents. */
function decimalText(value: number | undefined): string | null {
  return value === undefined ? null : String(value);
}
