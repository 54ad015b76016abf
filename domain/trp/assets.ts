import { findBlockchain } from '../blockchains.ts';

/** Coin types registered in SLIP-0044, by ticker. Tokens have none. */
const COIN_TYPES: Readonly<Record<string, number>> = {
  BTC: 0,
  LTC: 2,
  DOGE: 3,
  DASH: 5,
  ETH: 60,
  ETC: 61,
  ATOM: 118,
  XMR: 128,
  ZEC: 133,
  XRP: 144,
  BCH: 145,
  XLM: 148,
  TRX: 195,
  ALGO: 283,
  DOT: 354,
  CRO: 394,
  NEAR: 397,
  SOL: 501,
  TON: 607,
  XDAI: 700,
  BNB: 714,
  SUI: 784,
  POL: 966,
  XTZ: 1729,
  ADA: 1815,
  HBAR: 3030,
  AVAX: 9000,
  S: 10007,
  CELO: 52752,
};
const TICKERS: ReadonlyMap<number, string> = new Map([
  ...Object.entries(COIN_TYPES).map(([ticker, type]) => [type, ticker] as const),
  [9005, 'AVAX'],
]);
/** Digital token identifiers (ISO 24165) that TRP's own examples use. */
const TOKEN_IDENTIFIERS: Readonly<Record<string, string>> = { '4H95J0R2X': 'BTC' };

/** The coin type of a chain's own coin; undefined for tokens: the type of their chain would name another asset. */
export function coinTypeOf(asset: string, blockchain: string | null): number | undefined {
  const ticker = asset.toUpperCase();
  const chain = blockchain === null ? undefined : findBlockchain(blockchain);
  if (chain && chain.nativeAsset.toUpperCase() !== ticker) return undefined;
  return Object.hasOwn(COIN_TYPES, ticker) ? COIN_TYPES[ticker] : undefined;
}

export interface TrpAsset {
  slip0044?: number | string | undefined;
  dti?: string | undefined;
}

/** The ticker of the asset of an inquiry; undefined if neither identifier is known. */
export function tickerOf({ slip0044, dti }: TrpAsset): string | undefined {
  if (dti !== undefined && Object.hasOwn(TOKEN_IDENTIFIERS, dti)) return TOKEN_IDENTIFIERS[dti];
  if (slip0044 === undefined) return undefined;
  // Some write the symbol in place of the number.
  const symbol = String(slip0044).toUpperCase();
  if (Object.hasOwn(COIN_TYPES, symbol)) return symbol;
  return /^\d{1,9}$/.test(symbol) ? TICKERS.get(Number(symbol)) : undefined;
}
