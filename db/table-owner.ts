import type { Queryable } from './postgres.ts';

/** How the role of a connection can remove the guards of the tables. */
interface WayPastGuards {
  role: string;
  /**
   * OWNS: it owns tables, their schema or the functions of their guards, or may act as who does. The others are rights with
   * which it can get there: to grant itself other roles, to run programs or write files of the server or subscribe to another one,
   * to switch triggers off, to put triggers of its own on the tables, which run with the rights of whoever writes.
   */
  way: 'OWNS' | 'CREATES_ROLES' | 'USES_SERVER' | 'SKIPS_TRIGGERS' | 'CREATES_TRIGGERS';
  /** The other role through which it has the right: that of PostgreSQL, or one that may create roles. */
  through: string | null;
}

/**
 * The first way past the guards, or null. The owner of a database owns its schema, and so may drop what is in it. Asked of
 * the role that signed in as well: a connection that acts as another role can go back to it. Up to PostgreSQL 15 a role
 * with CREATEROLE can grant itself every role but superusers, the owner and those of the server among them.
 */
export async function findWayPastGuards(db: Queryable): Promise<WayPastGuards | null> {
  const { rows } = await db.query<WayPastGuards>(
    `select a.role, w.way, w.through
     from (values (current_user::text, 1), (session_user::text, 2)) a (role, turn)
     join pg_roles r on r.rolname = a.role
     cross join lateral (
       select 1 as place, 'OWNS' as way, null::text as through where exists (${OWNERS})
       union all select 2, 'CREATES_ROLES', nullif(c.rolname::text, a.role) from pg_roles c
         where c.rolcreaterole and current_setting('server_version_num')::int < 160000
           and pg_has_role(r.oid, c.oid, 'MEMBER')
       union all select 3, 'USES_SERVER', s.rolname::text from pg_roles s
         where s.rolname in ('pg_execute_server_program', 'pg_write_server_files', 'pg_create_subscription')
           and pg_has_role(r.oid, s.oid, 'MEMBER')
       union all select 4, 'SKIPS_TRIGGERS', null
         where has_parameter_privilege(r.oid, 'session_replication_role', 'SET, ALTER SYSTEM')
       union all select 5, 'CREATES_TRIGGERS', null where exists (
         select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
           and has_table_privilege(r.oid, c.oid, 'TRIGGER'))
     ) w
     order by a.turn, w.place, w.through nulls first
     limit 1`,
  );
  return rows[0] ?? null;
}

const OWNERS = `
  select 1 from (
    select relowner from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    union select nspowner from pg_namespace where nspname = 'public'
    union select proowner from pg_proc
      where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype
  ) owners (id)
  where pg_has_role(r.oid, id, 'MEMBER')`;
