import type { Queryable } from '../postgres.ts';
import type { EventFault } from './event-report.ts';

const BATCH = 5_000;

interface LogRow {
  id: string;
  orphans: number;
}

// Read in the order of the primary key, so that a batch ends after its last log. Events are of transactions,
// verifications and claims alone: those of any other kind have no record.
const LOGS = `
  select l.id, l.entries
    - case when exists (select from transactions r where r.id = l.id) then l.of_transaction else 0 end
    - case when exists (select from verifications r where r.id = l.id) then l.of_verification else 0 end
    - case when exists (select from claims r where r.id = l.id) then l.of_claim else 0 end as orphans
  from (
    select subject_id as id, count(*)::int as entries,
      (count(*) filter (where subject_kind = 'TRANSACTION'))::int as of_transaction,
      (count(*) filter (where subject_kind = 'VERIFICATION'))::int as of_verification,
      (count(*) filter (where subject_kind = 'CLAIM'))::int as of_claim
    from events
    where ($1::uuid is null or subject_id > $1) and ($3::uuid is null or subject_id = $3)
    group by subject_id order by subject_id limit $2
  ) l order by l.id`;

/**
 * Finds event logs, or looks at one, with events whose record is not there: records are marked as deleted, never
 * removed. One statement reads a batch of logs and their records, at one moment.
 */
export async function findOrphans(db: Queryable, only: string | undefined): Promise<EventFault[]> {
  const faults: EventFault[] = [];
  let afterId: string | undefined;
  for (;;) {
    const { rows } = await db.query<LogRow>(LOGS, [afterId, BATCH, only]);
    const orphaned = rows.filter(({ orphans }) => orphans > 0);
    faults.push(...orphaned.map(({ id, orphans }) => ({ id, fault: `${orphans} events without a record` })));
    if (rows.length < BATCH) return faults;
    afterId = rows.at(-1)?.id;
  }
}
