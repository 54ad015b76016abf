import { addMs, HOUR_MS } from '../../domain/durations.ts';
import { DomainError } from '../../domain/errors.ts';
import { MOST_A_DAY, MOST_AT_ONCE, type ExportRecord } from '../../domain/exports/export.ts';
import { insertRow } from '../columns.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { lockRoutes } from '../routes/route-lock.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

/** Time before the sweep takes up an export whose workflow is lost: longer than an attempt may take. */
export const TURN_MS = 2 * HOUR_MS;

/** Stores an export that is to be made. Throws rate_limited where too many are made, or were asked for in 24 hours. */
export async function insertExport(
  tx: Queryable,
  record: ExportRecord,
  keys: TenantKeys,
): Promise<OutboxEntry[]> {
  const { id, tenantId, resource, format, filter, requestedBy, createdAt } = record;
  // One after another, so that the count is right.
  await lockRoutes(tx, [`exports:${tenantId}`]);
  await requireFew(tx, record);
  const row = {
    id,
    tenant_id: tenantId,
    resource,
    format,
    sealed_filter: keys.seal(sealingContext.export.filter(tenantId, id), filter),
    purpose: keys.seal(sealingContext.export.purpose(tenantId, id), record.purpose),
    requested_by_kind: requestedBy.kind,
    requested_by: requestedBy.id,
    state: 'MAKING',
    created_at: createdAt,
    wake_at: addMs(createdAt, TURN_MS),
  };
  await tx.query(insertRow('exports', row));
  const summary = `Export of ${resource} as ${format}`;
  const entry = { tenantId, workflow: 'dataExport', subjectId: id, summary } as const;
  return await insertOutboxEntries(tx, [entry], createdAt);
}

async function requireFew(tx: Queryable, { tenantId, createdAt }: ExportRecord): Promise<void> {
  const { rows } = await tx.query<{ making: number; today: number }>(
    `select count(*) filter (where state = 'MAKING')::int as making,
       count(*) filter (where created_at > $2)::int as today
     from exports where tenant_id = $1`,
    [tenantId, addMs(createdAt, -24 * HOUR_MS)],
  );
  const { making = 0, today = 0 } = rows[0] ?? {};
  if (making >= MOST_AT_ONCE)
    throw new DomainError('rate_limited', `${MOST_AT_ONCE} exports are being made: wait for one of them.`, {
      retryAfterSeconds: 60,
    });
  if (today >= MOST_A_DAY)
    throw new DomainError('rate_limited', `${MOST_A_DAY} exports were asked for in the last 24 hours.`, {
      retryAfterSeconds: 3_600,
    });
}
