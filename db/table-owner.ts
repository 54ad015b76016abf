import type { Queryable } from './postgres.ts';

/**
 * The role of a connection when it can remove the guards of the tables; null when it cannot: it owns tables or may act as
 * their owner, or owns the schema, as the owner of the database does, and so may drop what is in it, or owns a function
 * that a guard calls, and so may write another one in its place.
 */
export async function findTableOwner(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ role: string }>(
    `select current_user as role
     from (
       select relowner from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       union select nspowner from pg_namespace where nspname = 'public'
       union select proowner from pg_proc
         where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype
     ) owners (id)
     where pg_has_role(current_user, id, 'MEMBER')
     limit 1`,
  );
  return rows[0]?.role ?? null;
}
