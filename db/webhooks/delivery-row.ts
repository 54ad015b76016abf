import { KEPT_SECONDS } from '../../domain/retention.ts';
import type { DeliveryKind, DeliveryRecord, DeliveryStatus } from '../../domain/webhooks/schema.ts';

export interface DeliveryRow {
  id: string;
  tenant_id: string;
  kind: DeliveryKind;
  resource_id: string;
  resource_version: number;
  status: DeliveryStatus;
  attempts: number;
  last_error: string | null;
  wake_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
  attempt_log: AttemptJson[];
}

/** An attempt as PostgreSQL returns it in JSON. */
interface AttemptJson {
  attempt: number;
  started_at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
}

const LOG_LIMIT = 100;

/** SQL: attempts that are past their time are not shown while they wait for their month to be removed. */
export const SHOWN_ATTEMPT = `started_at >= now() - make_interval(secs => ${KEPT_SECONDS.webhookAttempts})`;

/** SQL: the columns of `webhook_deliveries d` without the body, and its latest 100 attempts. */
export const DELIVERY_COLUMNS = `d.id, d.tenant_id, d.kind, d.resource_id, d.resource_version, d.status, d.attempts,
  d.last_error, d.wake_at, d.created_at, d.finished_at,
  (select coalesce(json_agg(a order by a.attempt), '[]') from (
     select attempt, started_at, status_code, duration_ms, error from webhook_attempts
     where delivery_id = d.id and ${SHOWN_ATTEMPT} order by attempt desc limit ${LOG_LIMIT}
   ) a) as attempt_log`;

export function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    resourceId: row.resource_id,
    resourceVersion: row.resource_version,
    status: row.status,
    attempts: row.attempts,
    lastError: row.last_error,
    nextAttemptAt: row.wake_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    attemptLog: row.attempt_log.map((attempt) => ({
      attempt: attempt.attempt,
      startedAt: new Date(attempt.started_at),
      statusCode: attempt.status_code,
      durationMs: attempt.duration_ms,
      error: attempt.error,
    })),
  };
}
