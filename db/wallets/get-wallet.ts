import { notFound } from '../../domain/errors.ts';
import type { WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { toWallet, WALLET_COLUMNS, type WalletRow } from './wallet-row.ts';

/** Reads a tenant's wallet. Throws not_found, also for another tenant's. */
export async function getWallet(db: Database, tenantId: string, id: number): Promise<WalletRecord> {
  const { rows } = await db.pool.query<WalletRow>(
    `select ${WALLET_COLUMNS} from wallets where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('wallet');
  return await toWallet(db, rows[0]);
}
