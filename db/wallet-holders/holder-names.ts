import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { holderWalletOf } from '../../domain/transactions/beneficiary-match.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';

/** Names of the holders of destinations, by wallet id. */
export type HolderNames = ReadonlyMap<number, string>;

export interface HolderRow {
  tenant_id: string;
  wallet_id: number;
  holder_name: Buffer;
}

/** The wallets whose holders records are compared with. */
export function holderWallets(records: readonly TransactionRecord[]): number[] {
  return [...new Set(records.flatMap((record) => holderWalletOf(record) ?? []))];
}

/** The names of the holders of the records' destinations, as far as their tenants gave them. */
export async function findHolderNames(
  db: Database,
  tx: Queryable,
  records: readonly TransactionRecord[],
): Promise<HolderNames> {
  const ids = holderWallets(records);
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<HolderRow>({
    name: 'find-holder-names',
    text: `select tenant_id, id as wallet_id, holder_name from wallets
      where id = any($1::bigint[]) and tenant_id = any($2::uuid[]) and holder_name is not null`,
    values: [ids, records.map(({ tenantId }) => tenantId)],
  });
  return await openHolderNames(db, rows);
}

/** Decrypts holders' names with the keys of their tenants. */
export async function openHolderNames(db: Database, rows: readonly HolderRow[]): Promise<HolderNames> {
  const names = new Map<number, string>();
  for (const { tenant_id: tenantId, wallet_id: id, holder_name: sealed } of rows) {
    const keys = await db.vault.tenantKeys(tenantId, [sealed]);
    names.set(id, keys.open<string>(sealingContext.wallet.holderName(tenantId, id), sealed));
  }
  return names;
}
