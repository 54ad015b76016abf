import {
  findFeedPosition,
  findLastPosition,
  listChanges,
  type FeedEntry,
  type FeedPosition,
} from '../../db/events/list-changes.ts';
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
    if (query._after === FROM_NOW) {
      const last = await findLastPosition(db.pool, caller.tenantId);
      return { status: 200, body: { events: [], nextCursor: last ? cursorOf(last) : null } };
    }
    const start = query._after === undefined ? null : await positionOf(db, caller.tenantId, query._after);
    const changes = await listChanges(db.pool, caller.tenantId, start, query._limit ?? DEFAULT_LIMIT);
    const last = changes.at(-1);
    const nextCursor = last ? cursorOf(last.position) : (query._after ?? null);
    return { status: 200, body: { events: changes.map(viewChange), nextCursor } };
  },
});

function viewChange(change: FeedEntry): ChangeFeed['events'][number] {
  return {
    cursor: cursorOf(change.position),
    kind: FEED_KINDS[change.subjectKind],
    id: change.subjectId,
    version: change.version,
    type: change.type,
    time: change.createdAt.toISOString(),
  };
}

function cursorOf({ epoch, xid, position, tag }: FeedPosition): string {
  return cursorText([epoch, xid, position, tag]);
}

function cursorText(parts: readonly (string | number)[]): string {
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** Cursors of before there were epochs have two numbers, those of before there were tags have three. */
const CURSOR = /^(?:(\d{1,9})\.)?(\d{1,19})\.(\d{1,15})(?:\.([0-9a-f]{12}))?$/;

/** The position that a cursor names. Throws validation_failed unless the tenant was given it, for the same change. */
async function positionOf(db: Database, tenantId: string, cursor: string): Promise<FeedPosition> {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, epoch, xid, position, tag] = CURSOR.exec(text) ?? [];
  const isCanonical = cursorText([text]) === cursor;
  const named = {
    epoch: epoch === undefined ? null : Number(epoch),
    xid: xid ?? '',
    position: Number(position),
    tag: tag ?? null,
  };
  const found = xid && isCanonical ? await findFeedPosition(db.pool, tenantId, named) : undefined;
  if (!found) throw invalidField('/_after', 'unknown_cursor', 'This is no cursor of this feed.');
  return found;
}
