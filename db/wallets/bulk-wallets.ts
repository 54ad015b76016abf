import { unknownWallets, type WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { toWallet, WALLET_COLUMNS, type WalletRow } from './wallet-row.ts';
import type { Queryable } from '../postgres.ts';

/** Ids of a tenant's wallets, each once. */
export interface WalletIds {
  tenantId: string;
  ids: readonly number[];
}

/** The normalised addresses of wallets, each once. Throws not_found with the `ids` that the tenant does not have. */
export async function findWalletAddresses(db: Queryable, { tenantId, ids }: WalletIds): Promise<string[]> {
  const { rows } = await db.query<{ id: number; address_normal: string }>(
    'select id, address_normal from wallets where tenant_id = $1 and id = any($2::bigint[])',
    [tenantId, ids],
  );
  refuseUnknown(ids, rows);
  return [...new Set(rows.map((row) => row.address_normal))];
}

/**
 * Locks wallets in the order of ids, so that two callers cannot deadlock. Throws not_found like findWalletAddresses.
 */
export async function lockWallets(tx: Queryable, { tenantId, ids }: WalletIds): Promise<void> {
  const { rows } = await tx.query<{ id: number }>(
    'select id from wallets where tenant_id = $1 and id = any($2::bigint[]) order by id for update',
    [tenantId, ids],
  );
  refuseUnknown(ids, rows);
}

function refuseUnknown(ids: readonly number[], rows: readonly { id: number }[]): void {
  const known = new Set(rows.map((row) => row.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownWallets(unknown);
}

/** Reads wallets in the order of `ids`. */
export async function readWallets(
  db: Database,
  tx: Queryable,
  { tenantId, ids }: WalletIds,
): Promise<WalletRecord[]> {
  const { rows } = await tx.query<WalletRow>(
    `select ${WALLET_COLUMNS} from wallets where tenant_id = $1 and id = any($2::bigint[])
     order by array_position($2::bigint[], id)`,
    [tenantId, ids],
  );
  return await Promise.all(rows.map(async (row) => await toWallet(db, row)));
}
