import { createHmac, type KeyObject } from 'node:crypto';

/**
 * The search token of an encrypted term: HMAC-SHA256 of field, NUL and term, cut to a signed 64-bit number
 * (PostgreSQL bigint). The caller normalises the term. Equal terms of a field have equal tokens.
 */
export function searchToken(key: KeyObject | Buffer, field: string, term: string): bigint {
  return createHmac('sha256', key).update(`${field}\0${term}`).digest().readBigInt64BE(0);
}
