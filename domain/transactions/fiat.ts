import { multiplyDecimals } from '../decimal.ts';

/** The price of one unit of an asset in US dollars and euros; either may be unknown. */
export interface FiatPrice {
  usd: string | null;
  eur: string | null;
  source: string;
  pricedAt: Date;
}

export interface FiatValue {
  amountUsd: string | null;
  amountEur: string | null;
}

/** The fiat value of an amount, to the cent; null (never 0) when the price is unknown. */
export function fiatValue(amount: string | null, price: FiatPrice | undefined): FiatValue {
  const valueIn = (unit: string | null) => (amount && unit ? multiplyDecimals(amount, unit, 2) : null);
  return { amountUsd: valueIn(price?.usd ?? null), amountEur: valueIn(price?.eur ?? null) };
}

/** Source and time of a price, as stored in events. */
export function fiatData(price: FiatPrice | undefined): Record<string, string> {
  return price ? { priceSource: price.source, pricedAt: price.pricedAt.toISOString() } : {};
}
