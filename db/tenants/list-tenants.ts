import { queryTerms } from '../../domain/fold.ts';
import type { TenantList } from '../../domain/tenants/schema.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { TENANT_COLUMNS, toTenant, type TenantRow } from './tenant-row.ts';
import type { Queryable } from '../postgres.ts';

const SORT_COLUMNS: Record<TenantList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name_folded',
};

export interface TenantPage {
  tenants: TenantRecord[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of the tenants that operators made; `q` finds names that hold all of its words. */
export async function listTenants(
  { pool }: Database,
  list: TenantList,
  wantsCount: boolean,
): Promise<TenantPage> {
  const where = conditionsOf(list);
  const [tenants, total] = await Promise.all([
    readPage(pool, where, list),
    wantsCount ? countAll(pool, where) : undefined,
  ]);
  return { tenants, total };
}

function conditionsOf({ q }: TenantList): Conditions {
  const where = conditions();
  // The counterparties of a sandbox are nobody's business.
  where.add('test_behaviour is null');
  if (q === undefined) return where;
  const words = queryTerms(q);
  // Nothing but punctuation finds nothing, rather than everything.
  if (words.length === 0) where.add('false');
  // Words hold letters, digits and marks only: nothing in them means anything to LIKE.
  for (const word of words) where.where(`%${word}%`, (value) => `name_folded like ${value}`);
  return where;
}

async function readPage(db: Queryable, where: Conditions, list: TenantList): Promise<TenantRecord[]> {
  const { rows } = await db.query<TenantRow>(
    `select ${TENANT_COLUMNS} from tenants where ${where.sql}
     order by ${SORT_COLUMNS[list.sort]} ${list.order}, id ${list.order}
     offset ${list.start} limit ${list.end - list.start}`,
    where.values,
  );
  return rows.map(toTenant);
}

async function countAll(db: Queryable, where: Conditions): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*) as total from tenants where ${where.sql}`,
    where.values,
  );
  return rows[0]?.total ?? 0;
}
