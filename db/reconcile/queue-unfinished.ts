import type { Queryable } from '../postgres.ts';
import { WAITING_ENTRIES } from '../outbox.ts';
import {
  IS_OVERDUE,
  needsWorkflow,
  UNFINISHED_ROWS,
  type UnfinishedKind,
  type UnfinishedRows,
} from './unfinished-rows.ts';

/** Queueing more than this is useless: it is work for the relay for a minute. */
const OUTBOX_FULL = 10_000;

/** Number of rows that may be queued now. */
export async function outboxRoom(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ used: number }>(
    `select count(*)::int as used from (select 1 from ${WAITING_ENTRIES} limit $1) used`,
    [OUTBOX_FULL],
  );
  return OUTBOX_FULL - (rows[0]?.used ?? 0);
}

/** A position in the order of wake_at and id. */
export interface UnfinishedCursor {
  wakeAt: Date | '-infinity';
  id: string;
}

export const FIRST_CURSOR: UnfinishedCursor = {
  wakeAt: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
};

interface TimeRange {
  /** True: only rows that are overdue by a minute; false: all unfinished rows. */
  overdue: boolean;
  cursor: UnfinishedCursor;
}

export interface QueuedPage {
  queued: number;
  last: UnfinishedCursor | undefined;
}

/**
 * Inserts outbox rows for up to `limit` unfinished rows that have none, the most urgent first. The relay starts their
 * workflows; a workflow that is running only reads its row again.
 */
export async function queueUnfinished(
  db: Queryable,
  kind: UnfinishedKind,
  { overdue, cursor }: TimeRange,
  limit: number,
): Promise<QueuedPage> {
  const unfinished: UnfinishedRows = UNFINISHED_ROWS[kind];
  const { table, workflow, summary, resource = 'null::uuid', owner = 'r.tenant_id' } = unfinished;
  const { rows } = await db.query<{ wake_at: Date; id: string }>(
    `with page as (
       select ${owner} as tenant_id, r.id, r.wake_at, ${summary} as summary, ${resource} as resource_id
       from ${table} r
       where r.wake_at >= $1::timestamptz and (r.wake_at, r.id) > ($1::timestamptz, $2::uuid)
         ${overdue ? `and ${IS_OVERDUE}` : ''}
         and ${needsWorkflow(unfinished)}
         and not exists (select 1 from outbox o where o.subject_id = r.id)
       order by r.wake_at, r.id limit $3
     ), queued as (
       insert into outbox (tenant_id, workflow, subject_id, summary, resource_id, due_at)
       select tenant_id, '${workflow}', id, summary, resource_id, now() from page
     )
     select wake_at, id from page order by wake_at, id`,
    [cursor.wakeAt, cursor.id, limit],
  );
  const last = rows.at(-1);
  return { queued: rows.length, last: last && { wakeAt: last.wake_at, id: last.id } };
}
