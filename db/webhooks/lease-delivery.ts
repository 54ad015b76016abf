import { webhooksHeldBack } from '../brakes/find-brake.ts';
import type { Queryable } from '../postgres.ts';
import {
  OUTGOING_DELIVERY,
  toOutgoing,
  type OutgoingDelivery,
  type OutgoingRow,
} from './outgoing-delivery.ts';

/** Longer than an attempt takes, writing its result included. */
const LEASE_SECONDS = 15;

// The time of the database decides, since workers' clocks differ. The row of the delivery is read as it was before.
const LEASE = `
  with leased as (
    update webhook_deliveries set leased_until = now() + interval '${LEASE_SECONDS} seconds'
    where id = $1 and status in ('PENDING', 'FAILED') and (wake_at is null or wake_at <= $2 or $3)
      and (leased_until is null or leased_until <= now())
      and (partner_id is not null or not exists (
        select from tenants t where t.id = webhook_deliveries.tenant_id and t.suspended_at is not null)
        and not ${webhooksHeldBack('webhook_deliveries.tenant_id')})
    returning id
  ), found as (${OUTGOING_DELIVERY})
  select found.*, exists (select 1 from leased) as is_leased from found`;

interface LeaseInput {
  id: string;
  now: Date;
  /** Leases the delivery although its next attempt is not due yet. */
  atOnce: boolean;
}

/**
 * Reads a delivery by id alone, for workflows, and leases it for 15 seconds if it is due, its tenant is not suspended, no brake
 * holds its webhooks back and nobody else has leased it.
 * Whoever has leased it may make its next attempt, whose result ends the lease. Undefined when there is no such delivery.
 */
export async function leaseDelivery(
  db: Queryable,
  { id, now, atOnce }: LeaseInput,
): Promise<{ delivery: OutgoingDelivery; isLeased: boolean } | undefined> {
  const { rows } = await db.query<OutgoingRow & { is_leased: boolean }>({
    name: 'lease-webhook-delivery',
    text: LEASE,
    values: [id, now, atOnce],
  });
  return rows[0] && { delivery: toOutgoing(rows[0]), isLeased: rows[0].is_leased };
}

/** Ends the lease of an attempt that was cut, so that the next worker makes it at once. */
export async function endLease(db: Queryable, { tenantId, id, attempts }: OutgoingDelivery): Promise<void> {
  await db.query(
    'update webhook_deliveries set leased_until = null where tenant_id = $1 and id = $2 and attempts = $3',
    [tenantId, id, attempts],
  );
}
