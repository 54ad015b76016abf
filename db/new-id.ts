import { randomUUID } from 'node:crypto';

/** A UUIDv7 (RFC 9562): milliseconds first, so that ids sort by time; the rest is random. */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  // A version 4 has its random bits in the same places, and Node draws them in bulk.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
