import type { RedeliverRangeBody, RedeliveredRange } from '../../domain/webhooks/schema.ts';
import type { Queryable } from '../postgres.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, WEBHOOKS } from '../statistics/measures.ts';
import { requireEndpoint } from './require-endpoint.ts';

/** Maximum deliveries per call: about a second of one transaction. */
const LIMIT = 10_000;

/** Far below the capacity of the relay, which reads the oldest due rows: one range must not fill its batch. */
const PER_SECOND = 50;

// `with ties`, since times have whole milliseconds: the next call can begin right after the last one. New turns start
// after those of an earlier call. created_at of an outbox row is the time since when it waits, and it does not wait
// before its turn.
const REDELIVER = `
  with chosen as (
    select id, ${countedColumns(WEBHOOKS)} from webhook_deliveries
    where tenant_id = $1 and created_at between $2 and $3 and status = any($4::text[]) and body is not null
      and partner_id is null
    order by created_at fetch first ${LIMIT} rows with ties for update
  ), turns as (
    select id, row_number() over (order by created_at, id) - 1 as place from chosen
  ), start as materialized (
    select greatest($5::timestamptz, max(wake_at)) as at from webhook_deliveries
    where tenant_id = $1 and status = 'PENDING'
  ), moved as (
    update webhook_deliveries d
    set status = 'PENDING', last_error = null, finished_at = null, schedule_from = attempts,
      wake_at = start.at + turns.place * interval '1 second' / ${PER_SECOND}
    from turns, start where d.tenant_id = $1 and d.id = turns.id
    returning d.tenant_id, d.id, d.kind, d.resource_id, d.wake_at
  ), counted as (${deltasSql(WEBHOOKS, { removed: 'chosen' })}
  ), queued as (
    insert into outbox (tenant_id, workflow, subject_id, summary, resource_id, due_at, created_at)
    select tenant_id, 'webhookDelivery', id, 'Webhook ' || kind, resource_id, wake_at, wake_at from moved order by wake_at
  )
  select count(*)::int as count, max(created_at) as last from chosen`;

/**
 * Makes the deliveries created between `from` and `to` (both included) due again, oldest first, at most 50 per second
 * and 10,000 per call. Each is sent when its endpoint has a free turn. Throws conflict.
 */
export async function redeliverRange(
  tx: Queryable,
  tenantId: string,
  { from, to, status }: RedeliverRangeBody,
  now: Date,
): Promise<RedeliveredRange> {
  await requireEndpoint(tx, tenantId);
  const { rows } = await tx.query<{ count: number; last: Date | null }>(REDELIVER, [
    tenantId,
    from,
    to,
    status,
    now,
  ]);
  const { count = 0, last = null } = rows[0] ?? {};
  const nextFrom = last && count >= LIMIT ? new Date(last.getTime() + 1) : null;
  return { count, nextFrom: nextFrom && nextFrom <= to ? nextFrom.toISOString() : null };
}
