import type { GiveUpReason } from '../../domain/webhooks/schema.ts';
import type { Queryable } from '../postgres.ts';
import { countOutcome } from '../metrics/webhook-outcome.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, WEBHOOKS } from '../statistics/measures.ts';
import type { OutgoingDelivery } from './outgoing-delivery.ts';

/** Ends a delivery without an attempt, unless it has changed meanwhile. */
export async function giveUpDelivery(
  db: Queryable,
  { tenantId, id, attempts, scheduleFrom }: OutgoingDelivery,
  reason: GiveUpReason,
  now: Date,
): Promise<void> {
  await db.query(
    `with moved as (
       update webhook_deliveries set status = 'GAVE_UP', last_error = $5, wake_at = null, leased_until = null, finished_at = $6
       where tenant_id = $1 and id = $2 and attempts = $3 and schedule_from = $4 and status in ('PENDING', 'FAILED')
       returning id, ${countedColumns(WEBHOOKS)}
     ), ended as (${deltasSql(WEBHOOKS, { added: 'moved' })}
     ), ${countOutcome(`'gave_up'`)}
     select id from moved`,
    [tenantId, id, attempts, scheduleFrom, reason, now],
  );
}
