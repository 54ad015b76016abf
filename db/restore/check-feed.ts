import type { Queryable } from '../postgres.ts';

/** SQL: whether a table of the feed has a change of the tenant `t` that is not shown. */
const hidesOne = (table: 'events' | 'feed_entries') => `exists (
  select 1 from ${table} e where e.tenant_id = t.id
    and (e.epoch, e.xid) >= (present_feed_epoch(), pg_snapshot_xmin(pg_current_snapshot())))`;

/**
 * Ids of the tenants whose change feed hides a restored change. A feed shows what was written before the oldest
 * transaction that is still open; a database that was restored into another PostgreSQL must have begun a new epoch, or
 * changes that were numbered by the old one would never be reached.
 */
export async function findHiddenChanges(db: Queryable): Promise<string[]> {
  await db.query('select take_feed_epoch()');
  const { rows } = await db.query<{ id: string }>(
    `select id from tenants t where ${hidesOne('events')} or ${hidesOne('feed_entries')} order by id`,
  );
  return rows.map(({ id }) => id);
}
