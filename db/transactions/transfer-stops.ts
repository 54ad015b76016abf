import type { RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TransferStop } from '../../domain/transactions/state.ts';
import {
  isStoppable,
  namesUnknownVasp,
  stopOf,
  withTransferStop,
  type TransferStopBy,
} from '../../domain/transactions/transfer-stop.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { lockTransaction } from './find-transaction.ts';
import type { OpenTransaction } from './row.ts';

/** A written record, as it was before and as it is stored now. */
export interface WrittenRecord {
  before: TransactionRecord | null;
  after: TransactionRecord;
}

/** An own record whose transfer another record of its tenant stops now, or no longer. */
interface StopWrite {
  open: OpenTransaction;
  change: RecordChange;
  isNew: false;
  forwarded: null;
}

// In two looks of one row each, so that whoever sends many messages of one hash makes nobody read them all.
const OTHERS = (own: string, says: string) => `
  select m.id from transactions m
  where m.tenant_id = ${own}.tenant_id and m.hash_normal = ${own}.hash_normal
    and m.destination_normal = ${own}.destination_normal and m.direction = 'INCOMING' and m.id <> ${own}.id
    and (m.hold is not null or m.blocked_by is not null or m.blocked_hold is not null)
    and (m.blockchain_key is null or ${own}.blockchain_key is null or m.blockchain_key = ${own}.blockchain_key)
    and (m.destination_tag is null or ${own}.destination_tag is null or m.destination_tag = ${own}.destination_tag)
    and upper(m.asset) = upper(${own}.asset) and ${says}
  order by m.id limit 1`;

const IS_HELD = `m.hold is not null and m.blocked_by is null and m.status not in ('DECLINED', 'CANCELLED')`;
const IS_BLOCKED = `(m.blocked_by is not null or m.status = 'DECLINED' and m.blocked_hold is not null)`;

/**
 * SQL: the records of one transfer that are held, and that were stopped. Hashes and destinations are public: what was stopped of
 * another VASP than the one that the own record names says nothing about it, or a stranger could stop a transfer for good.
 */
const STOPS_OF_TRANSFER = (own: string) => `
  (${OTHERS(own, IS_HELD)}) as held_id,
  (${OTHERS(
    own,
    `${IS_BLOCKED} and (${own}.counterparty_entity_id is null or m.counterparty_entity_id is null
      or m.counterparty_entity_id = ${own}.counterparty_entity_id)`,
  )}) as blocked_id`;

interface StopRow {
  held_id: string | null;
  blocked_id: string | null;
}

/** What the other records say of an own record's transfer, and which of them does. */
function strictest(own: TransactionRecord, row: StopRow | undefined): TransferStopBy {
  const { held_id: heldId = null, blocked_id: blockedId = null } = row ?? {};
  if (blockedId !== null && !namesUnknownVasp(own)) return { stop: 'BLOCKED', byId: blockedId };
  return heldId === null ? { stop: null, byId: null } : { stop: 'HELD', byId: heldId };
}

const OWN_COLUMNS = `
  t.tenant_id, t.id, t.hash_normal, t.destination_normal, t.blockchain_key, t.destination_tag, t.asset, t.counterparty_entity_id`;

const CHANGED_STOPS = {
  name: 'changed-transfer-stops',
  text: `
    with own as (
      select ${OWN_COLUMNS} from unnest($1::uuid[], $2::text[], $3::text[]) k(tenant_id, hash_normal, destination_normal)
      join transactions t on t.tenant_id = k.tenant_id and t.hash_normal = k.hash_normal
        and t.destination_normal = k.destination_normal
      where t.direction = 'INCOMING' and t.pair_id is null and t.message_source = 'MANUAL' and t.deleted_at is null
        and t.hash_normal is not null
      union
      select ${OWN_COLUMNS} from unnest($4::uuid[], $5::uuid[]) k(tenant_id, id)
      join transactions t on t.tenant_id = k.tenant_id and t.id = k.id
    )
    select own.tenant_id, own.id, ${STOPS_OF_TRANSFER('own')} from own order by own.id`,
};

/**
 * The changes of a tenant's own records that follow from written records: a hold or a block of one record counts for the own
 * records of its transfer, whichever of them is written last. Locks the own records. Whoever changes the hash of an own record
 * has locked the messages that it may be related with, and deliveries to its destination.
 */
export async function transferStopWrites(
  db: Database,
  tx: Queryable,
  written: readonly WrittenRecord[],
  now: Date,
): Promise<StopWrite[]> {
  const stopping = written.filter(changesStop).flatMap(placesOf);
  const own = written.filter(changesOwnPlace).map(({ after }) => after);
  if (stopping.length === 0 && own.length === 0) return [];
  const { rows } = await tx.query<StopRow & { tenant_id: string; id: string }>({
    ...CHANGED_STOPS,
    values: [
      stopping.map(({ tenantId }) => tenantId),
      stopping.map(({ hashNormal }) => hashNormal),
      stopping.map(({ destinationNormal }) => destinationNormal),
      own.map(({ tenantId }) => tenantId),
      own.map(({ id }) => id),
    ],
  });
  const writes: StopWrite[] = [];
  for (const row of rows) {
    const open = await lockTransaction(db, tx, row.tenant_id, row.id);
    if (!open || !isStoppable(open.record)) continue;
    const stop = strictest(open.record, row);
    if (open.record.transferStop === stop.stop) continue;
    const change = withTransferStop(open.record, stop, now);
    writes.push({ open, change, isNew: false, forwarded: null });
  }
  return writes;
}

/** What stands against the transfer of a new own record. The messages that it may be related with are locked. */
export async function findTransferStop(tx: Queryable, own: TransactionRecord): Promise<TransferStop | null> {
  const { rows } = await tx.query<StopRow>({
    name: 'find-transfer-stop',
    text: `
      select ${STOPS_OF_TRANSFER('own')} from (values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text, $8::uuid))
        own(tenant_id, id, hash_normal, destination_normal, blockchain_key, destination_tag, asset, counterparty_entity_id)`,
    values: [
      own.tenantId,
      own.id,
      own.hashNormal,
      own.destinationNormal,
      own.blockchainKey,
      own.destinationTag,
      own.asset,
      own.counterpartyEntityId,
    ],
  });
  return strictest(own, rows[0]).stop;
}

/** Whether the record says something else against its transfer than before, or says it of another one. */
function changesStop({ before, after }: WrittenRecord): boolean {
  const [was, is] = [before && stopOf(before), stopOf(after)];
  return was !== is || (is !== null && placeOf(before) !== placeOf(after));
}

/** Whether it is an own record that is now of another transfer, or is no message's any more. */
function changesOwnPlace({ before, after }: WrittenRecord): boolean {
  if (!isStoppable(after)) return false;
  return before === null || !isStoppable(before) || placeOf(before) !== placeOf(after);
}

function placeOf(record: TransactionRecord | null): string | null {
  if (record === null) return null;
  const { hashNormal, destinationNormal, blockchainKey, counterpartyEntityId, personal } = record;
  const { originatorVaspName } = personal.vaspInfo;
  return JSON.stringify([
    hashNormal,
    destinationNormal,
    blockchainKey,
    counterpartyEntityId,
    originatorVaspName,
  ]);
}

function placesOf({ before, after }: WrittenRecord): TransactionRecord[] {
  return [before, after].filter(
    (record) => record !== null && record.hashNormal !== null,
  ) as TransactionRecord[];
}
