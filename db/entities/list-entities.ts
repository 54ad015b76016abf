import type { EntityRecord } from '../../domain/entities/entity.ts';
import type { EntityList } from '../../domain/entities/list.ts';
import { nameSearch } from '../../domain/entities/names.ts';
import { conditions, type Conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
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

export interface EntityPage {
  entities: EntityRecord[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of the directory and the exact number of all that match. */
export async function listEntities(
  { pool }: Database,
  list: EntityList,
  wantsCount: boolean,
): Promise<EntityPage> {
  const where = conditionsOf(list);
  const column = SORT_COLUMNS[list.sort];
  const order = column === 'id' ? `id ${list.order}` : `${column} ${list.order}, id ${list.order}`;
  const [page, count] = await Promise.all([
    pool.query<EntityRow>(
      `select ${ENTITY_COLUMNS} from entities where ${where.sql} order by ${order}
       offset ${list.start} limit ${list.end - list.start}`,
      where.values,
    ),
    wantsCount
      ? pool.query<{ total: number }>(
          `select count(*) as total from entities where ${where.sql}`,
          where.values,
        )
      : undefined,
  ]);
  return { entities: page.rows.map(toEntity), total: count?.rows[0]?.total };
}

function conditionsOf({ q, filters }: EntityList): Conditions {
  const where = conditions();
  where.add('true');
  if (filters.inNetwork !== undefined) where.add(filters.inNetwork ? 'in_network' : 'not in_network');
  if (filters.isRiskAssessed !== undefined) {
    where.add(`risk_assessed_at is ${filters.isRiskAssessed ? 'not null' : 'null'}`);
  }
  if (filters.isDuplicate !== undefined) {
    where.add(`master_entity_id is ${filters.isDuplicate ? 'not null' : 'null'}`);
  }
  where.where(filters.type, (value) => `type = any(${value}::text[])`);
  where.where(filters.riskSeverity, (value) => `risk_severity = any(${value}::text[])`);
  // A blank search finds everything.
  if (q !== undefined && q.trim() !== '') where.add(searchCondition(q, where));
  return where;
}

/** Names by words and their beginnings, all within one name; ids exactly or by prefix. */
function searchCondition(q: string, where: Conditions): string {
  const arms: string[] = [];
  const search = nameSearch(q);
  if (search !== undefined) {
    arms.push(`id in (select entity_id from entity_names where words @@ ${where.value(search)}::tsquery)`);
  }
  const ids = idRange(q.trim());
  if (ids) arms.push(`id between ${where.value(ids[0])}::uuid and ${where.value(ids[1])}::uuid`);
  // Nothing but punctuation finds nothing, rather than everything.
  return arms.length === 0 ? 'false' : `(${arms.join(' or ')})`;
}
