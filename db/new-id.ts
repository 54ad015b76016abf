import { randomUUID } from 'node:crypto';

/** A UUIDv7 (RFC 9562): milliseconds first, so that ids sort by time; the rest is random. */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  // A version 4 has its random bits in the same places, and Node draws them in bulk.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Makes ids that are in the order in which this process asks for them, also within a millisecond (RFC 9562, 6.2, method 1). */
export function orderedIds(): (now: Date) => string {
  let lastMs = 0;
  let count = 0;
  return (now) => {
    count = now.getTime() === lastMs ? count + 1 : 0;
    lastMs = now.getTime();
    const id = newId(now);
    return `${id.slice(0, 15)}${count.toString(16).padStart(3, '0')}${id.slice(18)}`;
  };
}

/** The first or last UUIDv7 of a millisecond, to find ids by their time. */
export function idAt(time: Date, end: 'FIRST' | 'LAST'): string {
  const ms = time.getTime().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-${end === 'FIRST' ? '7000-8000-000000000000' : '7fff-bfff-ffffffffffff'}`;
}
