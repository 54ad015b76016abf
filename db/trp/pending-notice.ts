import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isWithdrawnUnknown } from '../../domain/trp/withdrawn-inquiry.ts';
import type { Database } from '../database.ts';
import { findGateway } from '../gateways/find-gateway.ts';
import type { Queryable } from '../postgres.ts';
import { findTransaction } from '../transactions/find-transaction.ts';
import { toTransfer, TRANSFER_COLUMNS, type TransferRow, type TrpTransfer } from './transfer-row.ts';

/** Minutes before the sweep takes a notice up whose workflow is lost: longer than the longest wait between two attempts. */
const TURN_MINUTES = 20;

/** The turn of whoever looks after a notice now: a change of the record since then ends it. */
export interface NoticeTurn {
  /** Id of the TRP transfer. */
  id: string;
  /** The time until which the turn was taken, to the microsecond. */
  until: string;
}

/** A TRP transfer whose other VASP may have to be told something. */
export interface PendingNotice {
  turn: NoticeTurn;
  transfer: TrpTransfer;
  /** Its record at the gateway; the tenant's own one of a message that was withdrawn before its delivery, or goes another way. */
  record: TransactionRecord;
}

/** Reads a TRP transfer that waits for a notice; null if it waits no more, or its message is not delivered. */
export async function beginNotice(db: Database, id: string): Promise<PendingNotice | null> {
  const { rows } = await db.pool.query<TransferRow & { incoming_id: string | null; until: string }>(
    `update trp_transfers t set wake_at = now() + interval '${TURN_MINUTES} minutes'
     where id = $1 and wake_at is not null
     returning ${TRANSFER_COLUMNS}, wake_at::text as until, (select incoming_id from message_pairs p where p.outgoing_id = t.sent_id)`,
    [id],
  );
  const row = rows[0];
  if (!row) return null;
  const transfer = await toTransfer(db, row);
  const record = await recordOf(db, transfer, row.incoming_id);
  const turn = { id, until: row.until };
  if (record) return { turn, transfer, record };
  await endNotice(db.pool, turn);
  return null;
}

async function recordOf(
  db: Database,
  { direction, tenantId, sentId, replacedFor }: TrpTransfer,
  incomingId: string | null,
): Promise<TransactionRecord | undefined> {
  if (replacedFor !== null) return await findTransaction(db, tenantId, replacedFor);
  const recordId = direction === 'INCOMING' ? sentId : incomingId;
  if (recordId !== null) return await findTransaction(db, await findGateway(db.pool, 'TRP'), recordId);
  const own = await findTransaction(db, tenantId, sentId);
  return own && isWithdrawnUnknown(own) ? own : undefined;
}

/** Notes that there is nothing to tell any more, unless the record has changed since the turn began. */
export async function endNotice(db: Queryable, { id, until }: NoticeTurn): Promise<void> {
  await db.query('update trp_transfers set wake_at = null where id = $1 and wake_at = $2::timestamptz', [
    id,
    until,
  ]);
}

interface ToldNotice {
  turn: NoticeTurn;
  /** What the other VASP has been told. */
  told: string;
  now: Date;
}

/** Notes what the other VASP was told. What has changed since the turn began is still to be told. */
export async function endTold(db: Queryable, { turn, told, now }: ToldNotice): Promise<void> {
  await db.query(
    `update trp_transfers set told = $3, told_at = $4, updated_at = $4,
       wake_at = nullif(wake_at, $2::timestamptz)
     where id = $1`,
    [turn.id, turn.until, told, now],
  );
}
