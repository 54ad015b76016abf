import { isSelfHosted, selfHostedWallet } from '../../domain/transactions/self-hosted-wallet.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { isAnchored } from '../records/anchored-head.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { findVerification } from '../verifications/find-verification.ts';
import { findWalletProofs } from '../verifications/find-wallet-proofs.ts';
import type { OpenVerification } from '../verifications/row.ts';

/** The proofs that a transfer rests on. */
export interface TransferProofs {
  proofs: OpenVerification[];
  /** Ids of verifications that decided and were deleted since, as their logs say. */
  deleted: string[];
}

/**
 * The verifications that the log of a transfer names, and, where the other side is a self-hosted wallet, those that prove
 * the wallet now. Ordered by id. One that only its table says to be deleted is in neither list, so that it is missing in the archive.
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
    else if (await isDeleted(db, tenantId, id)) found.deleted.push(id);
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

interface DeletedRow {
  sequence: number;
  head: Buffer;
  head_mac: Buffer | null;
  /** The type of the last entry of its log. */
  type: string | null;
}

/** Whether the log of a verification ends with its deletion, and nobody else has written that. */
async function isDeleted({ pool, vault }: Database, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await pool.query<DeletedRow>(
    `select v.sequence, v.head, v.head_mac, e.type from verifications v
       left join events e on e.tenant_id = v.tenant_id and e.subject_id = v.id and e.sequence = v.sequence and e.hash = v.head
     where v.tenant_id = $1 and v.id = $2 and v.deleted_at is not null`,
    [tenantId, id],
  );
  return rows.some(
    ({ sequence, head, head_mac: headMac, type }) =>
      (type === 'DELETED' || type === 'ERASED') &&
      isAnchored(vault, 'VERIFICATION', { id, tenantId, sequence, head, headMac }),
  );
}
