import type { Knex } from 'knex';
import type { DeliveryList, DeliveryRecord } from '../../domain/webhooks/schema.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import { DELIVERY_COLUMNS, toDelivery, type DeliveryRow } from './delivery-row.ts';

const SORT_COLUMNS: Record<DeliveryList['sort'], string> = {
  createdAt: 'created_at',
  finishedAt: 'finished_at',
  status: 'status',
};

/** One page of a tenant's deliveries with their attempts; `q` finds ids of deliveries and records, whole or by prefix. */
export async function listDeliveries(
  { pool }: Database,
  tenantId: string,
  list: DeliveryList,
): Promise<ListPage<DeliveryRecord>> {
  const { sort, order } = list;
  // Said only where it matters: with it the index of a column that is never null would not fit.
  const nulls = sort === 'finishedAt' ? ' nulls last' : '';
  const page = {
    matching: statementOf(matchingDeliveries(tenantId, list)),
    orderBy: `${SORT_COLUMNS[sort]} ${order}${nulls}, id ${order}`,
    rows: `select ${DELIVERY_COLUMNS} from page join webhook_deliveries d using (id)`,
    range: list,
  };
  return await readPage(pool, page, (rows: DeliveryRow[]) => rows.map(toDelivery));
}

function matchingDeliveries(tenantId: string, { filters, q }: DeliveryList): Knex.QueryBuilder {
  const matching = sql('webhook_deliveries').select('id').where({ tenant_id: tenantId, partner_id: null });
  whereGiven(matching, {
    'status = any(?::text[])': filters.status,
    'kind = any(?::text[])': filters.kind,
    'resource_id = ?': filters.resourceId,
    'created_at >= ?': filters.from,
    'created_at <= ?': filters.to,
  });
  if (q === undefined) return matching;
  const start = q.trim().toLowerCase();
  return matching.whereRaw('(starts_with(id::text, ?) or starts_with(resource_id::text, ?))', [start, start]);
}
