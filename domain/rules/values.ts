import { countryCode } from '../country.ts';
import { parseAmount } from '../decimal.ts';

const ZERO = /^0{1,30}(?:\.0{1,30})?$/;

/** A canonical decimal of 0 or more with at most 30 digits on either side. The message never contains the input. */
export function readDecimal(
  given: number | string,
): { ok: true; value: string } | { ok: false; message: string } {
  if (ZERO.test(String(given))) return { ok: true, value: '0' };
  const read = parseAmount(given);
  return read.ok ? read : { ok: false, message: read.message.replace('above 0', 'of 0 or more') };
}

/** An upper-case ISO 3166-1 alpha-2 code. */
export function isCountryCode(text: string): boolean {
  return text.length === 2 && countryCode(text) === text;
}
