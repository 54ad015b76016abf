import type { WalletList } from '../../domain/wallets/list.ts';
import type { WalletRecord } from '../../domain/wallets/wallet.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
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

export interface WalletPage {
  wallets: WalletRecord[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's wallets and the exact number of all that match, asked for side by side. */
export async function listWallets(
  db: Database,
  tenantId: string,
  list: WalletList,
  wantsCount: boolean,
): Promise<WalletPage> {
  const where = await conditionsOf(db, tenantId, list);
  const [wallets, total] = await Promise.all([
    readPage(db, where, list),
    wantsCount ? countAll(db, where) : undefined,
  ]);
  return { wallets, total };
}

async function conditionsOf(db: Database, tenantId: string, list: WalletList): Promise<Conditions> {
  const where = conditions();
  const tenant = where.value(tenantId);
  where.add(`tenant_id = ${tenant}`);
  where.where(list.filters.status, (value) => `status = ${value}`);
  if (list.q !== undefined) {
    where.add(walletSearchCondition(list.q, await db.vault.tenantKeys(tenantId), tenant, where));
  }
  return where;
}

/** Keys first, rows after: a deep page must not read all the rows that it skips. */
async function readPage(db: Database, where: Conditions, list: WalletList): Promise<WalletRecord[]> {
  const column = SORT_COLUMNS[list.sort];
  const order = column === 'id' ? `id ${list.order}` : `${column} ${list.order}, id ${list.order}`;
  const { rows } = await db.pool.query<WalletRow>(
    `with page as (
       select id as page_id, row_number() over () as place from (
         select id from wallets where ${where.sql} order by ${order}
         offset ${list.start} limit ${list.end - list.start}
       ) keys
     )
     select ${WALLET_COLUMNS} from page join wallets on id = page_id order by place`,
    where.values,
  );
  return await Promise.all(rows.map(async (row) => await toWallet(db, row)));
}

async function countAll(db: Database, where: Conditions): Promise<number> {
  const { rows } = await db.pool.query<{ total: number }>(
    `select count(*) as total from wallets where ${where.sql}`,
    where.values,
  );
  return rows[0]?.total ?? 0;
}
