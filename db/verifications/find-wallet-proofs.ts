import type { WalletKey } from '../../domain/transactions/self-hosted-wallet.ts';
import { proofOf, type WalletProof } from '../../domain/verifications/wallet-proof.ts';
import type { Database } from '../database.ts';
import { openVerificationRow } from './find-verification.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from './row.ts';
import type { Queryable } from '../postgres.ts';

/** A wallet has few proofs; of more than this the newest count. */
const MAX_PROOFS = 100;

/** The tenant's own VERIFIED verifications of a wallet, newest first. */
export async function findWalletProofs(
  db: Database,
  tx: Queryable,
  tenantId: string,
  wallet: WalletKey,
): Promise<WalletProof[]> {
  return await readProofs(db, tx, { name: 'find-wallet-proofs', text: FIND }, { tenantId, wallet });
}

/** Like findWalletProofs; none of them is revoked, changed or deleted before the end of the transaction. */
export async function keepWalletProofs(
  db: Database,
  tx: Queryable,
  tenantId: string,
  wallet: WalletKey,
): Promise<WalletProof[]> {
  const keep = { name: 'keep-wallet-proofs', text: `${FIND} for share of v` };
  return await readProofs(db, tx, keep, { tenantId, wallet });
}

const FIND = `
  select ${READ_COLUMNS} from verifications v
  where v.tenant_id = $1 and v.address_normal = $2 and v.blockchain_key = $3 and v.status = 'VERIFIED'
    and v.deleted_at is null
  order by v.verified_at desc, v.id desc limit ${MAX_PROOFS}`;

async function readProofs(
  db: Database,
  tx: Queryable,
  statement: { name: string; text: string },
  { tenantId, wallet }: { tenantId: string; wallet: WalletKey },
): Promise<WalletProof[]> {
  const { addressNormal, blockchainKey } = wallet;
  if (addressNormal === null || blockchainKey === null) return [];
  const { rows } = await tx.query<RecordRow>({
    ...statement,
    values: [tenantId, addressNormal, blockchainKey],
  });
  const opened = await Promise.all(rows.map(async (row) => await openVerificationRow(db, row)));
  return opened.flatMap(({ record }) => proofOf(record) ?? []);
}
