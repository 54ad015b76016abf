import type { Queryable } from '../postgres.ts';

/**
 * SQL: the ids of an entity, of its master and of all their duplicates as an array, without any where the id is null. A record
 * keeps the entity that it named before a merge, so whoever compares the entities of two records looks for one in these of the
 * other; and when a merge is taken back, they are two again.
 */
export const sameEntities = (id: string) => `array(
  select ${id} where ${id} is not null
  union all select master_entity_id from entities where id = ${id} and master_entity_id is not null
  union all select id from entities where master_entity_id = ${masterOf(id)})`;

/** SQL: the id of the entity's master, or its own where it has none; null where the id is null. */
export const masterOf = (id: string) =>
  `coalesce((select master_entity_id from entities where id = ${id}), ${id})`;

/**
 * The entities with their duplicates, for a list of what names them. They are read beforehand: of a subquery the planner guesses
 * ten, and reads a tenant's records one by one instead of the few of a rare counterparty.
 */
export async function withDuplicates(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'duplicates-of-counterparties',
    text: 'select id from entities where master_entity_id = any($1::uuid[])',
    values: [ids],
  });
  return [...ids, ...rows.map(({ id }) => id)];
}
