import type { Knex } from 'knex';
import type { CounterpartyList, CounterpartyRecord } from '../../domain/entities/counterparty.ts';
import { HIGH_RISK_COUNTRIES } from '../../domain/entities/risk.ts';
import { nameSearch } from '../../domain/entities/names.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf } from '../query-builder.ts';
import { counterpartySql, policySql, toCounterparties, type CounterpartyRow } from './counterparty-row.ts';
import { warningSql } from './warning-filter.ts';

const SORT_COLUMNS: Record<CounterpartyList['sort'], string> = {
  createdAt: 'e.created_at',
  name: 'e.name_folded collate "C"',
  riskScore: 'coalesce(e.risk_score, -1)',
};

/**
 * The entities that the tenant has exchanged messages with. They are read one after another from the index: a tenant has
 * millions of messages with few of them.
 */
const MET = `
  (select counterparty_entity_id as id from transactions
   where tenant_id = :tenantId and counterparty_entity_id is not null and deleted_at is null
   order by counterparty_entity_id limit 1)
  union all
  select (select counterparty_entity_id from transactions
          where tenant_id = :tenantId and counterparty_entity_id > met.id and deleted_at is null
          order by counterparty_entity_id limit 1)
  from met where met.id is not null`;

/** The entities that the tenant has met or decided about, duplicates as their masters. */
const KNOWN = `
  select distinct coalesce(k.master_entity_id, k.id) as id from entities k
  where k.id in (select id from met union select entity_id from counterparties where tenant_id = :tenantId
    union select entity_id from counterparty_steps where tenant_id = :tenantId)`;

/** One page of a tenant's counterparties. Messages are counted for the page only. */
export async function listCounterparties(
  db: Database,
  { tenantId, now }: { tenantId: string; now: Date },
  list: CounterpartyList,
): Promise<ListPage<CounterpartyRecord>> {
  const matching = statementOf(matchingCounterparties({ tenantId, now }, list));
  const shown = counterpartySql({ tenantId: ':tenantId', now: ':now' });
  const details = sql.raw(`select shown.* from page, lateral (${shown} where e.id = page.id) shown`, {
    tenantId,
    now,
  });
  const page = {
    matching,
    orderBy: `${SORT_COLUMNS[list.sort]} ${list.order}, e.id ${list.order}`,
    rows: statementOf(details, matching.values.length + 1),
    range: list,
  };
  return await readPage(
    db.pool,
    page,
    async (rows: CounterpartyRow[]) => await toCounterparties(db, tenantId, rows),
  );
}

function matchingCounterparties(
  { tenantId, now }: { tenantId: string; now: Date },
  { q, filters }: CounterpartyList,
): Knex.QueryBuilder {
  const matching = sql
    .withRecursive('met', sql.raw(MET, { tenantId }))
    .with('known', sql.raw(KNOWN, { tenantId }))
    .select('e.id')
    .from('known')
    .joinRaw('join entities e using (id)');
  if (filters.policy) {
    matching.whereRaw(`${policySql(':tenantId')} = any(:policies::text[])`, {
      tenantId,
      policies: filters.policy,
    });
  }
  if (filters.warning) {
    const warnings = warningSql({ tenantId: ':tenantId', now: ':now', countries: ':countries' });
    const wanted = filters.warning.map((warning) => warnings[warning]);
    const countries = [...HIGH_RISK_COUNTRIES];
    matching.whereRaw(`(${wanted.join(' or ')})`, { tenantId, now, countries });
  }
  // A blank search finds everything.
  if (q === undefined || q.trim() === '') return matching;
  const search = nameSearch(q);
  if (search === undefined) return matching.whereRaw('false');
  return matching.whereRaw('e.id in (select entity_id from entity_names where words @@ ?::tsquery)', [
    search,
  ]);
}
