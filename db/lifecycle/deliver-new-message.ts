import type pg from 'pg';
import type { EventDraft } from '../../domain/events/event.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { writeChanges } from '../transactions/write-changes.ts';
import { deliverUnjudged, type DeliveredMessage } from './deliver-native.ts';
import { newOpen } from './plan-arrival.ts';

interface NewMessage {
  record: TransactionRecord;
  event: EventDraft;
  receiverTenantId: string;
  now: Date;
}

/**
 * Stores a new outgoing record and delivers it to another tenant of this deployment in one transaction: either both
 * tenants have their records or neither. A workflow screens the incoming record.
 */
export async function deliverNewMessage(
  db: Database,
  tx: pg.PoolClient,
  { record, event, receiverTenantId, now }: NewMessage,
): Promise<DeliveredMessage> {
  const change = { after: record, events: [event], notify: false, wakesWorkflow: false };
  const open = await newOpen(db, record);
  await writeChanges(db, tx, [{ open, change, isNew: true, forwarded: null }], now);
  const { tenantId, id } = record;
  const delivered = await deliverUnjudged(db, tx, { tenantId, id, receiverTenantId, now });
  if (!delivered) throw new Error('a new message does not wait for its delivery');
  return delivered;
}
