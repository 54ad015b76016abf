import type { VerificationList } from '../../domain/verifications/list.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { openVerificationRow } from './find-verification.ts';
import { READ_COLUMNS, type OpenVerification, type VerificationRow } from './row.ts';
import { verificationSearch } from './search-condition.ts';

const SORT_COLUMNS: Record<VerificationList['sort'], string> = {
  createdAt: 'v.created_at',
  updatedAt: 'v.updated_at',
  expiresAt: 'v.expires_at',
  status: 'v.status',
  flow: 'v.flow',
  asset: 'v.asset',
  blockchain: 'v.blockchain',
  riskScore: 'v.risk_score',
};

export interface VerificationPage {
  opened: OpenVerification[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's verifications and the exact number of all that match, asked for side by side. */
export async function listVerifications(
  db: Database,
  tenantId: string,
  list: VerificationList,
  wantsCount: boolean,
): Promise<VerificationPage> {
  const where = await conditionsOf(db, tenantId, list);
  const [opened, total] = await Promise.all([
    readPage(db, where, list),
    wantsCount ? countAll(db, where) : undefined,
  ]);
  return { opened, total };
}

async function conditionsOf(db: Database, tenantId: string, list: VerificationList): Promise<Conditions> {
  const { filters } = list;
  const where = conditions();
  where.where(tenantId, (value) => `v.tenant_id = ${value}`);
  where.add('v.deleted_at is null');
  where.where(filters.from, (value) => `v.created_at >= ${value}`);
  where.where(filters.to, (value) => `v.created_at <= ${value}`);
  where.where(filters.status, (value) => `v.status = any(${value}::text[])`);
  where.where(filters.flow, (value) => `v.flow = any(${value}::text[])`);
  where.where(
    filters.step?.map((status) => JSON.stringify([{ status }])),
    (value) => `v.steps <> '[]' and v.steps @> any(${value}::jsonb[])`,
  );
  if (list.q !== undefined) {
    where.add(verificationSearch(list.q, await db.vault.tenantKeys(tenantId), where));
  }
  return where;
}

async function readPage(
  db: Database,
  where: Conditions,
  { sort, order, start, end }: VerificationList,
): Promise<OpenVerification[]> {
  const nulls = sort === 'flow' ? ' nulls last' : '';
  const { rows } = await db.pool.query<VerificationRow>(
    `select ${READ_COLUMNS} from verifications v where ${where.sql}
     order by ${SORT_COLUMNS[sort]} ${order}${nulls}, v.id ${order} offset ${start} limit ${end - start}`,
    where.values,
  );
  return await Promise.all(rows.map(async (row) => await openVerificationRow(db, row)));
}

async function countAll(db: Database, where: Conditions): Promise<number> {
  const { rows } = await db.pool.query<{ total: number }>(
    `select count(*) as total from verifications v where ${where.sql}`,
    where.values,
  );
  return rows[0]?.total ?? 0;
}
