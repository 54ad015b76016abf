import {
  findFeedPosition,
  findLastPosition,
  listChanges,
  type FeedEntry,
  type FeedPosition,
  type NamedFeedPosition,
} from '../../db/events/list-changes.ts';
import { openCursor, sealCursor } from '../../db/events/feed-cursors.ts';
import { invalidField } from '../../domain/errors.ts';
import { ChangeFeed, FEED_KINDS, FROM_NOW, ListChangesQuery } from '../../domain/events/feed.ts';
import type { Database } from '../../db/database.ts';
import { defineEndpoint } from '../endpoint.ts';

const DEFAULT_LIMIT = 100;

export const listChangesEndpoint = defineEndpoint({
  operationId: 'listChanges',
  method: 'GET',
  path: '/events',
  auth: 'TENANT',
  audit: 'WATCH',
  limit: 'READS',
  tag: 'Events',
  summary: 'Follow every change',
  description:
    "All changes of the tenant's records in order, without personal data. A client that was offline reads on from its last " +
    'cursor and misses nothing, even without webhooks. If nothing is new, the list is empty and the cursor stays the same. ' +
    'With `_after=latest` a client begins with what comes from now on. The audit log has no entries of users who ask here.',
  query: ListChangesQuery,
  responses: { 200: { description: 'The next changes.', schema: ChangeFeed } },
  errors: [],
  async handle({ query, caller }, { db }) {
    const { tenantId } = caller;
    const cursorOf = (position: FeedPosition): string => sealCursor(db.vault, tenantId, position);
    if (query._after === FROM_NOW) {
      const last = await findLastPosition(db.pool, tenantId);
      return { status: 200, body: { events: [], nextCursor: last ? cursorOf(last) : null } };
    }
    const start = query._after === undefined ? null : await positionOf(db, tenantId, query._after);
    const changes = await listChanges(db.pool, tenantId, start, query._limit ?? DEFAULT_LIMIT);
    const events = changes.map((change) => viewChange(change, cursorOf(change.position)));
    return { status: 200, body: { events, nextCursor: events.at(-1)?.cursor ?? query._after ?? null } };
  },
});

function viewChange(change: FeedEntry, cursor: string): ChangeFeed['events'][number] {
  return {
    cursor,
    kind: FEED_KINDS[change.subjectKind],
    id: change.subjectId,
    version: change.version,
    type: change.type,
    time: change.createdAt.toISOString(),
  };
}

/**
 * Cursors of before they were sealed have four numbers in plain text, earlier ones three, and the first of all two. They count
 * for changes of that time alone: by others a client could try out places until it has found those of its changes.
 */
const PLAIN_CURSOR = /^(?:(\d{1,9})\.)?(\d{1,19})\.(\d{1,15})(?:\.([0-9a-f]{12}))?$/;

function plainPositionOf(cursor: string): NamedFeedPosition | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, epoch, xid, position, tag] = PLAIN_CURSOR.exec(text) ?? [];
  if (xid === undefined || Buffer.from(text).toString('base64url') !== cursor) return undefined;
  return {
    epoch: epoch === undefined ? null : Number(epoch),
    xid,
    position: Number(position),
    tag: tag ?? null,
    isPlain: true,
  };
}

/** The position that a cursor names. Throws validation_failed unless the tenant was given it, for the same change. */
async function positionOf(db: Database, tenantId: string, cursor: string): Promise<FeedPosition> {
  const sealed = openCursor(db.vault, tenantId, cursor);
  const named = sealed ? { ...sealed, isPlain: false } : plainPositionOf(cursor);
  const found = named && (await findFeedPosition(db.pool, tenantId, named));
  if (!found) throw invalidField('/_after', 'unknown_cursor', 'This is no cursor of this feed.');
  return found;
}
