import { followedBy, type RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  heldForDoubt,
  heldForRename,
  isDoubtable,
  isStoppable,
  namesUnknownVasp,
  stopOf,
  waitingOn,
  withTransferStop,
  type TransferStopBy,
} from '../../domain/transactions/transfer-stop.ts';
import type { Database } from '../database.ts';
import { sameEntities } from '../routes/same-entity.ts';
import type { Queryable } from '../postgres.ts';
import { lockTransaction } from './find-transaction.ts';
import type { OpenTransaction } from './row.ts';
import { IS_HELD, STOPS_OF_TRANSFER } from './stops-of-transfer.ts';

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

interface StopRow {
  held_id: string | null;
  blocked_id: string | null;
  doubt_id: string | null;
}

/** What the other records say of an own record's transfer, and which of them does. */
function strictest(own: TransactionRecord, row: StopRow | undefined): TransferStopBy {
  const { held_id: heldId = null, blocked_id: blockedId = null } = row ?? {};
  if (blockedId !== null && !namesUnknownVasp(own)) return { stop: 'BLOCKED', byId: blockedId };
  return heldId === null ? { stop: null, byId: null } : { stop: 'HELD', byId: heldId };
}

interface StoppedRecord {
  own: TransactionRecord;
  row: StopRow;
  /** As it was before it named another VASP, if that has just happened. */
  renamed: TransactionRecord | null;
}

/**
 * Like changeBy. Another name of the originator VASP frees no record of what stood against it: while the other record is held the
 * own one waits on, and where it was stopped the own one is held, so that a reviewer sees both.
 */
async function changeBesides(
  tx: Queryable,
  { own, row, renamed }: StoppedRecord,
  now: Date,
): Promise<RecordChange | null> {
  const { stop } = strictest(own, row);
  if (own.transferStop === null || own.transferStop === stop) return changeBy(own, row, now);
  const before = renamed && strictest(renamed, await readStops(tx, renamed));
  if (before?.stop === 'BLOCKED' && before.byId !== null) {
    const change = withTransferStop(own, strictest(own, row), now);
    return followedBy(change, heldForRename(change.after, before.byId, now));
  }
  const byId = (before?.stop === 'HELD' ? before.byId : null) ?? own.personal.stoppedBy ?? null;
  if (stop !== null || byId === null || !(await isStillHeld(tx, own, byId))) return changeBy(own, row, now);
  return renamed ? waitingOn(own, byId, now) : null;
}

/** Whether a record of the transfer is held, by its id. */
async function isStillHeld(tx: Queryable, own: TransactionRecord, byId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'is-transfer-still-held',
    text: `select 1 from transactions m
      where m.id = $1 and m.tenant_id = $2 and m.hash_normal = $3 and m.destination_normal = $4 and ${IS_HELD}`,
    values: [byId, own.tenantId, own.hashNormal, own.destinationNormal],
  });
  return rowCount === 1;
}

/** The change of an own record that follows from the other records of its transfer; null where none does. */
function changeBy(own: TransactionRecord, row: StopRow | undefined, now: Date): RecordChange | null {
  const stop = strictest(own, row);
  const doubtId = row?.doubt_id ?? null;
  const stopped = own.transferStop === stop.stop ? null : withTransferStop(own, stop, now);
  if (doubtId === null || !isDoubtable(own)) return stopped;
  return stopped
    ? followedBy(stopped, heldForDoubt(stopped.after, doubtId, now))
    : heldForDoubt(own, doubtId, now);
}

const OWN_COLUMNS = `
  t.tenant_id, t.id, t.hash_normal, t.destination_normal, t.blockchain_key, t.destination_tag, t.asset, t.counterparty_entity_id,
  t.origin_type, ${sameEntities('t.counterparty_entity_id')} as named_entities`;

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
  const renamed = new Map(written.filter(isRenamed).map(({ before, after }) => [after.id, before]));
  const writes: StopWrite[] = [];
  for (const row of rows) {
    const open = await lockTransaction(db, tx, row.tenant_id, row.id);
    if (!open || !isStoppable(open.record)) continue;
    const stopped = { own: open.record, row, renamed: renamed.get(row.id) ?? null };
    const change = await changeBesides(tx, stopped, now);
    if (!change) continue;
    writes.push({ open, change, isNew: false, forwarded: null });
  }
  return writes;
}

/**
 * Finds what stands against the transfer of a new own record, as a change of that record; null where nothing does. The caller has
 * locked the messages that it may be related with.
 */
export async function findTransferStop(tx: Queryable, own: TransactionRecord): Promise<RecordChange | null> {
  return changeBy(own, await readStops(tx, own), own.createdAt);
}

async function readStops(tx: Queryable, own: TransactionRecord): Promise<StopRow | undefined> {
  const { rows } = await tx.query<StopRow>({
    name: 'find-transfer-stop',
    text: `
      with own as materialized (
        select $1::uuid as tenant_id, $2::uuid as id, $3::text as hash_normal, $4::text as destination_normal, $5::text as blockchain_key,
          $6::text as destination_tag, $7::text as asset, $8::uuid as counterparty_entity_id, $9::text as origin_type,
          ${sameEntities('$8::uuid')} as named_entities
      )
      select ${STOPS_OF_TRANSFER('own')} from own`,
    values: [
      own.tenantId,
      own.id,
      own.hashNormal,
      own.destinationNormal,
      own.blockchainKey,
      own.destinationTag,
      own.asset,
      own.counterpartyEntityId,
      own.originType,
    ],
  });
  return rows[0];
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

/** Whether it is a stopped own record of the same transfer as before that names another VASP. */
function isRenamed({ before, after }: WrittenRecord): boolean {
  if (before === null || before.transferStop === null || !isStoppable(before) || !isStoppable(after))
    return false;
  const { hashNormal, destinationNormal, blockchainKey } = before;
  const isSameTransfer =
    hashNormal === after.hashNormal &&
    destinationNormal === after.destinationNormal &&
    blockchainKey === after.blockchainKey;
  return isSameTransfer && placeOf(before) !== placeOf(after);
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
