import type pg from 'pg';
import type { EventDraft } from '../../domain/events/event.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { writeChanges } from '../transactions/write-changes.ts';
import { deliverInTime, type DeliveredMessage, type JudgedArrival } from './deliver-native.ts';
import { newOpen, type ClaimAnswer } from './plan-arrival.ts';

interface NewMessage {
  record: TransactionRecord;
  event: EventDraft;
  receiverTenantId: string;
  /** The claim of the receiver that it answers. */
  answers?: ClaimAnswer;
  /** The receiver's verdict, made before; null where it has to wait. */
  judged: JudgedArrival | null;
  now: Date;
}

/**
 * Stores a new outgoing record and delivers it to another tenant of this deployment in one transaction: either both
 * tenants have their records or neither. A workflow screens an incoming record without a verdict.
 */
export async function deliverNewMessage(
  db: Database,
  tx: pg.PoolClient,
  { record, event, receiverTenantId, answers, judged, now }: NewMessage,
): Promise<DeliveredMessage> {
  const change = { after: record, events: [event], notify: false, wakesWorkflow: false };
  const open = await newOpen(db, record);
  await writeChanges(db, tx, [{ open, change, isNew: true, forwarded: null }], now);
  const { tenantId, id } = record;
  const delivery = { tenantId, id, receiverTenantId, ...(answers && { answers }), now };
  const delivered = await deliverInTime(db, tx, delivery, judged);
  if (!delivered) throw new Error('a new message does not wait for its delivery');
  return delivered;
}
