import type { Queryable } from '../postgres.ts';
import type { OutgoingDelivery } from './outgoing-delivery.ts';

/**
 * Stores the turn that a delivery was given at a busy endpoint, so that no other is requested before, and ends its lease.
 */
export async function postponeDelivery(
  db: Queryable,
  { tenantId, id, attempts, scheduleFrom }: OutgoingDelivery,
  until: Date,
): Promise<void> {
  await db.query(
    `update webhook_deliveries set wake_at = $5, leased_until = null
     where tenant_id = $1 and id = $2 and attempts = $3 and schedule_from = $4 and status in ('PENDING', 'FAILED')`,
    [tenantId, id, attempts, scheduleFrom, until],
  );
}
