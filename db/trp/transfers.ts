import { randomBytes, randomUUID } from 'node:crypto';
import type { TrpResolution } from '../../domain/trp/messages.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { replaceInquiry } from './replace-inquiry.ts';
import {
  sealSecrets,
  tokenHash,
  toTransfer,
  TRANSFER_COLUMNS,
  type TransferRow,
  type TrpSecrets,
  type TrpTransfer,
} from './transfer-row.ts';

const TOKEN_BYTES = 32;

interface OutgoingTransfer {
  tenantId: string;
  sentId: string;
  travelAddress: string;
  /** Of everything that the inquiry says. */
  bodyHash: Buffer;
  now: Date;
}

/**
 * The TRP transfer of an outgoing message, to be sent. The same message to the same address has the same request identifier, by
 * which the other VASP knows a repeat; a changed one, or another address, is another inquiry, and the one before is canceled.
 */
export async function prepareInquiry(db: Database, given: OutgoingTransfer): Promise<TrpTransfer> {
  const { tenantId, sentId, travelAddress, bodyHash, now } = given;
  await db.vault.tenantKeys(tenantId);
  return await inTransaction(db.pool, async (tx) => {
    const known = await lockTransferOf(db, tx, sentId);
    const isSame = known?.bodyHash.equals(bodyHash) && known.secrets.travelAddress === travelAddress;
    if (known && isSame) return known;
    if (known) await replaceInquiry(tx, sentId, now);
    const id = newId(now);
    const secrets = newSecrets({ travelAddress });
    const sealed = await sealSecrets(db, { tenantId, id }, secrets);
    const values = [id, tenantId, sentId, randomUUID(), tokenHash(secrets.token), bodyHash, sealed, now];
    const { rows } = await tx.query<TransferRow>(
      `insert into trp_transfers (id, tenant_id, direction, sent_id, request_identifier, token_hash, body_hash, sealed,
         created_at, updated_at)
       values ($1, $2, 'OUTGOING', $3, $4, $5, $6, $7, $8, $8)
       returning ${TRANSFER_COLUMNS}`,
      values,
    );
    return await toTransfer(db, only(rows));
  });
}

interface IncomingTransfer {
  tenantId: string;
  requestIdentifier: string;
  /** Whoever has sent it, as far as that is known: two VASPs may use one request identifier. */
  sender: string;
  senderEntityId: string | null;
  bodyHash: Buffer;
  peerCallback: string;
  now: Date;
}

/** Returns the TRP transfer of a received inquiry. A stored one is returned if the inquiry repeats it with the same `bodyHash`. */
export async function receiveInquiry(db: Database, given: IncomingTransfer): Promise<TrpTransfer> {
  const { tenantId, requestIdentifier, sender, senderEntityId, bodyHash, peerCallback, now } = given;
  const id = newId(now);
  const secrets = { ...newSecrets({ travelAddress: null }), peerCallback };
  const sealed = await sealSecrets(db, { tenantId, id }, secrets);
  const received = [id, tenantId, newId(now), requestIdentifier, sender, senderEntityId];
  const values = [...received, tokenHash(secrets.token), bodyHash, sealed, now];
  const { rows } = await db.pool.query<TransferRow>(
    `insert into trp_transfers (id, tenant_id, direction, sent_id, request_identifier, sender, sender_entity_id, token_hash,
       body_hash, sealed, created_at, updated_at)
     values ($1, $2, 'INCOMING', $3, $4, $5, $6, $7, $8, $9, $10, $10)
     on conflict (tenant_id, request_identifier, sender) where direction = 'INCOMING'
       do update set updated_at = trp_transfers.updated_at
     returning ${TRANSFER_COLUMNS}`,
    values,
  );
  return await toTransfer(db, only(rows));
}

/** Removes a received inquiry that was refused: nothing is kept of what nobody has taken. One that was delivered meanwhile stays. */
export async function removeRefused(db: Database, { id, sentId }: TrpTransfer): Promise<void> {
  await inTransaction(db.pool, async (tx) => {
    // Whoever delivers it has locked it.
    await tx.query('select 1 from trp_transfers where id = $1 for update', [id]);
    await tx.query(
      `delete from trp_transfers where id = $1 and direction = 'INCOMING'
         and not exists (select from transactions where id = $2)`,
      [id, sentId],
    );
  });
}

/** What is known of an inquiry that came before. */
interface EarlierInquiry {
  bodyHash: Buffer;
  /** Whether its message was delivered; a failure may have come between. */
  isDelivered: boolean;
}

/** Finds the inquiry that came before with this request identifier; undefined where none did. */
export async function findReceivedInquiry(
  db: Queryable,
  given: Pick<IncomingTransfer, 'tenantId' | 'requestIdentifier' | 'sender'>,
): Promise<EarlierInquiry | undefined> {
  const { rows } = await db.query<EarlierInquiry>({
    name: 'find-received-inquiry',
    text: `select body_hash as "bodyHash", exists (select from transactions t where t.id = sent_id) as "isDelivered"
      from trp_transfers
      where tenant_id = $1 and request_identifier = $2 and sender = $3 and direction = 'INCOMING'`,
    values: [given.tenantId, given.requestIdentifier, given.sender],
  });
  return rows[0];
}

