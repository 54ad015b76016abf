import type { PageRange } from '../../domain/list-query.ts';
import type { WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf } from '../query-builder.ts';
import { toChecks, type CheckRow } from './check-row.ts';

/** One page of a tenant's checks, newest first: their ids are in the order of time. */
export async function listChecks(
  db: Database,
  tenantId: string,
  range: PageRange,
): Promise<ListPage<WalletCheck>> {
  const page = {
    matching: statementOf(sql('wallet_checks').select('tenant_id', 'id').where('tenant_id', tenantId)),
    orderBy: 'id desc',
    rows: 'select id, body from page join wallet_checks using (tenant_id, id)',
    range,
  };
  return await readPage(db.pool, page, async (rows: CheckRow[]) => await toChecks(db, tenantId, rows));
}
