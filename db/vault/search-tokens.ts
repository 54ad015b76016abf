import { createHmac, type KeyObject } from 'node:crypto';

/**
 * The keyed token by which an encrypted term is found: HMAC-SHA256 of field, NUL and term, cut to a signed 64-bit
 * number (PostgreSQL bigint). The term is normalised by the caller. Equal terms of a field have equal tokens.
 */
export function searchToken(key: KeyObject | Buffer, field: string, term: string): bigint {
  return createHmac('sha256', key).update(`${field}\0${term}`).digest().readBigInt64BE(0);
}
