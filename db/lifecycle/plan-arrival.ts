import { isDeepStrictEqual } from 'node:util';
import {
  answeredOutgoing,
  completedIncoming,
  deliveredOutgoing,
  receivedIncoming,
  type DestinationWallet,
} from '../../domain/transactions/exchanging/deliver-native.ts';
import type { RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import { type Database } from '../database.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openRow } from '../transactions/find-transaction.ts';
import { READ_COLUMNS, transactionTable, type OpenTransaction } from '../transactions/row.ts';
import { findDestinationWallet, insertDetectedWallet } from '../wallets/match-wallet.ts';

/** What the delivery of a message writes, and what it was planned from. */
export interface ArrivalPlan {
  sent: TransactionRecord;
  wallet: DestinationWallet | null;
  /** The receiver's own record that the message completes. */
  completed: OpenTransaction | null;
  /** The receiver's record before the change: the completed one, or a new one with a key of its own. */
  open: OpenTransaction;
  delivered: RecordChange;
  received: RecordChange;
}

interface ArrivalInput {
  sent: TransactionRecord;
  receiverTenantId: string;
  /** Inserts a DETECTED wallet for a destination that the receiver does not know. */
  detects: boolean;
  now: Date;
}

/** Plans the delivery of a message from what is stored now; locks the record that it completes. */
export async function planArrival(db: Database, tx: Queryable, input: ArrivalInput): Promise<ArrivalPlan> {
  const { sent, receiverTenantId, detects, now } = input;
  const { sender, receiver } = await bothTenants(tx, sent.tenantId, receiverTenantId);
  const completed = await lockRecordToComplete(db, tx, receiverTenantId, sent);
  const known = await findDestinationWallet(tx, receiver.id, sent);
  const isUnknown = known === null && completed === null && detects;
  const wallet = isUnknown ? await detectWallet(tx, { receiver, sent, now }) : known;
  const delivery = {
    incomingId: newId(now),
    pairId: newId(now),
    senderEntityId: sender.entity_id,
    receiver: {
      tenantId: receiver.id,
      entityId: receiver.entity_id,
      isTest: receiver.test_behaviour !== null,
    },
    wallet,
    now,
  };
  const delivered = deliveredOutgoing(sent, delivery);
  const planned = { sent, wallet, completed };
  if (!completed) {
    const received = receivedIncoming(sent, delivery);
    return { ...planned, open: await newOpen(db, received.after), delivered, received };
  }
  return {
    ...planned,
    open: completed,
    delivered: isFinal(completed.record.status) ? answeredOutgoing(delivered, completed.record) : delivered,
    received: completedIncoming(completed.record, sent, delivery),
  };
}

/** Whether two plans were made from the same records, as they stand with their screening, and the same wallet. */
export function isSameArrival(one: ArrivalPlan, other: ArrivalPlan): boolean {
  return isDeepStrictEqual(foundationOf(one), foundationOf(other));
}

function foundationOf({ sent, completed, wallet }: ArrivalPlan): unknown {
  return { sent: standingOf(sent), completed: completed && standingOf(completed.record), wallet };
}

/** A wake-up and a postponement change the screening of a record without a new version. */
function standingOf({ id, version, screeningState, screeningDueSince, wakeAt }: TransactionRecord): unknown {
  return { id, version, screeningState, screeningDueSince, wakeAt };
}

/** Gives a new record a key of its own. */
export async function newOpen(db: Database, record: TransactionRecord): Promise<OpenTransaction> {
  return transactionTable.withNewKey(record, await db.vault.tenantKeys(record.tenantId));
}

interface UnknownDestination {
  receiver: PairTenant;
  sent: TransactionRecord;
  now: Date;
}

/** A test VASP confirms every destination, and yet nothing is routed to it by address. */
async function detectWallet(
  tx: Queryable,
  { receiver, sent, now }: UnknownDestination,
): Promise<DestinationWallet> {
  const status = receiver.test_behaviour === null ? 'UNCONFIRMED' : 'CONFIRMED';
  return await insertDetectedWallet(tx, { tenantId: receiver.id, destination: sent, status, now });
}

/** Locks the receiver's own INCOMING record of the same blockchain, hash and destination that has no message yet. */
async function lockRecordToComplete(
  db: Database,
  tx: Queryable,
  tenantId: string,
  sent: TransactionRecord,
): Promise<OpenTransaction | null> {
  if (!sent.hashNormal) return null;
  const { rows } = await tx.query<RecordRow>(
    `select ${READ_COLUMNS} from transactions
     where tenant_id = $1 and direction = 'INCOMING' and pair_id is null and deleted_at is null
       and hash_normal = $2 and destination_normal = $3 and blockchain_key is not distinct from $4
       and destination_tag is not distinct from $5
     order by created_at limit 1 for no key update`,
    [tenantId, sent.hashNormal, sent.destinationNormal, sent.blockchainKey, sent.destinationTag],
  );
  return rows[0] ? await openRow(db, rows[0]) : null;
}

interface PairTenant {
  id: string;
  entity_id: string;
  test_behaviour: string | null;
}

async function bothTenants(tx: Queryable, senderId: string, receiverId: string) {
  const { rows } = await tx.query<PairTenant>({
    name: 'tenants-of-message',
    text: 'select id, entity_id, test_behaviour from tenants where id = any($1::uuid[])',
    values: [[senderId, receiverId]],
  });
  const byId = (id: string) => {
    const tenant = rows.find((row) => row.id === id);
    if (!tenant) throw new Error('a tenant of the message is missing');
    return tenant;
  };
  return { sender: byId(senderId), receiver: byId(receiverId) };
}
