import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { viewTransaction } from '../../domain/transactions/view-transaction.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../new-id.ts';
import { toPoke, type OutboxRow, type Poke } from '../outbox.ts';
import { contextOf } from '../transactions/seal-record.ts';
import { unnestRows, unnestValues, type Column } from '../unnest.ts';
import type { RecordKey } from '../vault/record-key.ts';

/** A changed record whose tenant is to be told. */
export interface Snapshot {
  record: TransactionRecord;
  key: RecordKey;
}

interface Delivery {
  id: string;
  record: TransactionRecord;
  body: Buffer;
}

const columns: Column<Delivery>[] = [
  { name: 'id', type: 'uuid', value: (row) => row.id },
  { name: 'tenant_id', type: 'uuid', value: (row) => row.record.tenantId },
  { name: 'resource_id', type: 'uuid', value: (row) => row.record.id },
  { name: 'resource_version', type: 'int', value: (row) => row.record.version },
  { name: 'masked', type: 'boolean', value: (row) => row.record.sealed },
  { name: 'body', type: 'bytea', value: (row) => row.body },
];

// A tenant without an endpoint gets none; one whose endpoint answered 410 keeps them for a later redelivery.
const INSERT = `
  with made as (
    insert into webhook_deliveries
      (id, tenant_id, kind, resource_kind, resource_id, resource_version, masked, body, status, last_error, wake_at, created_at, finished_at)
    select r.id, r.tenant_id, 'transaction', 'TRANSACTION', r.resource_id, r.resource_version, r.masked, r.body,
      case when t.webhook_status = 'DISABLED' then 'GAVE_UP' else 'PENDING' end,
      case when t.webhook_status = 'DISABLED' then 'ENDPOINT_DISABLED' end,
      case when t.webhook_status = 'DISABLED' then null else $7::timestamptz end,
      $7::timestamptz,
      case when t.webhook_status = 'DISABLED' then $7::timestamptz end
    from ${unnestRows(columns)} join tenants t on t.id = r.tenant_id and t.webhook_url is not null
    returning id, tenant_id, status
  )
  insert into outbox (tenant_id, workflow, subject_id, summary, due_at)
  select tenant_id, 'webhookDelivery', id, 'Webhook transaction', $7::timestamptz + interval '2 seconds'
  from made where status = 'PENDING'
  returning id, tenant_id, workflow, subject_id, summary`;

/**
 * Stores the webhook bodies of changed records, each sealed with its record's key, and the outbox rows that start their
 * delivery. The body is the state as of now, whatever happens before it is sent.
 */
export async function insertSnapshots(tx: Queryable, snapshots: Snapshot[], now: Date): Promise<Poke[]> {
  if (snapshots.length === 0) return [];
  const entityIds = await entityIdsOf(tx, snapshots);
  const deliveries = snapshots.map((snapshot) => deliveryOf(snapshot, entityIds, now));
  const { rows } = await tx.query<OutboxRow>({
    name: 'insert-webhook-snapshots',
    text: INSERT,
    values: [...unnestValues(columns, deliveries), now],
  });
  return rows.map(toPoke);
}

function deliveryOf({ record, key }: Snapshot, entityIds: Map<string, string>, now: Date): Delivery {
  const id = newId(now);
  const view = viewTransaction(record, entityIds.get(record.tenantId) ?? '');
  return { id, record, body: key.seal(contextOf.webhook(record, id), view) };
}

async function entityIdsOf(tx: Queryable, snapshots: Snapshot[]): Promise<Map<string, string>> {
  const tenantIds = snapshots.map((snapshot) => snapshot.record.tenantId);
  const { rows } = await tx.query<{ id: string; entity_id: string }>(
    'select id, entity_id from tenants where id = any($1::uuid[])',
    [tenantIds],
  );
  return new Map(rows.map((row) => [row.id, row.entity_id]));
}
