import type { CheckHistoryQuery, WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import type { Database } from '../database.ts';
import { toChecks, type CheckRow } from './check-row.ts';

export interface CheckPage {
  checks: WalletCheck[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's checks, newest first: their ids are in the order of time. */
export async function listChecks(
  db: Database,
  tenantId: string,
  { offset, limit }: CheckHistoryQuery,
  wantsCount: boolean,
): Promise<CheckPage> {
  const [page, count] = await Promise.all([
    db.pool.query<CheckRow>(
      'select id, body from wallet_checks where tenant_id = $1 order by id desc offset $2 limit $3',
      [tenantId, offset, limit],
    ),
    wantsCount
      ? db.pool.query<{ total: number }>('select count(*) as total from wallet_checks where tenant_id = $1', [
          tenantId,
        ])
      : undefined,
  ]);
  return { checks: await toChecks(db, tenantId, page.rows), total: count?.rows[0]?.total };
}
