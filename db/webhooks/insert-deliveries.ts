import type { DeliveryKind } from '../../domain/webhooks/schema.ts';
import type { Queryable } from '../postgres.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, WEBHOOKS } from '../statistics/measures.ts';
import { newId } from '../new-id.ts';
import { OUTBOX_COLUMNS, toOutboxEntry, type OutboxRow, type OutboxEntry } from '../outbox.ts';
import { unnestRows, unnestValues, type Column } from '../columns.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';

/** The kind of record that a webhook is about. */
export type ResourceKind = 'TRANSACTION' | 'VERIFICATION' | 'CLAIM' | 'TENANT';
const RESOURCE_KINDS = {
  transaction: 'TRANSACTION',
  'wallet-verification': 'VERIFICATION',
  claim: 'CLAIM',
  seal: 'TENANT',
  reconciliation: 'TENANT',
} as const satisfies Partial<Record<DeliveryKind, ResourceKind>>;

/** A webhook to be stored: the state of a changed record, the seal of a day, or a reconciliation. */
export interface NewDelivery {
  kind: keyof typeof RESOURCE_KINDS;
  tenantId: string;
  resourceId: string;
  resourceVersion: number;
  /** True when the body shows nothing that must be withheld once the record is hidden or deleted. */
  masked: boolean;
  /** The record's own key, or the keys of the tenant. */
  key: Pick<RecordKey, 'seal'>;
  body: unknown;
}

interface SealedDelivery extends Omit<NewDelivery, 'body'> {
  id: string;
  body: Buffer;
}

const columns: Column<SealedDelivery>[] = [
  { name: 'id', type: 'uuid', value: (row) => row.id },
  { name: 'tenant_id', type: 'uuid', value: (row) => row.tenantId },
  { name: 'kind', type: 'text', value: (row) => row.kind },
  { name: 'resource_kind', type: 'text', value: (row) => RESOURCE_KINDS[row.kind] },
  { name: 'resource_id', type: 'uuid', value: (row) => row.resourceId },
  { name: 'resource_version', type: 'int', value: (row) => row.resourceVersion },
  { name: 'masked', type: 'boolean', value: (row) => row.masked },
  { name: 'body', type: 'bytea', value: (row) => row.body },
];

/** SQL: the state of the endpoint, which a gateway of a partner does not have itself. */
const STATUS = 'coalesce(t.webhook_status, p.webhook_status)';

/**
 * SQL: stores deliveries (`made`) and the outbox rows that start them (`delivery_entries`), as parts of one statement
 * whose parameters from `first` on are `deliveryValues`. A tenant or partner without a webhook URL gets none; for one whose
 * URL answered 410 they are stored for a later redelivery.
 */
export function deliveryParts(first: number): string {
  const now = `$${first + columns.length}::timestamptz`;
  return `
  made as (
    insert into webhook_deliveries
      (id, tenant_id, partner_id, kind, resource_kind, resource_id, resource_version, masked, body, status, last_error, wake_at,
       created_at, finished_at)
    select r.id, r.tenant_id, p.id, r.kind, r.resource_kind, r.resource_id, r.resource_version, r.masked, r.body,
      case when ${STATUS} = 'DISABLED' then 'GAVE_UP' else 'PENDING' end,
      case when ${STATUS} = 'DISABLED' then 'ENDPOINT_DISABLED' end,
      case when ${STATUS} = 'DISABLED' then null else ${now} end,
      ${now},
      case when ${STATUS} = 'DISABLED' then ${now} end
    from ${unnestRows(columns, first)} join tenants t on t.id = r.tenant_id
      left join partners p on t.gateway = 'PARTNER' and p.id = t.id
    where coalesce(t.webhook_url, p.webhook_url) is not null
    returning id, kind, resource_id, ${countedColumns(WEBHOOKS)}
  ), counted_deliveries as (${deltasSql(WEBHOOKS, { added: 'made' })}
  ), delivery_entries as (
    insert into outbox (tenant_id, workflow, subject_id, summary, resource_id, due_at)
    select tenant_id, 'webhookDelivery', id, 'Webhook ' || kind, resource_id, ${now} + interval '2 seconds'
    from made where status = 'PENDING'
    returning ${OUTBOX_COLUMNS}
  )`;
}

/** The parameters of `deliveryParts`, with the bodies sealed by the keys of their records. */
export function deliveryValues(deliveries: readonly NewDelivery[], now: Date): unknown[] {
  const sealed = deliveries.map((delivery) => sealDelivery(delivery, now));
  return [...unnestValues(columns, sealed), now];
}

/** Number of parameters of `deliveryParts`. */
export const DELIVERY_PARAMETERS = columns.length + 1;

const INSERT = `with ${deliveryParts(1)} select * from delivery_entries`;

/**
 * Stores the webhook bodies of changed records, each sealed with its record's key, and the outbox rows that start
 * their delivery. A body is the state of now, whatever changes before it is sent.
 */
export async function insertDeliveries(
  tx: Queryable,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (deliveries.length === 0) return [];
  const { rows } = await tx.query<OutboxRow>({
    name: 'insert-webhook-deliveries',
    text: INSERT,
    values: deliveryValues(deliveries, now),
  });
  return rows.map(toOutboxEntry);
}

function sealDelivery(delivery: NewDelivery, now: Date): SealedDelivery {
  const id = newId(now);
  const record = { tenantId: delivery.tenantId, id: delivery.resourceId };
  return {
    ...delivery,
    id,
    body: delivery.key.seal(sealingContext.transaction.webhook(record, id), delivery.body),
  };
}
