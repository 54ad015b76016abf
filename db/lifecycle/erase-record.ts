import { eraseClaim } from '../../domain/claims/erase-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { ErasureReason } from '../../domain/erasure-reason.ts';
import type { KeptRecord } from '../../domain/record-retention/kept-record.ts';
import { eraseTransaction } from '../../domain/transactions/erase-transaction.ts';
import { eraseVerification } from '../../domain/verifications/erase-verification.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { changeClaimIn } from '../claims/change-claim.ts';
import { emptyClaim } from '../claims/empty-claim.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction } from '../postgres.ts';
import { changeTransaction } from '../transactions/change-transaction.ts';
import { emptyRecord } from '../transactions/empty-record.ts';
import { changeVerificationIn } from '../verifications/change-verification.ts';
import { emptyVerification } from '../verifications/empty-verification.ts';
import { emptyDerived } from './empty-derived.ts';

type ErasableRecord = Pick<KeptRecord, 'tenantId' | 'id' | 'isDeleted'>;

interface RecordErasure {
  reason: ErasureReason;
  now: Date;
}

/**
 * Erases a transaction and what was derived from it, with the last event of its log, in one database transaction. Null where a
 * legal hold was set meanwhile. Throws not_found for one that was erased or deleted meanwhile.
 */
export async function eraseStoredTransaction(
  db: Database,
  { tenantId, id, isDeleted }: ErasableRecord,
  { reason, now }: RecordErasure,
): Promise<OutboxEntry[] | null> {
  let isErased = false;
  const { outbox } = await changeTransaction(db, {
    tenantId,
    id,
    now,
    deleted: isDeleted,
    decide: (own) => eraseTransaction(own, now, reason),
    also: async (tx) => {
      await emptyRecord(tx, { tenantId, id }, now);
      await emptyDerived(tx, { tenantId, id });
      isErased = true;
    },
  });
  return isErased ? outbox : null;
}

/** Like eraseStoredTransaction, for a claim, which no tenant deletes. */
export async function eraseStoredClaim(
  db: Database,
  { tenantId, id }: ErasableRecord,
  { reason, now }: RecordErasure,
): Promise<OutboxEntry[]> {
  return await inTransaction(db.pool, async (tx) => {
    const change = { tenantId, id, now, decide: (own: ClaimRecord) => eraseClaim(own, now, reason) };
    const { outbox } = await changeClaimIn(db, tx, change);
    await emptyClaim(tx, { tenantId, id });
    return outbox;
  });
}

/** Like eraseStoredTransaction, for a verification; the contents of its files are deleted afterwards. */
export async function eraseStoredVerification(
  db: Database,
  { tenantId, id, isDeleted }: ErasableRecord,
  { reason, now }: RecordErasure,
): Promise<OutboxEntry[]> {
  return await inTransaction(db.pool, async (tx) => {
    const change = { tenantId, id, now, deleted: isDeleted };
    const decide = (record: VerificationRecord) => eraseVerification(record, now, reason);
    const { outbox } = await changeVerificationIn(db, tx, { ...change, decide });
    await emptyVerification(tx, { tenantId, id }, now);
    return outbox;
  });
}
