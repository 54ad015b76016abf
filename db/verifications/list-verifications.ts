import type { Knex } from 'knex';
import type { VerificationList } from '../../domain/verifications/list.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven, type SqlStatement } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { openVerificationRow } from './find-verification.ts';
import type { RecordRow } from '../records/record-table.ts';
import { countRecords } from '../statistics/count-records.ts';
import { VERIFICATIONS } from '../statistics/measures.ts';
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
  const matching = statementOf(matchingVerifications(tenantId, list, await db.vault.tenantKeys(tenantId)));
  const page = {
    matching,
    count: keptCount(tenantId, list, matching),
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

/** The number from the statistics, for a list that is filtered by nothing but flow and status. */
function keptCount(
  tenantId: string,
  { filters, q }: VerificationList,
  matching: SqlStatement,
): SqlStatement | undefined {
  const { flow, status, ...others } = filters;
  if (q !== undefined || Object.values(others).some((value) => value !== undefined)) return undefined;
  return countRecords(VERIFICATIONS, { tenantId, first: flow, second: status }, matching);
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
