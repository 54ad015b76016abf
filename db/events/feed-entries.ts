import type { SubjectKind } from '../../domain/events/event.ts';
import type { FeedSubjectKind } from '../../domain/events/feed.ts';

interface LoggedRows {
  kind: Exclude<FeedSubjectKind, SubjectKind>;
  type: string;
  /** Name of a part of the statement with columns tenant_id, id and version: the rows that changed. */
  rows: string;
  /** SQL of the time of the change. */
  at: string;
}

/** SQL: a part of a statement that writes one entry of the change feed for each changed row of a record without log. */
export function feedEntries({ kind, type, rows, at }: LoggedRows): string {
  return `insert into feed_entries (tenant_id, subject_kind, subject_id, version, type, created_at)
    select tenant_id, '${kind}', id::text, version, '${type}', ${at} from ${rows}`;
}
