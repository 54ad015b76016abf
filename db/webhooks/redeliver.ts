import { DomainError } from '../../domain/errors.ts';
import type { DeliveryRecord } from '../../domain/webhooks/schema.ts';
import type { Queryable } from '../postgres.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';
import { getDelivery } from './get-delivery.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, WEBHOOKS } from '../statistics/measures.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { webhookEntry } from './webhook-entry.ts';

const REDELIVER = `
  with before as (
    select id, ${countedColumns(WEBHOOKS)} from webhook_deliveries
    where tenant_id = $1 and id = $2 and status <> 'PENDING' and body is not null and partner_id is null for update
  ), moved as (
    update webhook_deliveries d
    set status = 'PENDING', last_error = null, wake_at = $3, finished_at = null, schedule_from = attempts
    from before where d.tenant_id = $1 and d.id = before.id
    returning d.id
  ), counted as (${deltasSql(WEBHOOKS, { removed: 'before' })})
  select id from moved`;

/**
 * Makes a delivery due now, with a new retry schedule; its event id and number of attempts stay. A delivery that
 * waits for its first attempt is not changed. Throws not_found, conflict.
 */
export async function redeliver(
  tx: Queryable,
  tenantId: string,
  id: string,
  now: Date,
): Promise<{ delivery: DeliveryRecord; outbox: OutboxEntry[] }> {
  const { rowCount } = await tx.query(REDELIVER, [tenantId, id, now]);
  const delivery = await getDelivery(tx, tenantId, id);
  await requireBody(tx, delivery);
  await requireEndpoint(tx, tenantId);
  return {
    delivery,
    outbox: rowCount === 1 ? await insertOutboxEntries(tx, [webhookEntry(delivery)], now) : [],
  };
}

/** Throws conflict when the body was deleted because its retention time is over. */
async function requireBody(tx: Queryable, { tenantId, id }: DeliveryRecord): Promise<void> {
  const { rowCount } = await tx.query(
    'select 1 from webhook_deliveries where tenant_id = $1 and id = $2 and body is null',
    [tenantId, id],
  );
  if (rowCount === 0) return;
  throw new DomainError(
    'conflict',
    'The body of this webhook has been deleted: read the record that it was about.',
  );
}
