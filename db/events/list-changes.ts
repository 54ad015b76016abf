import type { FeedSubjectKind } from '../../domain/events/feed.ts';
import type { Queryable } from '../postgres.ts';

/** One entry of a tenant's change feed: what changed, never how or to what. */
export interface FeedEntry {
  place: FeedPlace;
  subjectKind: FeedSubjectKind;
  subjectId: string;
  version: number;
  type: string;
  createdAt: Date;
}

/**
 * A place in the feed: the database transaction that wrote the entry, and the entry's own number. The epoch rises when
 * the database is restored into another cluster, which counts its transactions anew.
 */
export interface FeedPlace {
  epoch: number;
  xid: string;
  position: number;
}

interface ChangeRow {
  epoch: number;
  xid: string;
  position: number;
  subject_kind: FeedSubjectKind;
  subject_id: string;
  version: number;
  type: string;
  created_at: Date;
}

const START: FeedPlace = { epoch: 0, xid: '0', position: 0 };

/** SQL: the next entries of one of the tables of the feed. Written so that its index serves both bounds. */
const nextEntries = (table: string) => `
  (select epoch, xid, position, subject_kind, subject_id::text, version, type, created_at from ${table}
   where tenant_id = $1 and (epoch, xid, position) > ($2, $3::xid8, $4)
     and (epoch, xid) < (present_feed_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
   order by epoch, xid, position limit $5)`;

/**
 * The tenant's changes after a place, in order. Entries of database transactions that began after one that is still
 * open are held back until it ends: whoever goes on from the last place misses nothing.
 */
export async function listChanges(
  db: Queryable,
  tenantId: string,
  cursor: FeedPlace | null,
  limit: number,
): Promise<FeedEntry[]> {
  const { epoch, xid, position } = cursor ?? START;
  const { rows } = await db.query<ChangeRow>(
    `select epoch, xid::text, position, subject_kind, subject_id, version, type, created_at
     from (${nextEntries('events')} union all ${nextEntries('feed_entries')}) changes
     order by changes.epoch, changes.xid, changes.position limit $5`,
    [tenantId, epoch, xid, position, limit],
  );
  return rows.map((row) => ({
    place: { epoch: row.epoch, xid: row.xid, position: row.position },
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    version: row.version,
    type: row.type,
    createdAt: row.created_at,
  }));
}

/** A place that a client names; its epoch is null in cursors that were given out before there were epochs. */
export interface NamedFeedPlace extends Omit<FeedPlace, 'epoch'> {
  epoch: number | null;
}

/** The named place; undefined unless this tenant was given it. */
export async function findFeedPlace(
  db: Queryable,
  tenantId: string,
  { epoch, xid, position }: NamedFeedPlace,
): Promise<FeedPlace | undefined> {
  const { rows } = await db.query<{ epoch: number }>(
    `select epoch from (
       select tenant_id, epoch, xid, position from events
       union all select tenant_id, epoch, xid, position from feed_entries
     ) places
     where tenant_id = $1 and xid = $3::xid8 and position = $4
       and epoch = any(case when $2::int is null then (select array_agg(epoch) || 0 from feed_epochs) else array[$2] end)
     limit 1`,
    [tenantId, epoch, xid, position],
  );
  return rows[0] && { epoch: rows[0].epoch, xid, position };
}
