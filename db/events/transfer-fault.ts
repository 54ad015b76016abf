import type { Event } from '../../domain/events/event.ts';
import { readableText } from './readable-columns.ts';

/**
 * SQL over transactions: what never changes once a message was sent, by the names in the sent payload, the amount as its
 * canonical decimal text.
 */
export const TRANSFER = `jsonb_build_object('amount', trim_scale(amount)::text, ${[
  ['asset', 'asset'],
  ['destination', 'destination'],
  ['destinationTag', 'destination_tag'],
  ['destinationType', 'destination_type'],
  ['originTag', 'origin_tag'],
  ['originType', 'origin_type'],
]
  .map(([field, column = '']) => `'${field}', ${readableText(column)}`)
  .join(', ')})`;

/** A record as its table has it, with its whole log. */
interface LoggedTransfer {
  columns: Readonly<Record<string, string | null>>;
  events: readonly Pick<Event, 'type' | 'sequence'>[];
}

/**
 * Compares the columns of a transfer with a payload that was sent of it or received for it; null when they fit. A record
 * that its tenant made before the message came keeps its own data beside what it received, so it is not compared; nor
 * are fields that a payload of an earlier version does not have.
 */
export function transferFault({ columns, events }: LoggedTransfer, payload: object): string | null {
  if (events.some(({ type, sequence }) => type === 'RECEIVED' && sequence > 1)) return null;
  const sent = new Map<string, unknown>(Object.entries(payload));
  const differing = Object.keys(columns).filter((name) => sent.has(name) && sent.get(name) !== columns[name]);
  return differing.length === 0 ? null : `the record differs from the message: ${differing.join(', ')}`;
}
