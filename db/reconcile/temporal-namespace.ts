import type { Queryable } from '../postgres.ts';

/**
 * The id of the Temporal namespace that holds the workflows of this database's rows; undefined before the first
 * reconciliation.
 */
export async function findNamespaceId(db: Queryable, name: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>('select id from temporal_namespaces where name = $1', [
    name,
  ]);
  return rows[0]?.id;
}

/** Records that every unfinished row has its workflow in this namespace. */
export async function keepNamespaceId(db: Queryable, name: string, id: string): Promise<void> {
  await db.query(
    `insert into temporal_namespaces (name, id, rebuilt_at) values ($1, $2, now())
     on conflict (name) do update set id = excluded.id, rebuilt_at = excluded.rebuilt_at`,
    [name, id],
  );
}
