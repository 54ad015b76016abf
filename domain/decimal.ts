/** An exact decimal. Its canonical text has no `+`, no leading zeros, no trailing fraction zeros and no exponent. */
interface Fixed {
  units: bigint;
  /** Digits after the point: the value is `units / 10^scale`. */
  scale: number;
}

type ParsedAmount = { ok: true; value: string } | { ok: false; message: string };

const PLAIN_AMOUNT = /^\d+(?:\.\d+)?$/;
const WITHIN_LIMITS = /^\d{1,30}(?:\.\d{1,30})?$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const EXPONENT_NUMBER = /^(\d)(?:\.(\d+))?e([+-]\d+)$/;
/** Minimum number of significant digits of a product, so that a tiny amount times a price is never 0. */
const MIN_SIGNIFICANT_DIGITS = 2;

/**
 * Reads an amount from a request: above 0, at most 30 digits before and 30 after the point. A number stands for its
 * shortest decimal text; a string must be plain digits with at most one point. The message never contains the input.
 */
export function parseAmount(input: number | string): ParsedAmount {
  const text = typeof input === 'number' ? plainNumber(input) : input;
  if (!PLAIN_AMOUNT.test(text)) {
    return refused('must be a plain decimal number above 0, without sign, exponent or spaces');
  }
  if (!WITHIN_LIMITS.test(text)) {
    return refused('must have at most 30 digits before and 30 after the point');
  }
  const value = canonicalDecimal(text);
  return value === '0' ? refused('must be above 0') : { ok: true, value };
}

/** The canonical text of a decimal, such as PostgreSQL's numeric ("1.500" -> "1.5"). Throws TypeError for other texts. */
export function canonicalDecimal(text: string): string {
  return textOf(fixedOf(text));
}

/** Compares exactly: negative, 0 or positive, as for Array.sort. */
export function compareDecimals(a: string, b: string): number {
  const left = fixedOf(a);
  const right = fixedOf(b);
  const scale = Math.max(left.scale, right.scale);
  const difference = unitsAt(left, scale) - unitsAt(right, scale);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

/** The exact sum. */
export function addDecimals(a: string, b: string): string {
  const left = fixedOf(a);
  const right = fixedOf(b);
  const scale = Math.max(left.scale, right.scale);
  return textOf({ units: unitsAt(left, scale) + unitsAt(right, scale), scale });
}

/**
 * The product, rounded half to even to `fractionDigits` digits after the point. A product below 1 keeps at least two
 * significant digits, so that it is never rounded to 0.
 */
export function multiplyDecimals(a: string, b: string, fractionDigits: number): string {
  const left = fixedOf(a);
  const right = fixedOf(b);
  const product = { units: left.units * right.units, scale: left.scale + right.scale };
  const leadingZeros = product.scale - digitCount(product.units);
  const isBelowOne = leadingZeros >= 0;
  const neededDigits = isBelowOne ? leadingZeros + MIN_SIGNIFICANT_DIGITS : 0;
  return textOf(roundHalfEven(product, Math.max(fractionDigits, neededDigits)));
}

/** The nearest JSON number, for number fields of the API; never calculate with it. */
export function decimalToNumber(text: string): number {
  return Number(canonicalDecimal(text));
}

function refused(message: string): ParsedAmount {
  return { ok: false, message };
}

/** The shortest decimal text of a number without exponent. NaN, Infinity and negatives do not give a plain decimal. */
export function plainNumber(input: number): string {
  const text = String(input);
  const match = EXPONENT_NUMBER.exec(text);
  if (!match) return text;
  const [, lead = '', fraction = '', exponent = ''] = match;
  const digits = lead + fraction;
  const pointAt = 1 + Number(exponent);
  if (pointAt <= 0) return `0.${'0'.repeat(-pointAt)}${digits}`;
  // JavaScript uses a positive exponent only from 1e21 on, where all 17 digits of a double are before the point.
  return digits.padEnd(pointAt, '0');
}

function fixedOf(text: string): Fixed {
  const match = DECIMAL.exec(text);
  if (!match) throw new TypeError('The text is not a decimal number.');
  const [, sign = '', whole = '', fraction = ''] = match;
  return { units: BigInt(sign + whole + fraction), scale: fraction.length };
}

function textOf({ units, scale }: Fixed): string {
  const sign = units < 0n ? '-' : '';
  const digits = magnitude(units)
    .toString()
    .padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

function roundHalfEven(value: Fixed, scale: number): Fixed {
  if (scale >= value.scale) return value;
  const divisor = 10n ** BigInt(value.scale - scale);
  const truncated = value.units / divisor;
  const twiceRest = magnitude(value.units % divisor) * 2n;
  const awayFromZero = twiceRest > divisor || (twiceRest === divisor && truncated % 2n !== 0n);
  const step = value.units < 0n ? -1n : 1n;
  return { units: awayFromZero ? truncated + step : truncated, scale };
}

function unitsAt(value: Fixed, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

function digitCount(units: bigint): number {
  return magnitude(units).toString().length;
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}
