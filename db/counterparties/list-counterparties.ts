import type { CounterpartyList, CounterpartyRecord } from '../../domain/entities/counterparty.ts';
import { nameSearch } from '../../domain/entities/names.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { COUNTERPARTY_SELECT, POLICY, toCounterparty, type CounterpartyRow } from './counterparty-row.ts';

const SORT_COLUMNS: Record<CounterpartyList['sort'], string> = {
  createdAt: 'e.created_at',
  name: 'e.name_folded collate "C"',
  riskScore: 'coalesce(e.risk_score, -1)',
};

/**
 * Every entity that the tenant has exchanged messages with or decided about, duplicates as their masters. Distinct
 * counterparties are read one after another from the index: a tenant has millions of messages with few of them.
 */
const KNOWN = `
  with recursive met as (
    (select counterparty_entity_id as id from transactions
     where tenant_id = $1 and counterparty_entity_id is not null and deleted_at is null
     order by counterparty_entity_id limit 1)
    union all
    select (select counterparty_entity_id from transactions
            where tenant_id = $1 and counterparty_entity_id > met.id and deleted_at is null
            order by counterparty_entity_id limit 1)
    from met where met.id is not null
  ), known as (
    select distinct coalesce(k.master_entity_id, k.id) as id from entities k
    where k.id in (select id from met union select entity_id from counterparties where tenant_id = $1)
  )`;

export interface CounterpartyPage {
  counterparties: CounterpartyRecord[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's counterparties and the exact number of all that match. Messages are counted for the page only. */
export async function listCounterparties(
  db: Database,
  tenantId: string,
  list: CounterpartyList,
  { now, wantsCount }: { now: Date; wantsCount: boolean },
): Promise<CounterpartyPage> {
  const where = conditionsOf(tenantId, now, list);
  const order = `${SORT_COLUMNS[list.sort]} ${list.order}, e.id ${list.order}`;
  const [page, count] = await Promise.all([
    db.pool.query<CounterpartyRow>(
      `${KNOWN}, page as materialized (
         select e.id as page_id, row_number() over (order by ${order}) as place
         from known join entities e using (id) where ${where.sql}
         order by place offset ${list.start} limit ${list.end - list.start}
       )
       select shown.* from page, lateral (${COUNTERPARTY_SELECT} where e.id = page.page_id) shown order by place`,
      where.values,
    ),
    wantsCount
      ? db.pool.query<{ total: number }>(
          `${KNOWN} select count(*) as total from known join entities e using (id) where ${where.sql}`,
          where.values,
        )
      : undefined,
  ]);
  const counterparties = page.rows.map(async (row) => await toCounterparty(db, tenantId, row));
  return { counterparties: await Promise.all(counterparties), total: count?.rows[0]?.total };
}

function conditionsOf(tenantId: string, now: Date, { q, filters }: CounterpartyList): Conditions {
  const where = conditions();
  // Both statements begin with tenant and moment.
  where.value(tenantId);
  where.where(now, (value) => `${value}::timestamptz is not null`);
  where.where(filters.policy, (value) => `${POLICY} = any(${value}::text[])`);
  // A blank search finds everything.
  if (q === undefined || q.trim() === '') return where;
  const search = nameSearch(q);
  if (search === undefined) where.add('false');
  else {
    const words = where.value(search);
    where.add(`e.id in (select entity_id from entity_names where words @@ ${words}::tsquery)`);
  }
  return where;
}
