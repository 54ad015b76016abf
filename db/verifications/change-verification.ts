import { notFound } from '../../domain/errors.ts';
import type { VerificationChange } from '../../domain/verifications/change.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { lockVerification } from './find-verification.ts';
import type { OpenVerification } from './row.ts';
import { writeVerifications } from './write-changes.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

export interface VerificationToChange {
  tenantId: string;
  id: string;
  now: Date;
  /** Pure: decides the change of the locked record, null for none; may throw a DomainError. */
  decide: (record: VerificationRecord) => VerificationChange | null;
  /** Change a deleted verification instead of a living one. */
  deleted?: boolean;
}

export interface ChangedVerification {
  /** The verification as stored now. */
  open: OpenVerification;
  /** Outbox entries to deliver after the commit. */
  outbox: OutboxEntry[];
}

/**
 * Changes a stored verification as `decide` says: row, events, webhook snapshot and outbox entry in one database
 * transaction, under the lock of its row. Throws not_found when it is deleted or belongs to another tenant.
 */
export async function changeVerification(
  db: Database,
  change: VerificationToChange,
): Promise<ChangedVerification> {
  return await inTransaction(db.pool, async (tx) => await changeVerificationIn(db, tx, change));
}

/** Like changeVerification, inside a database transaction. */
export async function changeVerificationIn(
  db: Database,
  tx: Queryable,
  { tenantId, id, now, decide, deleted = false }: VerificationToChange,
): Promise<ChangedVerification> {
  const open = await lockVerification(db, tx, tenantId, id);
  if (!open || (open.record.deletedAt !== null) !== deleted) throw notFound('verification');
  const change = decide(open.record);
  if (!change) return { open, outbox: [] };
  const { opened, outbox } = await writeVerifications(db, tx, [{ open, change, isNew: false }], now);
  return { open: opened[0] ?? open, outbox };
}
