import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import type { Queryable } from '../postgres.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { insertDeliveries, type NewDelivery } from './insert-deliveries.ts';

/** A changed transaction for whose tenant a webhook is stored. */
export interface TransactionSnapshot {
  record: TransactionRecord;
  key: RecordKey;
}

/** Stores the webhooks of changed transactions and the outbox rows that start their delivery. */
export async function insertSnapshots(
  tx: Queryable,
  snapshots: TransactionSnapshot[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (snapshots.length === 0) return [];
  const entityIds = await entityIdsOf(tx, snapshots);
  return await insertDeliveries(
    tx,
    snapshots.map((snapshot) => deliveryOf(snapshot, entityIds)),
    now,
  );
}

function deliveryOf({ record, key }: TransactionSnapshot, entityIds: Map<string, string>): NewDelivery {
  return {
    kind: 'transaction',
    tenantId: record.tenantId,
    resourceId: record.id,
    resourceVersion: record.version,
    masked: record.sealed,
    key,
    body: viewTransaction(record, entityIds.get(record.tenantId) ?? ''),
  };
}

async function entityIdsOf(tx: Queryable, snapshots: TransactionSnapshot[]): Promise<Map<string, string>> {
  const tenantIds = snapshots.map((snapshot) => snapshot.record.tenantId);
  const { rows } = await tx.query<{ id: string; entity_id: string }>(
    'select id, entity_id from tenants where id = any($1::uuid[])',
    [tenantIds],
  );
  return new Map(rows.map((row) => [row.id, row.entity_id]));
}
