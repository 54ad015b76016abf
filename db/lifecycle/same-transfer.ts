import type { ClaimRecord } from '../../domain/claims/record.ts';
import { nameOneVasp } from '../../domain/entities/vasp-names.ts';
import { foldName } from '../../domain/fold.ts';
import {
  bestCandidate,
  senderFit,
  type MessageSender,
  type SenderFit,
  type TransferCandidate,
} from '../../domain/transactions/exchanging/own-record-match.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { findNamedEntity } from '../entities/find-named-entity.ts';
import { masterOf, sameEntities } from '../routes/same-entity.ts';
import type { Queryable } from '../postgres.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openRow } from '../transactions/find-transaction.ts';
import { READ_COLUMNS, type OpenTransaction } from '../transactions/row.ts';

/** What two records of one transfer have in common. */
type TransferKey = Pick<
  TransactionRecord,
  'hashNormal' | 'destinationNormal' | 'blockchainKey' | 'destinationTag' | 'asset'
>;

const PLACE = 'tenant_id, hash_normal, destination_normal';
/**
 * SQL over transactions: INCOMING records of a tenant, hash and destination. A range, read in its order: PostgreSQL then takes
 * the index of that order whatever its statistics say, which lag behind somebody who sends many messages of one hash.
 */
const SAME_PLACE = `(${PLACE}) >= ($1, $2, $3) and (${PLACE}) <= ($1, $2, $3) and hash_normal is not null
  and direction = 'INCOMING' and deleted_at is null`;
/** SQL over these: those of one transfer. A chain or tag that is not given fits any. */
const SAME_TRANSFER = `(blockchain_key is null or $4::text is null or blockchain_key = $4)
  and (destination_tag is null or $5::text is null or destination_tag = $5)
  and upper(asset) = upper($6)`;
/** More records of one transfer than that are not compared. */
const MAX_RECORDS = 20;
/** Maximum of messages read per VASP, hash and destination. A transaction of Stellar makes 100 payments at most. */
const MAX_OF_VASP = 100;

/** SQL: locks the records that the tenant made itself and that no message has completed. */
const OWN = {
  name: 'lock-own-records',
  text: `select ${READ_COLUMNS} from transactions
  where ${SAME_PLACE} and ${SAME_TRANSFER} and pair_id is null and message_source = 'MANUAL'
  order by ${PLACE}, id limit ${MAX_RECORDS} for no key update`,
};

const IS_RECEIVED = `${SAME_PLACE} and pair_id is not null and status <> 'CANCELLED'`;
const OF_VASP = `(${PLACE}, counterparty_entity_id)`;
const nextVasp = (condition: string) => `
  select counterparty_entity_id as vasp_id from transactions where ${IS_RECEIVED} and ${condition}
  order by ${PLACE}, counterparty_entity_id limit 1`;
/**
 * SQL: the originator VASPs of the messages of one hash and destination that were not withdrawn. It goes from VASP to VASP
 * through the index `transactions_received`: whoever sends many messages neither hides that of another VASP behind them
 * nor makes anybody read them all.
 */
const ORIGINATOR_VASPS = `with recursive vasps as (
  (${nextVasp('counterparty_entity_id is not null')})
  union all
  select n.vasp_id from vasps v cross join lateral (${nextVasp(`${OF_VASP} > ($1, $2, $3, v.vasp_id)`)}) n
)`;
const oldestOfVasp = (columns: string) => `
  select ${columns} from transactions
  where ${IS_RECEIVED} and ${OF_VASP} >= ($1, $2, $3, vasp_id) and ${OF_VASP} <= ($1, $2, $3, vasp_id)
  order by ${PLACE}, counterparty_entity_id, id limit ${MAX_OF_VASP}`;

/** SQL: the messages of one transfer, of each VASP only some. */
const RECEIVED = {
  name: 'find-received-records',
  text: `${ORIGINATOR_VASPS}
    select ${READ_COLUMNS} from vasps cross join lateral (
      select * from (${oldestOfVasp('*')}) oldest where ${SAME_TRANSFER} order by id limit ${MAX_RECORDS}
    ) received order by id`,
};

/** SQL: locks the messages that RECEIVED looks at, whatever their chain, and the one that a record is related with. */
const LOCK_RECEIVED = {
  name: 'lock-received-records',
  text: `${ORIGINATOR_VASPS}
    select 1 from transactions
    where id = any(array(
      select id from vasps cross join lateral (${oldestOfVasp('id')}) received
      union all
      select id from transactions where id = $4 and tenant_id = $1 and direction = 'INCOMING' and pair_id is not null
    ))
    order by id for no key update`,
};

/** Locks the records that came with a message and that an own record may be related with, before that itself. */
export async function lockReceivedRecords(
  tx: Queryable,
  {
    tenantId,
    destinationNormal,
    hashNormal,
    relatedTransactionId,
  }: Pick<TransactionRecord, 'tenantId' | 'destinationNormal' | 'hashNormal' | 'relatedTransactionId'>,
): Promise<void> {
  await tx.query({
    ...LOCK_RECEIVED,
    values: [tenantId, hashNormal, destinationNormal, relatedTransactionId],
  });
}

/** A record of the transfer that is looked for, as `bestCandidate` compares it. */
interface OpenCandidate {
  open: OpenTransaction;
  record: TransactionRecord;
  fit: SenderFit;
}

interface OwnRecordSearch {
  receiverTenantId: string;
  /** As its sender has it before it is received, then the receiver's record of it. */
  message: TransferKey & Pick<TransactionRecord, 'id' | 'amount'>;
  /** The originator VASP of the message. */
  senderEntityId: string;
  /** Whether the sender sends or changes the message; false where the receiver changes one of its records. */
  isOfSender: boolean;
}

