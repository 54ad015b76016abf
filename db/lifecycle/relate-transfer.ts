import type pg from 'pg';
import {
  partRecords,
  relateRecords,
  type RelatedChanges,
} from '../../domain/transactions/exchanging/relate-records.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import {
  changeInTransaction,
  untilPaired,
  type ChangedTransaction,
  type TransactionCommand,
} from '../transactions/change-transaction.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import { writeChanges, type TransactionWrite } from '../transactions/write-changes.ts';
import { answerClaims } from './answer-claims.ts';
import { findMessageOf, lockOwnRecordOf, lockReceivedRecords } from './same-transfer.ts';

/**
 * Like changeTransaction, for a change of the hash, of the blockchain or of the originator VASP's name: afterwards the
 * receiver's own record and the record of a message for the same transfer are related, where both are there.
 *
 * The destination is locked first, as a delivery does, so that no message arrives unseen. Then the records that came
 * with a message are locked, and the own record last.
 */
export async function changeAndRelate(
  db: Database,
  command: TransactionCommand,
  hashNormal: string | null | undefined,
): Promise<ChangedTransaction> {
  return await untilPaired(db, async (tx) => await changeAndRelateIn(db, tx, command, hashNormal));
}

/** Like changeAndRelate, inside a database transaction. Undefined when the record was paired meanwhile: start again. */
export async function changeAndRelateIn(
  db: Database,
  tx: pg.PoolClient,
  command: TransactionCommand,
  hashNormal: string | null | undefined,
): Promise<ChangedTransaction | undefined> {
  const before = await lockTransfer(tx, command);
  if (before?.direction === 'INCOMING' && before.pair_id === null)
    await lockReceivedRecords(tx, {
      tenantId: before.tenant_id,
      destinationNormal: before.destination_normal,
      hashNormal: hashNormal === undefined ? before.hash_normal : hashNormal,
      relatedTransactionId: before.related_transaction_id,
    });
  const changed = await changeInTransaction(db, tx, command);
  if (!changed) return undefined;
  const { record, counterpart, outbox } = changed;
  const incoming = record.direction === 'INCOMING' ? record : counterpart;
  const isOfSender = incoming?.id !== record.id;
  const act = { before: relationOf(before), isOfSender, now: command.now };
  const related = incoming ? await relateTransfer(db, tx, incoming, act) : [];
  const sent = incoming?.id === record.id ? counterpart : record;
  const answered = incoming ? await answerClaims(db, tx, { sent, received: incoming }, command.now) : [];
  return { ...changed, outbox: [...outbox, ...related, ...answered] };
}

interface TransferRow {
  tenant_id: string;
  direction: string;
  pair_id: string | null;
  destination_normal: string;
  hash_normal: string | null;
  related_transaction_id: string | null;
  counterparty_entity_id: string | null;
}

function relationOf(row: TransferRow | undefined): StoredRelation {
  return {
    relatedTransactionId: row?.related_transaction_id ?? null,
    counterpartyEntityId: row?.counterparty_entity_id ?? null,
  };
}

/** Locks the destination of a record against deliveries; undefined when there is no such record. */
async function lockTransfer(tx: Queryable, command: TransactionCommand): Promise<TransferRow | undefined> {
  const unlocked = await readTransfer(tx, command);
  if (!unlocked) return undefined;
  await lockRoutes(tx, [destinationRoute(unlocked.destination_normal)]);
  // A message may have arrived while this waited.
  return await readTransfer(tx, command);
}

async function readTransfer(
  tx: Queryable,
  { tenantId, id }: Pick<TransactionRecord, 'tenantId' | 'id'>,
): Promise<TransferRow | undefined> {
  const { rows } = await tx.query<TransferRow>(
    `select tenant_id, direction, pair_id, destination_normal, hash_normal, related_transaction_id,
       counterparty_entity_id
     from transactions where tenant_id = $1 and id = $2 and deleted_at is null`,
    [tenantId, id],
  );
  return rows[0];
}

/** The record that a record is related with, and the entity of the VASP that it names. */
type StoredRelation = Pick<TransactionRecord, 'relatedTransactionId' | 'counterpartyEntityId'>;

interface RelationAct {
  /** How an own record stood before it changed; a new one is stored as it stands beside the message. */
  before: StoredRelation;
  /** Whether the sender has changed its message, not the tenant one of its records. */
  isOfSender: boolean;
  now: Date;
}

