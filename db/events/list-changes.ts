import type { SubjectKind } from '../../domain/events/event.ts';
import type { Queryable } from '../postgres.ts';

/** One entry of a tenant's change feed: what changed, never how or to what. */
export interface FeedEntry {
  place: FeedPlace;
  subjectKind: SubjectKind;
  subjectId: string;
  version: number;
  type: string;
  createdAt: Date;
}

/** A place in the feed: the database transaction that wrote the entry, and the entry's own number. */
export interface FeedPlace {
  xid: string;
  position: number;
}

interface ChangeRow {
  xid: string;
  position: number;
  subject_kind: SubjectKind;
  subject_id: string;
  version: number;
  type: string;
  created_at: Date;
}

/**
 * The tenant's changes after a place, in order. Entries of database transactions that began before one that is still
 * open are held back until it ends: whoever goes on from the last place misses nothing.
 */
export async function listChanges(
  db: Queryable,
  tenantId: string,
  cursor: FeedPlace | null,
  limit: number,
): Promise<FeedEntry[]> {
  const { rows } = await db.query<ChangeRow>(
    `select xid::text, position, subject_kind, subject_id, version, type, created_at from events
     where tenant_id = $1 and (xid, position) > ($2::xid8, $3)
       and xid < pg_snapshot_xmin(pg_current_snapshot())
     order by events.xid, position limit $4`,
    [tenantId, cursor?.xid ?? '0', cursor?.position ?? 0, limit],
  );
  return rows.map((row) => ({
    place: { xid: row.xid, position: row.position },
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    version: row.version,
    type: row.type,
    createdAt: row.created_at,
  }));
}

/** Whether the place is one that this tenant was given. */
export async function hasFeedPlace(db: Queryable, tenantId: string, place: FeedPlace): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from events where tenant_id = $1 and xid = $2::xid8 and position = $3',
    [tenantId, place.xid, place.position],
  );
  return rows.length > 0;
}
