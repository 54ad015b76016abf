import type { ClaimPairChange } from '../../domain/claims/change.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { lockClaim, type LockedClaim } from './find-claim.ts';
import { writeClaims, type ClaimWrite } from './write-changes.ts';

export interface ClaimCommand {
  tenantId: string;
  id: string;
  now: Date;
  /** Pure: decides the change from both locked records; may throw a DomainError. */
  decide: (own: ClaimRecord, counterpart: ClaimRecord | null) => ClaimPairChange;
}

export interface ChangedClaim {
  /** The claim as stored now. */
  record: ClaimRecord;
  /** Outbox entries to deliver after the commit. */
  outbox: OutboxEntry[];
}

/**
 * Changes a stored claim as `decide` says, and the record of the other side with it: rows, events, webhook snapshots and
 * outbox entries in one database transaction. Throws not_found.
 */
export async function changeClaim(db: Database, command: ClaimCommand): Promise<ChangedClaim> {
  return await inTransaction(db.pool, async (tx) => await changeClaimIn(db, tx, command));
}

/** Like changeClaim, inside a database transaction. */
export async function changeClaimIn(
  db: Database,
  tx: Queryable,
  { tenantId, id, now, decide }: ClaimCommand,
): Promise<ChangedClaim> {
  const locked = await lockClaim(db, tx, tenantId, id);
  const decided = decide(locked.own.record, locked.counterpart?.record ?? null);
  return await writeDecided(db, tx, { locked, decided }, now);
}

/** Writes what was decided on a locked claim. */
export async function writeDecided(
  db: Database,
  tx: Queryable,
  { locked: { own, counterpart }, decided }: { locked: LockedClaim; decided: ClaimPairChange },
  now: Date,
): Promise<ChangedClaim> {
  const writes: ClaimWrite[] = [];
  if (decided.own) writes.push({ open: own, change: decided.own, isNew: false });
  if (decided.counterpart && counterpart)
    writes.push({ open: counterpart, change: decided.counterpart, isNew: false });
  if (writes.length === 0) return { record: own.record, outbox: [] };
  const { records, outbox } = await writeClaims(db, tx, writes, now);
  return { record: records.find(({ id }) => id === own.record.id) ?? own.record, outbox };
}
