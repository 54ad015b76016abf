import type { Queryable } from '../postgres.ts';
import type { EventFault } from './event-report.ts';

const BATCH = 5_000;

interface LogRow {
  id: string;
  entries: number;
  is_known: boolean;
}

// Read in the order of the primary key, so that a batch ends after its last log.
const LOGS = `
  select l.id, l.entries, exists (select from transactions r where r.id = l.id)
    or exists (select from verifications r where r.id = l.id) as is_known
  from (
    select subject_id as id, count(*)::int as entries from events
    where subject_id > $1 and ($3::uuid is null or subject_id = $3)
    group by subject_id, subject_kind having subject_kind in ('TRANSACTION', 'VERIFICATION')
    order by subject_id limit $2
  ) l order by l.id`;

/** Finds event logs, or looks at one, whose record is not there: records are marked as deleted, never removed. */
export async function findOrphans(db: Queryable, only: string | undefined): Promise<EventFault[]> {
  const faults: EventFault[] = [];
  let afterId = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await db.query<LogRow>(LOGS, [afterId, BATCH, only]);
    const orphans = rows.filter(({ is_known }) => !is_known);
    faults.push(...orphans.map(({ id, entries }) => ({ id, fault: `${entries} events without a record` })));
    if (rows.length < BATCH) return faults;
    afterId = rows.at(-1)?.id ?? afterId;
  }
}
