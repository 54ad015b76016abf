import type { ChangeList } from '../../domain/sanctions-lists/schema.ts';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { Queryable } from '../postgres.ts';

/** One subject that a version has brought, changed or dropped. */
export interface VersionChange {
  sourceId: string;
  change: 'ADDED' | 'CHANGED' | 'REMOVED';
  name: string | null;
  type: ListEntry['type'];
}

// What came with the version beside what went with it: a changed subject is both.
const CHANGES = `
  select coalesce(a.source_id, r.source_id) as source_id, coalesce(a.entry, r.entry) as entry,
    case when r.source_id is null then 'ADDED' when a.source_id is null then 'REMOVED' else 'CHANGED' end as change
  from (select source_id, entry from sanctions_entries where code = $1 and version_added = $2) a
  full join (select source_id, entry from sanctions_entries where code = $1 and version_removed = $2) r
    on r.source_id = a.source_id`;

const WANTED = `($3::text[] is null or change = any($3))
  and ($4::text is null or starts_with(lower(source_id), $4) or strpos(lower(entry #>> '{names,0,text}'), $4) > 0)`;

/**
 * One page of what a version has changed, by source id: with `q` those whose id begins so or whose primary name has it.
 * Nothing of a rejected version.
 */
export async function listVersionChanges(
  db: Queryable,
  { code, version }: { code: string; version: number },
  { filters, q, start, end, order }: ChangeList,
): Promise<{ changes: VersionChange[]; total: number }> {
  const values = [code, version, filters.change ?? null, q?.trim().toLowerCase() ?? null];
  const { rows } = await db.query<VersionChange>(
    `select source_id as "sourceId", change, entry #>> '{names,0,text}' as name, entry ->> 'type' as type
     from (${CHANGES}) c where ${WANTED}
     order by source_id ${order} offset ${start} limit ${end - start}`,
    values,
  );
  const { rows: counts } = await db.query<{ total: number }>(
    `select count(*) as total from (${CHANGES}) c where ${WANTED}`,
    values,
  );
  return { changes: rows, total: counts[0]?.total ?? 0 };
}
