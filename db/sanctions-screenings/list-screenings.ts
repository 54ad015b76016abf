import type { ScreeningList, ScreeningSummary } from '../../domain/sanctions-screening/history.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { nameToken, SUMMARY_COLUMNS, toSummary, type SummaryRow } from './screening-row.ts';

export interface ScreeningPage {
  screenings: ScreeningSummary[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's screenings; `q` is an id or a whole name, however it is written. */
export async function listScreenings(
  db: Database,
  tenantId: string,
  list: ScreeningList,
  wantsCount: boolean,
): Promise<ScreeningPage> {
  const where = await conditionsOf(db, tenantId, list);
  const [screenings, total] = await Promise.all([
    readPage(db, tenantId, where, list),
    wantsCount ? countAll(db, where) : undefined,
  ]);
  return { screenings, total };
}

async function conditionsOf(
  db: Database,
  tenantId: string,
  { filters, q }: ScreeningList,
): Promise<Conditions> {
  const where = conditions();
  where.where(tenantId, (value) => `tenant_id = ${value}`);
  where.where(filters.kind, (value) => `kind = ${value}`);
  // Written out, so that the index of those that are can be used.
  if (filters.sanctioned !== undefined) where.add(filters.sanctioned ? 'sanctioned' : 'not sanctioned');
  where.where(filters.from, (value) => `created_at >= ${value}`);
  where.where(filters.to, (value) => `created_at <= ${value}`);
  if (q !== undefined) {
    const keys = await db.vault.tenantKeys(tenantId);
    const [id, token] = [where.value(q.trim().toLowerCase()), where.value(nameToken(keys, q))];
    where.add(`(id::text = ${id} or name_token = ${token})`);
  }
  return where;
}

/** Keys first, rows after: a deep page must not read all the rows that it skips. */
async function readPage(
  db: Database,
  tenantId: string,
  where: Conditions,
  { order, start, end }: ScreeningList,
): Promise<ScreeningSummary[]> {
  const { rows } = await db.pool.query<SummaryRow>(
    `with page as (
       select id as page_id, row_number() over () as place from (
         select id from screenings where ${where.sql} order by created_at ${order}, id ${order}
         offset ${start} limit ${end - start}
       ) keys
     )
     select ${SUMMARY_COLUMNS} from page join screenings on id = page_id order by place`,
    where.values,
  );
  const keys = await db.vault.tenantKeys(
    tenantId,
    rows.map(({ subject }) => subject),
  );
  return rows.map((row) => toSummary(keys, tenantId, row));
}

async function countAll(db: Database, where: Conditions): Promise<number> {
  const { rows } = await db.pool.query<{ total: number }>(
    `select count(*) as total from screenings where ${where.sql}`,
    where.values,
  );
  return rows[0]?.total ?? 0;
}
