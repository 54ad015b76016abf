import { hostOf } from '../../domain/webhooks/endpoint-url.ts';
import { type Database } from '../database.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { countOutcome } from '../metrics/webhook-outcome.ts';
import {
  endpointOwner,
  toProgress,
  type DeliveryProgress,
  type OutgoingDelivery,
  type ProgressRow,
} from './outgoing-delivery.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, WEBHOOKS } from '../statistics/measures.ts';

/** The result of one attempt. */
export interface AttemptResult {
  startedAt: Date;
  endedAt: Date;
  durationMs: number;
  statusCode: number | null;
  /** Null after a success. */
  error: string | null;
  /** The time of the next attempt; null after the last one. */
  retryAt: Date | null;
  /** The outbox entry that would start the delivery's own workflow; it is removed after a success. */
  outboxId?: number | undefined;
}

// Compares and sets the number of attempts: when the same attempt was made twice, the first one to be written counts.
// A redelivery that was requested meanwhile stays due, whatever the result of this attempt.
const RECORD = `
  with logged as (
    insert into webhook_attempts (delivery_id, attempt, tenant_id, started_at, duration_ms, status_code, error)
    values ($2, $3 + 1, $1, $5, $6, $7, $8) on conflict do nothing
  ), moved as (
    update webhook_deliveries set
      attempts = $3 + 1,
      last_error = $8,
      leased_until = null,
      status = case when schedule_from = $4 then $9 else status end,
      wake_at = case when schedule_from = $4 then $10 else wake_at end,
      finished_at = case when schedule_from = $4 then $11 else finished_at end
    where tenant_id = $1 and id = $2 and attempts = $3 and status in ('PENDING', 'FAILED')
    returning attempts, schedule_from, last_error, wake_at, ${countedColumns(WEBHOOKS)}
  ), ended as (${deltasSql(WEBHOOKS, { added: 'moved' })}
  ), started as (
    delete from outbox where id = $12 and $9 = 'DELIVERED'
  ), ${countOutcome('lower($9)')}
  select status, attempts, schedule_from, last_error, wake_at from moved`;

/** Logs an attempt and updates the delivery; undefined when another worker has updated it. */
export async function recordAttempt(
  db: Queryable,
  delivery: OutgoingDelivery,
  result: AttemptResult,
): Promise<DeliveryProgress | undefined> {
  const status = result.error === null ? 'DELIVERED' : result.retryAt ? 'FAILED' : 'GAVE_UP';
  const { rows } = await db.query<ProgressRow>({
    name: 'record-webhook-attempt',
    text: RECORD,
    values: [
      delivery.tenantId,
      delivery.id,
      delivery.attempts,
      delivery.scheduleFrom,
      result.startedAt,
      result.durationMs,
      result.statusCode,
      result.error,
      status,
      status === 'FAILED' ? result.retryAt : null,
      status === 'FAILED' ? null : result.endedAt,
      result.outboxId ?? null,
    ],
  });
  return rows[0] && toProgress(rows[0]);
}

/**
 * Logs an attempt that was answered with 410 Gone: disables the webhook URL of its owner, which a mail tells a tenant, and ends
 * the delivery. When the owner has another URL by now, or has set the same one again since the attempt began, it stays enabled
 * and the delivery is tried there.
 */
export async function recordGone(
  db: Database,
  delivery: OutgoingDelivery,
  result: AttemptResult,
): Promise<DeliveryProgress | undefined> {
  await db.vault.tenantKeys(delivery.tenantId);
  return await inTransaction(db.pool, async (tx) => {
    const { rows } = await tx.query<{ set_at: Date | null }>(
      `update ${delivery.partnerId === null ? 'tenants' : 'partners'} set webhook_status = 'DISABLED', updated_at = $3
       where id = $1 and webhook_url = $2 and (webhook_set_at is null or webhook_set_at <= $4)
       returning webhook_set_at as set_at`,
      [endpointOwner(delivery), delivery.webhookUrl, result.endedAt, result.startedAt],
    );
    const disabled = rows[0];
    if (!disabled) return await recordAttempt(tx, delivery, result);
    if (delivery.partnerId === null)
      await queueNotice(db, tx, {
        tenantId: delivery.tenantId,
        notice: { kind: 'WEBHOOK_DISABLED', host: hostOf(delivery.webhookUrl) ?? '' },
        // Requests under way at once may all be answered with 410.
        once: disabled.set_at?.toISOString() ?? delivery.tenantId,
        now: result.endedAt,
      });
    return await recordAttempt(tx, delivery, { ...result, retryAt: null });
  });
}
