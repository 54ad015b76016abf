import type { Knex } from 'knex';
import type { WalletList } from '../../domain/wallets/list.ts';
import type { WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { toWallet, WALLET_COLUMNS, type WalletRow } from './wallet-row.ts';
import { walletSearchCondition } from './wallet-search-condition.ts';

/** Addresses and assets sort by the form in which they are compared; the index is in that order. */
const SORT_COLUMNS: Record<WalletList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  id: 'id',
  address: 'address_normal collate "C"',
  asset: 'upper(asset) collate "C"',
  blockchain: 'blockchain',
  status: 'status',
};

/** One page of a tenant's wallets. */
export async function listWallets(
  db: Database,
  tenantId: string,
  list: WalletList,
): Promise<ListPage<WalletRecord>> {
  const page = {
    matching: statementOf(matchingWallets(tenantId, list, await db.vault.tenantKeys(tenantId))),
    orderBy: `${SORT_COLUMNS[list.sort]} ${list.order}, id ${list.order}`,
    rows: `select ${WALLET_COLUMNS} from page join wallets using (id)`,
    range: list,
  };
  return await readPage(
    db.pool,
    page,
    async (rows: WalletRow[]) => await Promise.all(rows.map(async (row) => await toWallet(db, row))),
  );
}

function matchingWallets(tenantId: string, { filters, q }: WalletList, keys: TenantKeys): Knex.QueryBuilder {
  const matching = sql('wallets').select('id').where('tenant_id', tenantId);
  whereGiven(matching, { 'status = ?': filters.status });
  return q === undefined ? matching : matching.where(walletSearchCondition(q, tenantId, keys));
}
