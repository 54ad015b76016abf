import { isSelfHosted, selfHostedWallet } from '../../domain/transactions/self-hosted-wallet.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { findVerification } from '../verifications/find-verification.ts';
import { findWalletProofs } from '../verifications/find-wallet-proofs.ts';
import type { OpenVerification } from '../verifications/row.ts';

/** The proofs that a transfer rests on. */
export interface TransferProofs {
  proofs: OpenVerification[];
  /** Ids of verifications that decided and were deleted since. */
  deleted: string[];
}

/**
 * The verifications that the log of a transfer names, and, where the other side is a self-hosted wallet, those that prove
 * the wallet now. Ordered by id.
 */
export async function findTransferProofs(db: Database, { record }: OpenTransaction): Promise<TransferProofs> {
  const { tenantId } = record;
  const ids = new Set(await namedVerifications(db.pool, record));
  if (isSelfHosted(record)) {
    const held = await findWalletProofs(db, db.pool, tenantId, selfHostedWallet(record));
    for (const { verificationId } of held) ids.add(verificationId);
  }
  const found: TransferProofs = { proofs: [], deleted: [] };
  for (const id of [...ids].toSorted()) {
    const open = await findVerification(db, tenantId, id);
    if (open) found.proofs.push(open);
    else found.deleted.push(id);
  }
  return found;
}

async function namedVerifications(
  db: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct basis->>'id' as id from events
     where tenant_id = $1 and subject_id = $2 and basis->>'kind' = 'VERIFICATION' and basis ? 'id'`,
    [tenantId, id],
  );
  return rows.map((row) => row.id);
}
