import { BUNDLED_SOURCE } from '../../domain/entities/entity.ts';
import type { FoundLabel } from '../../domain/labels/label.ts';
import type { Queryable } from '../postgres.ts';

/**
 * SQL: the entity of the directory that a label names, by the id of the label's own source or of the bundled directory;
 * for a duplicate, its master. The own source counts first.
 */
export const labelledEntitySql = ({ source, sourceId }: { source: string; sourceId: string }) => `
  select coalesce(e.master_entity_id, e.id) as id from entities e
  where e.source in ('${BUNDLED_SOURCE}', ${source}) and e.source_id = ${sourceId}
  order by e.source = ${source} desc limit 1`;

/** The id in the directory of the entity that a label names; null where it names none that is there. */
export async function findLabelledEntity(
  db: Queryable,
  label: Pick<FoundLabel, 'source' | 'entityId'> | undefined,
): Promise<string | null> {
  if (!label || label.entityId === null) return null;
  const { rows } = await db.query<{ id: string }>({
    name: 'find-labelled-entity',
    text: labelledEntitySql({ source: '$1', sourceId: '$2' }),
    values: [label.source, label.entityId],
  });
  return rows[0]?.id ?? null;
}