/** Whether an own record was related with a message and named its sender. */
function namedSenderOf(message: TransactionRecord, own: StoredRelation): boolean {
  const isRelated = own.relatedTransactionId === message.id;
  return isRelated && own.counterpartyEntityId === message.counterpartyEntityId;
}

/** Relates a locked INCOMING record with the tenant's other record of the same transfer. */
export async function relateTransfer(
  db: Database,
  tx: pg.PoolClient,
  record: TransactionRecord,
  act: RelationAct,
): Promise<OutboxEntry[]> {
  if (record.deletedAt !== null) return [];
  return record.pairId === null
    ? await relateOwnRecord(db, tx, record, act)
    : await relateMessage(db, tx, record, act);
}

async function relateMessage(
  db: Database,
  tx: pg.PoolClient,
  message: TransactionRecord,
  { isOfSender, now }: RelationAct,
): Promise<OutboxEntry[]> {
  const { tenantId: receiverTenantId, counterpartyEntityId: senderEntityId } = message;
  // A message that its sender has withdrawn is of no transfer.
  if (senderEntityId === null || message.status === 'CANCELLED') return [];
  const best = await lockOwnRecordOf(db, tx, {
    receiverTenantId,
    message,
    senderEntityId,
    isOfSender,
  });
  const parted = await partFromOther(db, tx, message, { ownId: best?.open.record.id, now });
  if (!best) return parted;
  const own = best.open.record;
  const wasNamed = namedSenderOf(message, own);
  const relation = { isNamed: best.fit === 'NAMED', wasNamed, fills: false, now };
  const current = await lockTransaction(db, tx, receiverTenantId, message.id);
  const changes = relateRecords(current?.record ?? message, own, relation);
  return [...parted, ...(await write(db, tx, [message, own], { changes, now }))];
}

/** Parts a message from the own record that it was related with, unless that is the one that it fits now. */
async function partFromOther(
  db: Database,
  tx: pg.PoolClient,
  message: TransactionRecord,
  { ownId, now }: { ownId: string | undefined; now: Date },
): Promise<OutboxEntry[]> {
  const { tenantId, relatedTransactionId } = message;
  if (relatedTransactionId === null || relatedTransactionId === ownId) return [];
  const own = (await lockTransaction(db, tx, tenantId, relatedTransactionId))?.record;
  if (!own || own.deletedAt !== null || own.relatedTransactionId !== message.id) return [];
  return await write(db, tx, [message, own], { changes: partRecords(message, own, now), now });
}

async function relateOwnRecord(
  db: Database,
  tx: pg.PoolClient,
  own: TransactionRecord,
  { before, now }: RelationAct,
): Promise<OutboxEntry[]> {
  const best = await findMessageOf(db, tx, own);
  if (best) {
    const message = best.record;
    const wasNamed = namedSenderOf(message, before);
    const fills = before.relatedTransactionId === message.id;
    const relation = { isNamed: best.fit === 'NAMED', wasNamed, fills, now };
    return await write(db, tx, [message, own], { changes: relateRecords(message, own, relation), now });
  }
  const message = await relatedMessage(db, tx, own);
  return message ? await write(db, tx, [message, own], { changes: partRecords(message, own, now), now }) : [];
}

/** The record of the message that an own record is related with, though that no longer fits it. */
async function relatedMessage(
  db: Database,
  tx: Queryable,
  { tenantId, relatedTransactionId }: TransactionRecord,
): Promise<TransactionRecord | null> {
  if (relatedTransactionId === null) return null;
  const related = await lockTransaction(db, tx, tenantId, relatedTransactionId);
  return related && related.record.deletedAt === null ? related.record : null;
}

async function write(
  db: Database,
  tx: pg.PoolClient,
  [message, own]: [message: TransactionRecord, own: TransactionRecord],
  { changes, now }: { changes: RelatedChanges; now: Date },
): Promise<OutboxEntry[]> {
  const writes: TransactionWrite[] = [];
  for (const [record, change] of [
    [message, changes.message],
    [own, changes.own],
  ] as const) {
    const open = change && (await lockTransaction(db, tx, record.tenantId, record.id));
    if (open && change) writes.push({ open, change, isNew: false, forwarded: null });
  }
  return writes.length === 0 ? [] : (await writeChanges(db, tx, writes, now)).outbox;
}
