import type { Knex } from 'knex';
import type { ChangeList } from '../../domain/sanctions-lists/schema.ts';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import { readPage, type ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { VersionRef } from './stream-entries.ts';

/** One subject that a version has brought, changed or dropped. */
export interface VersionChange {
  sourceId: string;
  change: 'ADDED' | 'CHANGED' | 'REMOVED';
  name: string | null;
  type: ListEntry['type'];
}

// What came with the version beside what went with it: a changed subject is both.
const CHANGES = `(
  select coalesce(a.source_id, r.source_id) as source_id, coalesce(a.entry, r.entry) as entry,
    case when r.source_id is null then 'ADDED' when a.source_id is null then 'REMOVED' else 'CHANGED' end as change
  from (select source_id, entry from sanctions_entries where code = :code and version_added = :version) a
  full join (select source_id, entry from sanctions_entries where code = :code and version_removed = :version) r
    on r.source_id = a.source_id) c`;

/**
 * One page of what a version has changed, by source id: with `q` those whose id begins so or whose primary name has it.
 * Nothing of a rejected version.
 */
export async function listVersionChanges(
  db: Queryable,
  version: VersionRef,
  list: ChangeList,
): Promise<ListPage<VersionChange>> {
  const page = {
    matching: statementOf(matchingChanges(version, list)),
    orderBy: `source_id ${list.order}`,
    rows: `select source_id as "sourceId", change, entry #>> '{names,0,text}' as name, entry ->> 'type' as type from page`,
    range: list,
  };
  return await readPage(db, page, (rows: VersionChange[]) => rows);
}

function matchingChanges({ code, version }: VersionRef, { filters, q }: ChangeList): Knex.QueryBuilder {
  const matching = sql.select('source_id', 'entry', 'change').from(sql.raw(CHANGES, { code, version }));
  whereGiven(matching, { 'change = any(?::text[])': filters.change });
  if (q === undefined) return matching;
  const text = q.trim().toLowerCase();
  return matching.whereRaw(
    `(starts_with(lower(source_id), ?) or strpos(lower(entry #>> '{names,0,text}'), ?) > 0)`,
    [text, text],
  );
}
