import type { DeliveryList, DeliveryRecord } from '../../domain/webhooks/schema.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { DELIVERY_COLUMNS, toDelivery, type DeliveryRow } from './delivery-row.ts';
import type { Queryable } from '../postgres.ts';

const SORT_COLUMNS: Record<DeliveryList['sort'], string> = {
  createdAt: 'created_at',
  finishedAt: 'finished_at',
  status: 'status',
};

export interface DeliveryPage {
  deliveries: DeliveryRecord[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's deliveries with their attempts; `q` finds ids of deliveries and records, whole or by prefix. */
export async function listDeliveries(
  { pool }: Database,
  tenantId: string,
  list: DeliveryList,
  wantsCount: boolean,
): Promise<DeliveryPage> {
  const where = conditionsOf(tenantId, list);
  const [deliveries, total] = await Promise.all([
    readPage(pool, where, list),
    wantsCount ? countAll(pool, where) : undefined,
  ]);
  return { deliveries, total };
}

function conditionsOf(tenantId: string, { filters, q }: DeliveryList): Conditions {
  const where = conditions();
  where.where(tenantId, (value) => `tenant_id = ${value}`);
  where.where(filters.status, (value) => `status = any(${value}::text[])`);
  where.where(filters.kind, (value) => `kind = any(${value}::text[])`);
  where.where(filters.resourceId, (value) => `resource_id = ${value}`);
  where.where(filters.from, (value) => `created_at >= ${value}`);
  where.where(filters.to, (value) => `created_at <= ${value}`);
  where.where(
    q?.trim().toLowerCase(),
    (value) => `(starts_with(id::text, ${value}) or starts_with(resource_id::text, ${value}))`,
  );
  return where;
}

/** Keys first, rows after: a deep page must not read the attempts of all that it skips. */
async function readPage(db: Queryable, where: Conditions, list: DeliveryList): Promise<DeliveryRecord[]> {
  const column = SORT_COLUMNS[list.sort];
  // Said only where it matters: with it the index of a column that is never null would not fit.
  const nulls = list.sort === 'finishedAt' ? ' nulls last' : '';
  const { rows } = await db.query<DeliveryRow>(
    `with page as (
       select id as page_id, row_number() over () as place from (
         select id from webhook_deliveries where ${where.sql}
         order by ${column} ${list.order}${nulls}, id ${list.order}
         offset ${list.start} limit ${list.end - list.start}
       ) keys
     )
     select ${DELIVERY_COLUMNS} from page join webhook_deliveries d on d.id = page_id order by place`,
    where.values,
  );
  return rows.map(toDelivery);
}

async function countAll(db: Queryable, where: Conditions): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*) as total from webhook_deliveries where ${where.sql}`,
    where.values,
  );
  return rows[0]?.total ?? 0;
}
