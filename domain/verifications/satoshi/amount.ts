import { NATIVE, type ScanChain, type WatchableAsset } from '../../chain-scan/scan-chain.ts';
import { canonicalDecimal } from '../../decimal.ts';

/** A canonical amount in base units. Throws RangeError when it has more fraction digits than the asset. */
export function toUnits(amount: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length > decimals) throw new RangeError('the amount has more decimals than its asset');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Base units as a canonical decimal amount. */
export function fromUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return canonicalDecimal(decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`);
}

/** Generated amounts are `(first + 0..count-1) * step` base units. */
export interface AmountRange {
  first: number;
  count: number;
  step: bigint;
}

/** Above the dust limit of Bitcoin nodes for any type of address (546), and below a dollar or two. */
const SATOSHIS: AmountRange = { first: 600, count: 1_400, step: 1n };
const FIRST = 10_000;
const COUNT = 10_000;
const DIGITS = 4;

/** The power of ten that is worth about a dollar, within a factor of five. Assets not listed count as a dollar each. */
const DOLLAR_EXPONENT: Record<string, number> = {
  ETH: -4,
  WETH: -4,
  STETH: -4,
  WSTETH: -4,
  WBTC: -5,
  CBBTC: -5,
  TBTC: -5,
  BTCB: -5,
  BNB: -3,
  WBNB: -3,
  AVAX: -2,
  ETC: -2,
  LINK: -2,
  PAXG: -4,
  XAUT: -4,
  CRO: 1,
  SHIB: 5,
  PEPE: 5,
};

/**
 * The range of generated amounts: 1.0000 to 1.9999 times a power of ten near a dollar, so at most five digits to type;
 * fewer if the asset has fewer decimals. On Bitcoin 600 to 1,999 satoshis.
 */
export function amountRange(chain: Pick<ScanChain, 'kind'>, asset: WatchableAsset): AmountRange {
  if (chain.kind === 'BITCOIN' && asset.key === NATIVE) return SATOSHIS;
  const exponent = DOLLAR_EXPONENT[asset.ticker.toUpperCase()] ?? 0;
  const lastDigit = asset.decimals + exponent - DIGITS;
  return { first: FIRST, count: COUNT, step: 10n ** BigInt(Math.max(0, lastDigit)) };
}
