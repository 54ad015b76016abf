import { notFound } from '../../domain/errors.ts';
import type { ResendWebhooksBody, ResentWebhooks } from '../../domain/webhooks/schema.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, WEBHOOKS } from '../statistics/measures.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { webhookEntry } from './webhook-entry.ts';

/** Far more webhooks than a transaction has, unless its data is changed again and again. */
const LIMIT = 100;

// What a sealed record hides is not sent again either; `masked` bodies show nothing of it. Rows are locked in the order in
// which `redeliverRange` locks them, so that the two cannot deadlock.
const RESEND = `
  with record as (
    select id, sealed from transactions where tenant_id = $1 and id = $2 and deleted_at is null
  ), latest as (
    select d.id from webhook_deliveries d join record r on d.resource_kind = 'TRANSACTION' and d.resource_id = r.id
    where d.tenant_id = $1 and d.partner_id is null and d.status = any($3::text[]) and d.body is not null and (d.masked or not r.sealed)
    order by d.resource_version desc, d.id desc limit ${LIMIT}
  ), chosen as (
    select d.id, ${countedColumns(WEBHOOKS, 'd')} from webhook_deliveries d
    where d.tenant_id = $1 and d.id in (select id from latest) and d.status = any($3::text[])
    order by d.created_at for update
  ), moved as (
    update webhook_deliveries d
    set status = 'PENDING', last_error = null, wake_at = $4, finished_at = null, schedule_from = attempts
    from chosen where d.id = chosen.id and d.tenant_id = $1
    returning d.id, d.kind, d.resource_version
  ), counted as (${deltasSql(WEBHOOKS, { removed: 'chosen' })})
  select r.id as record_id, m.id, m.kind from record r left join moved m on true order by m.resource_version, m.id`;

interface ResentRow {
  record_id: string;
  id: string | null;
  kind: string | null;
}

/**
 * Makes the webhooks of a transaction due now, each with a new retry schedule; event ids and numbers of attempts stay.
 * Takes the latest 100. Throws not_found, conflict.
 */
export async function resendOfTransaction(
  tx: Queryable,
  { tenantId, id, status }: { tenantId: string; id: string } & ResendWebhooksBody,
  now: Date,
): Promise<{ resent: ResentWebhooks; outbox: OutboxEntry[] }> {
  const { rows } = await tx.query<ResentRow>(RESEND, [tenantId, id, status, now]);
  if (rows.length === 0) throw notFound('transaction');
  await requireEndpoint(tx, tenantId);
  const entries = rows.flatMap(({ record_id: resourceId, ...row }) =>
    row.id !== null && row.kind !== null
      ? [webhookEntry({ id: row.id, tenantId, kind: row.kind, resourceId })]
      : [],
  );
  return {
    resent: { count: entries.length, eventIds: entries.map((entry) => entry.subjectId) },
    outbox: await insertOutboxEntries(tx, entries, now),
  };
}
