import type { FiatPrice } from '../../domain/transactions/fiat.ts';
import type { Queryable } from '../postgres.ts';

export interface AssetPrice extends FiatPrice {
  asset: string;
}

interface PriceRow {
  asset: string;
  usd: string | null;
  eur: string | null;
  source: string;
  priced_at: Date;
}

/** Every price that is not too old to value a transfer with. */
export async function listPrices(db: Queryable): Promise<AssetPrice[]> {
  const { rows } = await db.query<PriceRow>(
    `select asset, usd, eur, source, priced_at from prices where priced_at > now() - interval '24 hours'`,
  );
  return rows.map((row) => ({
    asset: row.asset,
    usd: row.usd,
    eur: row.eur,
    source: row.source,
    pricedAt: row.priced_at,
  }));
}

/** Replaces the prices of the given assets; others stay until they are too old. */
export async function storePrices(db: Queryable, prices: readonly AssetPrice[]): Promise<void> {
  await db.query(
    `insert into prices (asset, usd, eur, source, priced_at)
     select * from unnest($1::text[], $2::numeric[], $3::numeric[], $4::text[], $5::timestamptz[])
     on conflict (asset) do update
       set usd = excluded.usd, eur = excluded.eur, source = excluded.source, priced_at = excluded.priced_at`,
    [
      prices.map((price) => price.asset),
      prices.map((price) => price.usd),
      prices.map((price) => price.eur),
      prices.map((price) => price.source),
      prices.map((price) => price.pricedAt),
    ],
  );
}
