import type { Queryable } from './postgres.ts';

/** The role of a connection when it owns tables, or may act as their owner; null when it does not. */
export async function findTableOwner(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ role: string }>(
    `select current_user as role where exists (
       select from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and pg_has_role(current_user, relowner, 'MEMBER'))`,
  );
  return rows[0]?.role ?? null;
}