/**
 * Locks the own record of a receiver that is of the same transfer as a message and names its sender, or nobody; undefined
 * when there is none that no message has completed.
 * A record that names nobody is found once for each VASP that sends, or whenever the receiver changes a record.
 */
export async function lockOwnRecordOf(
  db: Database,
  tx: Queryable,
  { receiverTenantId, message, senderEntityId, isOfSender }: OwnRecordSearch,
): Promise<OpenCandidate | undefined> {
  const rows = await findRows(tx, receiverTenantId, message, OWN);
  if (rows.length === 0) return undefined;
  const sender = await readSender(tx, senderEntityId);
  const candidates: OpenCandidate[] = [];
  for (const row of rows) {
    const open = await openRow(db, row);
    const { record } = open;
    const fit = await fitOf(tx, record, sender);
    const isRelated = record.relatedTransactionId === message.id;
    const isStranger = fit === 'UNNAMED' && isOfSender && !isRelated;
    if (isStranger && (await wasRelatedWith(tx, record, senderEntityId))) continue;
    candidates.push({ open, record, fit });
  }
  return bestCandidate(candidates, message.amount);
}

/**
 * Locks the own record of the receiver of an answer for which it has made the claim. The answer completes it whoever gives it,
 * since its tenant has asked for it; undefined when the record is of another transfer or names another VASP by now, and
 * when another message has completed it.
 */
export async function lockClaimedRecord(
  db: Database,
  tx: Queryable,
  claim: ClaimRecord,
): Promise<OpenCandidate | undefined> {
  const { tenantId, transactionId, personal } = claim;
  const row = (await findRows(tx, tenantId, claim, OWN)).find(({ id }) => id === transactionId);
  if (!row) return undefined;
  const open = await openRow(db, row);
  const { originatorVaspName: name } = open.record.personal.vaspInfo;
  const asked = personal.originatorVaspName;
  const fits = name === null || asked === null || nameOneVasp(name, asked);
  return fits ? { open, record: open.record, fit: 'NAMED' } : undefined;
}

/**
 * Whether a tenant's own record has been related with a message of this VASP before. Whoever knows the hash could
 * otherwise write into the record as often as it changes its message or sends another one.
 */
async function wasRelatedWith(
  tx: Queryable,
  { tenantId, id }: TransactionRecord,
  senderEntityId: string,
): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'was-related-with',
    text: `select 1 from events e
           join transactions t on t.tenant_id = $1 and t.id = (e.data ->> 'transactionId')::uuid
           where e.tenant_id = $1 and e.subject_id = $2 and e.type in ('RELATED', 'UNRELATED')
             and t.counterparty_entity_id = any(${sameEntities('$3::uuid')})
           limit 1`,
    values: [tenantId, id, senderEntityId],
  });
  return rows.length > 0;
}

/** The record of a message for the transfer of a tenant's own record; undefined when none fits. */
export async function findMessageOf(
  db: Database,
  tx: Queryable,
  own: TransactionRecord,
): Promise<TransferCandidate | undefined> {
  const rows = await findRows(tx, own.tenantId, own, RECEIVED);
  const candidates: TransferCandidate[] = [];
  for (const row of rows) {
    const { record } = await openRow(db, row);
    const { counterpartyEntityId: entityId } = record;
    if (entityId === null) continue;
    candidates.push({ record, fit: await fitOf(tx, own, await readSender(tx, entityId)) });
  }
  return bestCandidate(candidates, own.amount);
}

async function findRows(
  tx: Queryable,
  tenantId: string,
  key: TransferKey,
  statement: { name: string; text: string },
): Promise<RecordRow[]> {
  const { hashNormal, destinationNormal, blockchainKey, destinationTag, asset } = key;
  if (hashNormal === null) return [];
  const values = [tenantId, hashNormal, destinationNormal, blockchainKey, destinationTag, asset];
  const { rows } = await tx.query<RecordRow>({ ...statement, values });
  return rows;
}

/**
 * The entity that sent a message, or its master if it was merged since, with the names that operators gave them; a legal name does
 * not count.
 */
async function readSender(db: Queryable, entityId: string): Promise<MessageSender> {
  const { rows } = await db.query<{ master: string; names: string[] }>({
    name: 'names-of-sender',
    text: `select master, array(
             select distinct n.folded from entity_names n
             where n.entity_id = any(${sameEntities('master')}) and n.kind <> 'LEGAL'
           ) as names
           from (select ${masterOf('$1::uuid')} as master) sender`,
    values: [entityId],
  });
  return { entityId: rows[0]?.master ?? entityId, names: rows[0]?.names ?? [] };
}

/** Whether the originator VASP that a tenant's own record names is the sender of a message. */
async function fitOf(db: Queryable, own: TransactionRecord, sender: MessageSender): Promise<SenderFit> {
  return await fitOfName(db, own.personal.vaspInfo.originatorVaspName, sender);
}

/** Whether an originator VASP of this name is the entity that has sent a message; UNNAMED where there is no name. */
export async function senderFitOf(
  db: Queryable,
  named: string | null,
  senderEntityId: string,
): Promise<SenderFit> {
  return await fitOfName(db, named, await readSender(db, senderEntityId));
}

async function fitOfName(db: Queryable, named: string | null, sender: MessageSender): Promise<SenderFit> {
  const resolved = named === null ? null : await findNamedEntity(db, foldName(named));
  const entityId = resolved === null || resolved === 'AMBIGUOUS' ? null : resolved.entityId;
  return senderFit(named, entityId, sender);
}
