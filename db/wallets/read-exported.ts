import type { WalletFilter } from '../../domain/exports/resources/wallets.ts';
import { viewWallet, type Wallet } from '../../domain/wallets/schema.ts';
import type { Database } from '../database.ts';
import { exportedRows } from '../exported-rows.ts';
import { toWallet, WALLET_COLUMNS, type WalletRow } from './wallet-row.ts';

const BATCH = 1_000;

/** The tenant's wallets that fit, in batches, oldest first; all from one state of the database. */
export async function* readExportedWallets(
  db: Database,
  tenantId: string,
  { from, until, status, source }: WalletFilter,
): AsyncGenerator<Wallet[]> {
  const batches = exportedRows<WalletRow>(db, {
    table: 'wallets',
    columns: WALLET_COLUMNS,
    tenantId,
    where: {
      'created_at >= ?': from,
      'created_at < ?': until,
      'status = any(?::text[])': status,
      'source = any(?::text[])': source,
    },
    orderBy: 'created_at, id',
    batch: BATCH,
  });
  for await (const rows of batches)
    yield await Promise.all(rows.map(async (row) => viewWallet(await toWallet(db, row))));
}
