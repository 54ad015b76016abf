import type { Knex } from 'knex';
import type { EntityRecord } from '../../domain/entities/entity.ts';
import type { EntityList } from '../../domain/entities/list.ts';
import { nameSearch } from '../../domain/entities/names.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import { idRange } from '../search-patterns.ts';
import { ENTITY_COLUMNS, toEntity, type EntityRow } from './entity-row.ts';

/** The indexes are in these orders; an entity without a score or an assessment comes before all that have one. */
const SORT_COLUMNS: Record<EntityList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name_folded collate "C"',
  type: 'type',
  riskScore: 'coalesce(risk_score, -1)',
  riskAssessedAt: `coalesce(risk_assessed_at, '-infinity')`,
  id: 'id',
};

/** One page of the directory. */
export async function listEntities({ pool }: Database, list: EntityList): Promise<ListPage<EntityRecord>> {
  const page = {
    matching: statementOf(matchingEntities(list)),
    orderBy: `${SORT_COLUMNS[list.sort]} ${list.order}, id ${list.order}`,
    rows: `select ${ENTITY_COLUMNS} from page join entities using (id)`,
    range: list,
  };
  return await readPage(pool, page, (rows: EntityRow[]) => rows.map(toEntity));
}

function matchingEntities({ q, filters }: EntityList): Knex.QueryBuilder {
  const { inNetwork, isRiskAssessed, isDuplicate } = filters;
  const matching = sql('entities').select('id');
  // Written out, so that the index of those that are can be used.
  if (inNetwork !== undefined) matching.whereRaw(inNetwork ? 'in_network' : 'not in_network');
  if (isRiskAssessed !== undefined) {
    matching.whereRaw(`risk_assessed_at is ${isRiskAssessed ? 'not null' : 'null'}`);
  }
  if (isDuplicate !== undefined)
    matching.whereRaw(`master_entity_id is ${isDuplicate ? 'not null' : 'null'}`);
  whereGiven(matching, {
    'type = any(?::text[])': filters.type,
    'risk_severity = any(?::text[])': filters.riskSeverity,
  });
  // A blank search finds everything.
  return q === undefined || q.trim() === '' ? matching : searched(matching, q);
}

/** `q` finds names by words and their beginnings, all within one name, and ids exactly or by prefix. */
function searched(matching: Knex.QueryBuilder, q: string): Knex.QueryBuilder {
  const search = nameSearch(q);
  const ids = idRange(q.trim());
  // Nothing but punctuation finds nothing, rather than everything.
  if (search === undefined && !ids) return matching.whereRaw('false');
  return matching.where((found) => {
    if (search !== undefined) {
      found.orWhereRaw('id in (select entity_id from entity_names where words @@ ?::tsquery)', [search]);
    }
    if (ids) found.orWhereRaw('id between ?::uuid and ?::uuid', ids);
  });
}
