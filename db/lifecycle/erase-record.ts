import type { KeptRecord } from '../../domain/record-retention/kept-record.ts';
import { eraseTransaction } from '../../domain/transactions/erase-transaction.ts';
import { eraseVerification } from '../../domain/verifications/erase-verification.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction } from '../postgres.ts';
import { changeTransaction } from '../transactions/change-transaction.ts';
import { emptyRecord } from '../transactions/empty-record.ts';
import { changeVerificationIn } from '../verifications/change-verification.ts';
import { emptyVerification } from '../verifications/empty-verification.ts';
import { emptyDerived } from './empty-derived.ts';

type ErasableRecord = Pick<KeptRecord, 'tenantId' | 'id' | 'isDeleted'>;

/**
 * Erases a transaction and what was derived from it, with the last event of its log, in one database transaction. Null where a
 * legal hold was set meanwhile. Throws not_found for one that was erased or deleted meanwhile.
 */
export async function eraseStoredTransaction(
  db: Database,
  { tenantId, id, isDeleted }: ErasableRecord,
  now: Date,
): Promise<OutboxEntry[] | null> {
  let isErased = false;
  const { outbox } = await changeTransaction(db, {
    tenantId,
    id,
    now,
    deleted: isDeleted,
    decide: (own) => eraseTransaction(own, now),
    also: async (tx) => {
      await emptyRecord(tx, { tenantId, id }, now);
      await emptyDerived(tx, { tenantId, id });
      isErased = true;
    },
  });
  return isErased ? outbox : null;
}

/** Like eraseStoredTransaction, for a verification; the contents of its files are deleted afterwards. */
export async function eraseStoredVerification(
  db: Database,
  { tenantId, id, isDeleted }: ErasableRecord,
  now: Date,
): Promise<OutboxEntry[]> {
  return await inTransaction(db.pool, async (tx) => {
    const change = { tenantId, id, now, deleted: isDeleted };
    const decide = (record: Parameters<typeof eraseVerification>[0]) => eraseVerification(record, now);
    const { outbox } = await changeVerificationIn(db, tx, { ...change, decide });
    await emptyVerification(tx, { tenantId, id }, now);
    return outbox;
  });
}
