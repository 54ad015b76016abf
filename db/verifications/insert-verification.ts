import type { VerificationChange } from '../../domain/verifications/change.ts';
import type { Database } from '../database.ts';
import type { ChangedVerification } from './change-verification.ts';
import { verificationTable } from './row.ts';
import { writeVerifications } from './write-changes.ts';
import type { Queryable } from '../postgres.ts';

/** Stores a new verification with its first event and, if the change notifies the tenant, its webhook. */
export async function insertVerification(
  db: Database,
  tx: Queryable,
  change: VerificationChange,
  now: Date,
): Promise<ChangedVerification> {
  const { after: record } = change;
  const keys = await db.vault.tenantKeys(record.tenantId);
  const open = verificationTable.withNewKey(record, keys);
  const { opened, outbox } = await writeVerifications(db, tx, [{ open, change, isNew: true }], now);
  return { open: opened[0] ?? open, outbox };
}
