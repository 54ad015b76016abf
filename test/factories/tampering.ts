import type pg from 'pg';
import { columnNames, insertSql, unnestValues } from '../../db/columns.ts';
import { eventColumns, toEvent, type EventRow } from '../../db/events/event-columns.ts';
import { chainEvent } from '../../domain/events/chain.ts';
import type { Event } from '../../domain/events/event.ts';

/** Does what the owner of the tables can do: switches the guards of logs and seals off, and on again. */
export async function unguarded(pool: pg.Pool, tamper: () => Promise<unknown>): Promise<void> {
  const guards = (turn: 'disable' | 'enable') =>
    ['events', 'event_seals', 'audit_entries', 'audit_batches']
      .map((table) => `alter table ${table} ${turn} trigger user`)
      .join('; ');
  await pool.query(guards('disable'));
  try {
    await tamper();
  } finally {
    await pool.query(guards('enable'));
  }
}

export async function readLog(pool: pg.Pool, id: string): Promise<Event[]> {
  const { rows } = await pool.query<EventRow>(
    `select ${columnNames(eventColumns)} from events where subject_id = $1 order by sequence`,
    [id],
  );
  return rows.map(toEvent);
}

/** The last entry as somebody would forge it: other words, and a hash that fits them. */
export function forged(event: Event, changes: Partial<Event>): Event {
  const { hash: _, ...rest } = { ...event, ...changes };
  const actor =
    rest.actor === 'USER' ? { kind: rest.actor, id: rest.userId ?? '' } : { kind: 'SYSTEM' as const };
  return chainEvent(
    {
      type: rest.type,
      message: rest.message,
      actor,
      previousStatus: rest.previousStatus,
      newStatus: rest.newStatus,
      payloadHash: rest.payloadHash,
    },
    rest,
  );
}

/** Puts a forged entry in the place of the last one and sets the head of a transaction to it. */
export async function replaceLast(pool: pg.Pool, event: Event): Promise<void> {
  await pool.query('delete from events where subject_id = $1 and sequence = $2', [
    event.subjectId,
    event.sequence,
  ]);
  await pool.query(insertSql('events', eventColumns), unnestValues(eventColumns, [event]));
  await pool.query('update transactions set sequence = $2, head = $3 where id = $1', [
    event.subjectId,
    event.sequence,
    event.hash,
  ]);
}
