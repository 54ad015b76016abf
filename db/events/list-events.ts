import type { Event } from '../../domain/events/event.ts';
import type { Queryable } from '../postgres.ts';
import { columnNames } from '../columns.ts';
import { eventColumns, toEvent, type EventRow } from './event-columns.ts';

const COLUMNS = columnNames(eventColumns);

/** A record's log, newest first. */
export async function listEvents(db: Queryable, tenantId: string, subjectId: string): Promise<Event[]> {
  const { rows } = await db.query<EventRow>(
    `select ${COLUMNS} from events where tenant_id = $1 and subject_id = $2 order by sequence desc`,
    [tenantId, subjectId],
  );
  return rows.map(toEvent);
}
