import type { Knex } from 'knex';
import type { VerificationList } from '../../domain/verifications/list.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { openVerificationRow } from './find-verification.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS, type OpenVerification } from './row.ts';
import { verificationSearch } from './search-condition.ts';

const SORT_COLUMNS: Record<VerificationList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  expiresAt: 'expires_at',
  status: 'status',
  flow: 'flow',
  asset: 'asset',
  blockchain: 'blockchain',
  riskScore: 'risk_score',
};

/** One page of a tenant's verifications. */
export async function listVerifications(
  db: Database,
  tenantId: string,
  list: VerificationList,
): Promise<ListPage<OpenVerification>> {
  const { sort, order } = list;
  const nulls = sort === 'flow' ? ' nulls last' : '';
  const page = {
    matching: statementOf(matchingVerifications(tenantId, list, await db.vault.tenantKeys(tenantId))),
    orderBy: `${SORT_COLUMNS[sort]} ${order}${nulls}, id ${order}`,
    rows: `select ${READ_COLUMNS} from page join verifications v using (id)`,
    range: list,
  };
  return await readPage(
    db.pool,
    page,
    async (rows: RecordRow[]) =>
      await Promise.all(rows.map(async (row) => await openVerificationRow(db, row))),
  );
}

function matchingVerifications(
  tenantId: string,
  { filters, q }: VerificationList,
  keys: TenantKeys,
): Knex.QueryBuilder {
  const matching = sql('verifications').select('id').where('tenant_id', tenantId).whereNull('deleted_at');
  whereGiven(matching, {
    'created_at >= ?': filters.from,
    'created_at <= ?': filters.to,
    'status = any(?::text[])': filters.status,
    'flow = any(?::text[])': filters.flow,
    [`steps <> '[]' and steps @> any(?::jsonb[])`]: filters.step?.map((status) =>
      JSON.stringify([{ status }]),
    ),
  });
  return q === undefined ? matching : matching.where(verificationSearch(q, keys));
}
