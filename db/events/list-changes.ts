import type { FeedSubjectKind } from '../../domain/events/feed.ts';
import { sha256 } from '../../domain/sha256.ts';
import type { Queryable } from '../postgres.ts';

/** One entry of a tenant's change feed: what changed, never how or to what. */
export interface FeedEntry {
  position: FeedPosition;
  subjectKind: FeedSubjectKind;
  subjectId: string;
  version: number;
  type: string;
  createdAt: Date;
}

/**
 * A position in the feed: the database transaction that wrote the entry, and the entry's own number. The epoch rises when
 * the database is restored into another cluster, which counts its transactions anew.
 */
export interface FeedPosition {
  epoch: number;
  xid: string;
  position: number;
  /** Short hash of the change: a database that was put back counts again, and gives the position to another change. */
  tag: string;
}

interface ChangeRow {
  epoch: number;
  xid: string;
  position: number;
  /** Of an event; null for an entry of a record without an event log. */
  hash: Buffer | null;
  subject_kind: FeedSubjectKind;
  subject_id: string;
  version: number;
  type: string;
  created_at: Date;
}

const START: Omit<FeedPosition, 'tag'> = { epoch: 0, xid: '0', position: 0 };

const TAG_BYTES = 6;

/** SQL: the columns of a change, in one of the tables of the feed. */
const changeColumns = (table: FeedTable) =>
  `epoch, xid, position, ${table === 'events' ? 'hash' : 'null::bytea as hash'},
   subject_kind, subject_id::text, version, type, created_at`;

type FeedTable = 'events' | 'feed_entries';

/** SQL: entries before this one are of transactions that have ended; those from it on may have gaps yet. */
const HORIZON = '(present_feed_epoch(), pg_snapshot_xmin(pg_current_snapshot()))';

/** SQL: the next entries of one of the tables of the feed. Written so that its index serves both bounds. */
const nextEntries = (table: FeedTable) => `
  (select ${changeColumns(table)} from ${table}
   where tenant_id = $1 and (epoch, xid, position) > ($2, $3::xid8, $4)
     and (epoch, xid) < ${HORIZON}
   order by epoch, xid, position limit $5)`;

/** SQL: the last entry of one of the tables of the feed. */
const lastEntry = (table: FeedTable) => `
  (select ${changeColumns(table)} from ${table} where tenant_id = $1 and (epoch, xid) < ${HORIZON}
   order by epoch desc, xid desc, position desc limit 1)`;

/**
 * The tenant's changes after a position, in order. Entries of database transactions that began after one that is still
 * open are held back until it ends: whoever goes on from the last position misses nothing.
 */
export async function listChanges(
  db: Queryable,
  tenantId: string,
  cursor: FeedPosition | null,
  limit: number,
): Promise<FeedEntry[]> {
  const { epoch, xid, position } = cursor ?? START;
  const { rows } = await db.query<ChangeRow>(
    `select epoch, xid::text, position, hash, subject_kind, subject_id, version, type, created_at
     from (${nextEntries('events')} union all ${nextEntries('feed_entries')}) changes
     order by changes.epoch, changes.xid, changes.position limit $5`,
    [tenantId, epoch, xid, position, limit],
  );
  return rows.map((row) => ({
    position: positionOf(row),
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    version: row.version,
    type: row.type,
    createdAt: row.created_at,
  }));
}

/** The position of the tenant's last change that the feed shows; undefined before the first. */
export async function findLastPosition(db: Queryable, tenantId: string): Promise<FeedPosition | undefined> {
  const { rows } = await db.query<ChangeRow>(
    `select epoch, xid::text, position, hash, subject_kind, subject_id, version, type, created_at
     from (${lastEntry('events')} union all ${lastEntry('feed_entries')}) changes
     order by changes.epoch desc, changes.xid desc, changes.position desc limit 1`,
    [tenantId],
  );
  return rows[0] && positionOf(rows[0]);
}

function positionOf(row: ChangeRow): FeedPosition {
  return { epoch: row.epoch, xid: row.xid, position: row.position, tag: tagOf(row) };
}

function tagOf({ hash, subject_kind, subject_id, version, type, created_at }: ChangeRow): string {
  const content = [subject_kind, subject_id, version, type, created_at.toISOString()];
  return (hash ?? sha256(content.join(' '))).subarray(0, TAG_BYTES).toString('hex');
}

/** A position that a client names. Null is what its cursor did not have yet when it was given out. */
export interface NamedFeedPosition extends Omit<FeedPosition, 'epoch' | 'tag'> {
  epoch: number | null;
  tag: string | null;
  /** Whether the cursor was readable, as all were before `0177`. */
  isPlain: boolean;
}

/** The named position; undefined unless this tenant was given it, with the change that is there now. */
export async function findFeedPosition(
  db: Queryable,
  tenantId: string,
  { epoch, xid, position, tag, isPlain }: NamedFeedPosition,
): Promise<FeedPosition | undefined> {
  const { rows } = await db.query<ChangeRow>(
    `select epoch, xid::text, position, hash, subject_kind, subject_id, version, type, created_at from (
       select tenant_id, ${changeColumns('events')} from events
       union all select tenant_id, ${changeColumns('feed_entries')} from feed_entries
     ) changes
     where tenant_id = $1 and changes.xid = $3::xid8 and position = $4
       and epoch = any(case when $2::int is null then (select array_agg(epoch) || 0 from feed_epochs) else array[$2] end)
       and (not $5 or created_at < (select feed_cursors_sealed_at from deployment))
     limit 1`,
    [tenantId, epoch, xid, position, isPlain],
  );
  const found = rows[0] && positionOf(rows[0]);
  return found && (tag === null || tag === found.tag) ? found : undefined;
}
