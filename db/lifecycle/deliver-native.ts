import type pg from 'pg';
import { isOverdue } from '../../domain/transactions/deadlines.ts';
import {
  answeredOutgoing,
  completedIncoming,
  deliveredOutgoing,
  receivedIncoming,
  type DestinationWallet,
} from '../../domain/transactions/exchanging/deliver-native.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { sentData } from '../../domain/transactions/sent-data.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import { type Database } from '../database.ts';
import { newId } from '../new-id.ts';
import type { OutboxEntry } from '../outbox.ts';
import { lockTransaction, openRow } from '../transactions/find-transaction.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS, transactionTable, type OpenTransaction } from '../transactions/row.ts';
import { writeChanges, type TransactionWrite } from '../transactions/write-changes.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { findDestinationWallet, insertDetectedWallet } from '../wallets/match-wallet.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

interface NativeDelivery {
  tenantId: string;
  id: string;
  receiverTenantId: string;
  now: Date;
}

export interface DeliveredMessage {
  /** The originator VASP's record. */
  record: TransactionRecord;
  /** The beneficiary VASP's record. */
  incoming: TransactionRecord;
  outbox: OutboxEntry[];
}

/**
 * Delivers an outgoing message to another tenant of this deployment. Both records, both event logs, both webhooks and
 * the message pair are written in one transaction. A second call changes nothing. Null when the record is gone or no
 * longer waits for delivery, for example because it is overdue.
 */
export async function deliverNative(
  db: Database,
  delivery: NativeDelivery,
): Promise<DeliveredMessage | null> {
  return await inTransaction(db.pool, async (tx) => await deliverInTransaction(db, tx, delivery));
}

/** Like deliverNative, inside a database transaction. */
export async function deliverInTransaction(
  db: Database,
  tx: pg.PoolClient,
  delivery: NativeDelivery,
): Promise<DeliveredMessage | null> {
  // Taken before any row lock, so that a wallet registered for the destination at the same time either is found here
  // or finds this message.
  await lockDestination(tx, delivery);
  const outgoing = await lockTransaction(db, tx, delivery.tenantId, delivery.id);
  if (!outgoing || outgoing.record.deletedAt || outgoing.record.pairId) return null;
  // The record changed after it was cleared, so it has to be screened again first.
  if (outgoing.record.screeningState === 'DUE' || outgoing.record.hold !== null) return null;
  if (outgoing.record.status !== 'PENDING' || isOverdue(outgoing.record, delivery.now)) return null;
  const writes = await planWrites(db, tx, outgoing, delivery);
  const { records, outbox } = await writeChanges(db, tx, writes, delivery.now);
  await insertPair(tx, writes, delivery.now);
  const [record, incoming] = records;
  if (!record || !incoming) throw new Error('a record of the pair was not written');
  return { record, incoming, outbox };
}

async function lockDestination(tx: Queryable, { tenantId, id }: NativeDelivery): Promise<void> {
  const { rows } = await tx.query<{ destination_normal: string }>(
    'select destination_normal from transactions where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  await lockRoutes(
    tx,
    rows.map((row) => destinationRoute(row.destination_normal)),
  );
}

type BothWrites = [outgoing: TransactionWrite, incoming: TransactionWrite];

async function planWrites(
  db: Database,
  tx: Queryable,
  outgoing: OpenTransaction,
  { tenantId, receiverTenantId, now }: NativeDelivery,
): Promise<BothWrites> {
  const sent = outgoing.record;
  const { sender, receiver } = await bothTenants(tx, tenantId, receiverTenantId);
  const waiting = await lockRecordToComplete(db, tx, receiverTenantId, sent);
  const wallet = await walletFor(tx, { receiver, sent, completes: waiting !== null, now });
  const input = {
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
  const delivered = deliveredOutgoing(sent, input);
  const forwarded = sentData(sent);
  if (waiting) {
    const incoming = completedIncoming(waiting.record, sent, input);
    const answered = isFinal(waiting.record.status) ? answeredOutgoing(delivered, waiting.record) : delivered;
    return [
      { open: outgoing, change: answered, isNew: false, forwarded },
      { open: waiting, change: incoming, isNew: false, forwarded },
    ];
  }
  const incoming = receivedIncoming(sent, input);
  return [
    { open: outgoing, change: delivered, isNew: false, forwarded },
    { open: await newOpen(db, incoming.after), change: incoming, isNew: true, forwarded },
  ];
}

/** Gives a new record a key of its own. */
export async function newOpen(db: Database, record: TransactionRecord): Promise<OpenTransaction> {
  return transactionTable.withNewKey(record, await db.vault.tenantKeys(record.tenantId));
}

interface WalletInput {
  receiver: PairTenant;
  sent: TransactionRecord;
  /** The message completes a record that the receiver created itself. */
  completes: boolean;
  now: Date;
}

/**
 * The receiver's wallet at the destination. Without one, a DETECTED wallet is inserted, unless the message completes
 * a record that the receiver created itself: such a record is not sealed. A test VASP confirms every destination, and
 * yet nothing is routed to it by address.
 */
async function walletFor(
  tx: Queryable,
  { receiver, sent, completes, now }: WalletInput,
): Promise<DestinationWallet | null> {
  const wallet = await findDestinationWallet(tx, receiver.id, sent);
  if (wallet || completes) return wallet;
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
  const { rows } = await tx.query<PairTenant>(
    'select id, entity_id, test_behaviour from tenants where id = any($1::uuid[])',
    [[senderId, receiverId]],
  );
  const byId = (id: string) => {
    const tenant = rows.find((row) => row.id === id);
    if (!tenant) throw new Error('a tenant of the message is missing');
    return tenant;
  };
  return { sender: byId(senderId), receiver: byId(receiverId) };
}

async function insertPair(tx: Queryable, [outgoing, incoming]: BothWrites, now: Date): Promise<void> {
  const { after: sent } = outgoing.change;
  const { after: received } = incoming.change;
  const outcome = isFinal(sent.status) ? sent.status : null;
  await tx.query(
    `insert into message_pairs (id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id, outcome, created_at, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [sent.pairId, sent.tenantId, sent.id, received.tenantId, received.id, outcome, now, outcome && now],
  );
}
