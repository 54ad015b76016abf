import type { BrakeKind } from '../../domain/brakes/brake.ts';
import type { Queryable } from '../postgres.ts';

/** A brake whose release is under way. */
export interface OpenRelease {
  id: string;
  tenantId: string;
  kind: BrakeKind;
  perSecond: number;
  resumed: number;
}

/** A brake by its id alone, for workflows; undefined unless its release is under way. */
export async function findOpenRelease(db: Queryable, id: string): Promise<OpenRelease | undefined> {
  const { rows } = await db.query<OpenRelease>(
    `select id, tenant_id as "tenantId", kind, per_second as "perSecond", resumed
     from brakes where id = $1 and released_at is not null and finished_at is null`,
    [id],
  );
  return rows[0];
}

interface PausedMessage {
  tenantId: string;
  id: string;
}

/** The oldest messages that wait for the end of the brake. */
export async function findOldestPaused(
  db: Queryable,
  { id, perSecond }: OpenRelease,
): Promise<PausedMessage[]> {
  const { rows } = await db.query<PausedMessage>(
    `select id, tenant_id as "tenantId" from transactions
     where paused_by = $1 and status = 'PENDING' and deleted_at is null order by created_at, id limit $2`,
    [id, perSecond],
  );
  return rows;
}

// The place is stored with the entries, so that a repeat goes on behind them.
const QUEUE = `
  with due as (
    select d.id, d.kind, d.resource_id, d.created_at from webhook_deliveries d join brakes b on b.id = $1
    where d.tenant_id = b.tenant_id and d.partner_id is null and d.status in ('PENDING', 'FAILED')
      and d.created_at <= b.released_at
      and (b.cursor_at is null or (d.created_at, d.id) > (b.cursor_at, b.cursor_id))
    order by d.created_at, d.id limit $2
  ), queued as (
    insert into outbox (tenant_id, workflow, subject_id, summary, resource_id, due_at)
    select $3, 'webhookDelivery', due.id, 'Webhook ' || due.kind, due.resource_id, $4
    from due where not exists (select from outbox o where o.subject_id = due.id) order by due.created_at, due.id
  ), reached as (
    select created_at, id from due order by created_at desc, id desc limit 1
  ), moved as (
    update brakes b set cursor_at = reached.created_at, cursor_id = reached.id from reached where b.id = $1
  )
  select count(*)::int as taken from due`;

/** Queues the oldest webhooks that the brake has held back, behind those that were queued before. Returns how many. */
export async function queueOldestWebhooks(
  tx: Queryable,
  { id, tenantId, perSecond }: OpenRelease,
  now: Date,
): Promise<number> {
  const { rows } = await tx.query<{ taken: number }>(QUEUE, [id, perSecond, tenantId, now]);
  return rows[0]?.taken ?? 0;
}

/** Counts what was taken up. With none left the release has ended. */
export async function countResumed(
  db: Queryable,
  id: string,
  { resumed, isDone, now }: { resumed: number; isDone: boolean; now: Date },
): Promise<void> {
  await db.query(
    `update brakes set resumed = resumed + $2, wake_at = case when $3 then null else $4::timestamptz end,
       finished_at = case when $3 then $4 else finished_at end
     where id = $1 and released_at is not null and finished_at is null`,
    [id, resumed, isDone, now],
  );
}