/** Finds the TRP transfer that a callback is for. */
export async function findTransferByToken(
  db: Database,
  direction: TrpTransfer['direction'],
  token: string,
): Promise<TrpTransfer | undefined> {
  const { rows } = await db.pool.query<TransferRow>({
    name: 'find-trp-transfer-by-token',
    text: `select ${TRANSFER_COLUMNS} from trp_transfers where token_hash = $1 and direction = $2`,
    values: [tokenHash(token), direction],
  });
  return rows[0] && (await toTransfer(db, rows[0]));
}

/** Whether a callback is for a TRP transfer, without opening it. */
export async function isTransferKnown(
  db: Queryable,
  given: { direction: TrpTransfer['direction']; token: string; requestIdentifier: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-trp-transfer-known',
    text: 'select 1 from trp_transfers where token_hash = $1 and direction = $2 and request_identifier = $3',
    values: [tokenHash(given.token), given.direction, given.requestIdentifier],
  });
  return rowCount === 1;
}

/** The TRP transfer of a message, by its outgoing record. */
export async function findTransferOf(db: Database, sentId: string): Promise<TrpTransfer | undefined> {
  const { rows } = await db.pool.query<TransferRow>({
    name: 'find-trp-transfer',
    text: `select ${TRANSFER_COLUMNS} from trp_transfers where sent_id = $1`,
    values: [sentId],
  });
  return rows[0] && (await toTransfer(db, rows[0]));
}

/**
 * Notes that the other VASP has accepted our inquiry, with the answer that it has given at once. Returns the `sentId` of the
 * transfer, which is another one where the message has gone another way meanwhile.
 */
export async function noteSent(
  db: Database,
  transfer: TrpTransfer,
  answer: TrpResolution | null,
  now: Date,
): Promise<string> {
  if (answer) await keepAnswer(db, transfer, answer, now);
  const { rows } = await db.pool.query<{ sentId: string }>(
    `update trp_transfers set sent_at = coalesce(sent_at, $3), updated_at = $3
     where id = $1 and request_identifier = $2
     returning sent_id as "sentId"`,
    [transfer.id, transfer.requestIdentifier, now],
  );
  return rows[0]?.sentId ?? transfer.sentId;
}

/**
 * Keeps the other VASP's first answer to an inquiry, also to a replaced one; false if another one was kept before. An approval
 * that is repeated may name the callback that it lacked.
 */
export async function keepAnswer(
  db: Database,
  { id, tenantId }: TrpTransfer,
  answer: TrpResolution,
  now: Date,
): Promise<boolean> {
  await db.vault.tenantKeys(tenantId);
  return await inTransaction(db.pool, async (tx) => {
    const known = await lockTransfer(db, tx, id);
    if (!known) return false;
    const { answer: earlier, peerCallback: callback } = known.secrets;
    if (earlier && !isSameAnswer(earlier, answer)) return false;
    const peerCallback = callback ?? answer.approved?.callback ?? null;
    if (earlier && peerCallback === callback) return true;
    const sealed = await sealSecrets(db, { id, tenantId }, { ...known.secrets, answer, peerCallback });
    await tx.query('update trp_transfers set sealed = $2, updated_at = $3 where id = $1', [id, sealed, now]);
    return true;
  });
}

function isSameAnswer(earlier: TrpResolution, repeat: TrpResolution): boolean {
  const isSame =
    earlier.approved?.address === repeat.approved?.address && earlier.rejected === repeat.rejected;
  return isSame && isSameCallback(earlier.approved?.callback, repeat.approved?.callback);
}

/** The callbacks of two answers; one that names none leaves it at that of the other. */
function isSameCallback(earlier: string | null | undefined, repeat: string | null | undefined): boolean {
  return !earlier || !repeat || earlier === repeat;
}

/** The entity that the certificate of a received inquiry proves; null where none does. */
export async function senderEntityOf(db: Queryable, sentId: string): Promise<string | null> {
  const { rows } = await db.query<{ sender_entity_id: string | null }>({
    name: 'sender-of-trp-transfer',
    text: 'select sender_entity_id from trp_transfers where sent_id = $1',
    values: [sentId],
  });
  return rows[0]?.sender_entity_id ?? null;
}

async function lockTransfer(db: Database, tx: Queryable, id: string): Promise<TrpTransfer | undefined> {
  const { rows } = await tx.query<TransferRow>(
    `select ${TRANSFER_COLUMNS} from trp_transfers where id = $1 for update`,
    [id],
  );
  return rows[0] && (await toTransfer(db, rows[0]));
}

async function lockTransferOf(db: Database, tx: Queryable, sentId: string): Promise<TrpTransfer | undefined> {
  const { rows } = await tx.query<TransferRow>(
    `select ${TRANSFER_COLUMNS} from trp_transfers where sent_id = $1 for update`,
    [sentId],
  );
  return rows[0] && (await toTransfer(db, rows[0]));
}

function newSecrets({ travelAddress }: Pick<TrpSecrets, 'travelAddress'>): TrpSecrets {
  return {
    token: randomBytes(TOKEN_BYTES).toString('base64url'),
    travelAddress,
    peerCallback: null,
    answer: null,
  };
}

function only(rows: readonly TransferRow[]): TransferRow {
  const [row] = rows;
  if (!row) throw new Error('the TRP transfer was not stored');
  return row;
}
