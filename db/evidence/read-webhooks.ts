import { viewDelivery, type WebhookDelivery } from '../../domain/webhooks/schema.ts';
import type { Queryable } from '../postgres.ts';
import { SHOWN_ATTEMPT, toDelivery, type DeliveryRow } from '../webhooks/delivery-row.ts';
import { inBatches } from './in-batches.ts';

const BATCH = 500;

interface RecordRef {
  tenantId: string;
  id: string;
}

/** The webhooks of a record to its tenant, oldest first; their attempts are read apart. */
export async function* readDeliveries(
  db: Queryable,
  { tenantId, id }: RecordRef,
): AsyncGenerator<Omit<WebhookDelivery, 'attemptLog'>> {
  type Row = Omit<DeliveryRow, 'attempt_log'>;
  const rows = inBatches<Row>(BATCH, async (last, size) => {
    const { rows: batch } = await db.query<Row>(
      `select id, tenant_id, kind, resource_id, resource_version, status, attempts, last_error, wake_at, created_at,
         finished_at
       from webhook_deliveries
       where tenant_id = $1 and resource_id = $2 and partner_id is null and ($3::uuid is null or id > $3)
       order by id limit $4`,
      [tenantId, id, last?.id ?? null, size],
    );
    return batch;
  });
  for await (const row of rows) {
    const { attemptLog: _, ...delivery } = viewDelivery(toDelivery({ ...row, attempt_log: [] }));
    yield delivery;
  }
}

/** An attempt to deliver a webhook. */
export interface DeliveryAttempt {
  deliveryId: string;
  attempt: number;
  startedAt: string;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

interface AttemptRow {
  delivery_id: string;
  attempt: number;
  started_at: Date;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
}

/** All attempts to deliver the webhooks of a record, by webhook, oldest first. */
export async function* readAttempts(
  db: Queryable,
  { tenantId, id }: RecordRef,
): AsyncGenerator<DeliveryAttempt> {
  const rows = inBatches<AttemptRow>(BATCH, async (last, size) => {
    const { rows: batch } = await db.query<AttemptRow>(
      `select a.delivery_id, a.attempt, a.started_at, a.status_code, a.duration_ms, a.error
       from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id
       where d.tenant_id = $1 and d.resource_id = $2 and d.partner_id is null and a.${SHOWN_ATTEMPT}
         and ($3::uuid is null or (a.delivery_id, a.attempt) > ($3, $4::int))
       order by a.delivery_id, a.attempt limit $5`,
      [tenantId, id, last?.delivery_id ?? null, last?.attempt ?? null, size],
    );
    return batch;
  });
  for await (const row of rows) {
    yield {
      deliveryId: row.delivery_id,
      attempt: row.attempt,
      startedAt: row.started_at.toISOString(),
      statusCode: row.status_code,
      durationMs: row.duration_ms,
      error: row.error,
    };
  }
}
