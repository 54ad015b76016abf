import type { Event } from '../../domain/events/event.ts';
import type { Column } from '../columns.ts';
import { eventColumns } from './event-columns.ts';

/** Maximum size in bytes: far more than anything that is written into an event or sent, and little enough to be read. */
export const LARGEST_VALUE = 16 * 1024 * 1024;

const TOO_LARGE = '(too large)';

/**
 * SQL: the columns of an event. A value that is too large to be read, which only somebody who changed the table can have
 * written, gives way to one that no entry has, so that the hash of the entry does not fit.
 */
export const readableColumns = eventColumns.map(readable).join(', ');

function readable({ name, type, cast }: Column<Event>): string {
  if (cast === 'jsonb') return `${instead(name, `${name}::text`, `'"${TOO_LARGE}"'::jsonb`)} as ${name}`;
  if (type === 'text') return `${readableText(name)} as ${name}`;
  if (type === 'bytea') return `${readableBytes(name)} as ${name}`;
  return name;
}

/** SQL: a text, unless it is too large to be read. */
export function readableText(name: string): string {
  return instead(name, name, `'${TOO_LARGE}'`);
}

/** SQL: bytes, unless they are too many to be read. */
export function readableBytes(name: string): string {
  return instead(name, name, `'${TOO_LARGE}'::bytea`);
}

function instead(name: string, measured: string, replacement: string): string {
  return `case when octet_length(${measured}) > ${LARGEST_VALUE} then ${replacement} else ${name} end`;
}
