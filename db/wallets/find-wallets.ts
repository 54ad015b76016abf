import type { WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { toWallet, WALLET_COLUMNS, type WalletRow } from './wallet-row.ts';

/** Those of these wallets that the tenant has, by id. */
export async function findWallets(
  db: Database,
  tenantId: string,
  ids: readonly number[],
): Promise<WalletRecord[]> {
  const { rows } = await db.pool.query<WalletRow>(
    `select ${WALLET_COLUMNS} from wallets where tenant_id = $1 and id = any($2::bigint[]) order by id`,
    [tenantId, ids],
  );
  return await Promise.all(rows.map(async (row) => await toWallet(db, row)));
}
