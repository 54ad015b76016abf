import type { Event } from '../../domain/events/event.ts';
import { columnNames } from '../columns.ts';
import { eventColumns, toEvent, type EventRow } from '../events/event-columns.ts';
import type { Queryable } from '../postgres.ts';
import { inBatches } from './in-batches.ts';

const BATCH = 100;
const COLUMNS = columnNames(eventColumns);

/** A record's log up to an entry. */
export interface LogRange {
  tenantId: string;
  id: string;
  /** The sequence number of the last entry. */
  sequence: number;
}

/** The entries of a log, oldest first. */
export async function* readLog(db: Queryable, { tenantId, id, sequence }: LogRange): AsyncGenerator<Event> {
  const rows = inBatches<EventRow>(BATCH, async (last, size) => {
    const { rows: batch } = await db.query<EventRow>(
      `select ${COLUMNS} from events where tenant_id = $1 and subject_id = $2 and sequence > $3 and sequence <= $4
       order by sequence limit $5`,
      [tenantId, id, last?.sequence ?? 0, sequence, size],
    );
    return batch;
  });
  for await (const row of rows) yield toEvent(row);
}

/** The UTC days, as YYYY-MM-DD, on which these logs grew, the latest first. */
export async function daysOfLogs(db: Queryable, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `select distinct (created_at at time zone 'UTC')::date::text as day from events
     where tenant_id = $1 and subject_id = any($2::uuid[]) order by day desc`,
    [tenantId, ids],
  );
  return rows.map(({ day }) => day);
}
