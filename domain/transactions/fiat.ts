import { multiplyDecimals } from '../decimal.ts';

/** One unit of an asset in fiat; either may be unknown. */
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

/** Cents; null when the price is unknown, never 0. */
export function fiatValue(amount: string | null, price: FiatPrice | undefined): FiatValue {
  const valueIn = (unit: string | null) => (amount && unit ? multiplyDecimals(amount, unit, 2) : null);
  return { amountUsd: valueIn(price?.usd ?? null), amountEur: valueIn(price?.eur ?? null) };
}

/** Source and time of a value, as kept in the event. */
export function fiatData(price: FiatPrice | undefined): Record<string, string> {
  return price ? { priceSource: price.source, pricedAt: price.pricedAt.toISOString() } : {};
}
