import { ADDED_ONLY } from './grant-rights.ts';
import type { Queryable } from './postgres.ts';

/** How the role of a connection can get past the guards of the tables, and the SQL statement that takes that right away. */
export interface WayPastGuards {
  role: string;
  /**
   * OWNS: it owns tables, their schema or the functions of their guards, or may act as who does. The others are rights with
   * which it can get there: to grant itself other roles, to run programs or write files of the server or subscribe to another one,
   * to switch triggers off, to put triggers of its own on the tables, which run with the rights of whoever writes, to refer to the tables
   * from tables of its own, or to put functions of the owner on those, whose types convert by functions of its own that then run as the
   * owner, to make functions that the owner calls in the place of PostgreSQL's, and to change what is only added to.
   */
  way:
    | 'OWNS'
    | 'CREATES_ROLES'
    | 'USES_SERVER'
    | 'SKIPS_TRIGGERS'
    | 'CREATES_TRIGGERS'
    | 'REFERS_TO_TABLES'
    | 'BORROWS_TRIGGERS'
    | 'CREATES_OBJECTS'
    | 'CHANGES_LOGS';
  /** What it can do that with: a role of PostgreSQL, one that may create roles, or what it can create objects in. */
  through: string | null;
  /** Null for OWNS, which no single statement ends. */
  statement: string | null;
}

/**
 * The first way past the guards, or null. The owner of a database owns its schema, and so may drop what is in it. Asked of
 * the role that signed in as well: a connection that acts as another role can go back to it. Up to PostgreSQL 15 a role
 * with CREATEROLE can grant itself every role but superusers, the owner and those of the server among them.
 */
export async function findWayPastGuards(db: Queryable): Promise<WayPastGuards | null> {
  const { rows } = await db.query<WayPastGuards>(
    `select a.role, w.way, w.through, w.statement
     from (values (current_user::text, 1), (session_user::text, 2)) a (role, turn)
     join pg_roles r on r.rolname = a.role
     cross join lateral (
       select 1 as place, 'OWNS' as way, null::text as through, null::text as statement where exists (${OWNERS})
       union all ${CREATES_ROLES}
       union all ${USES_SERVER}
       union all ${SKIPS_TRIGGERS}
       union all ${CREATES_TRIGGERS}
       union all ${REFERS_TO_TABLES}
       union all ${BORROWS_TRIGGERS}
       union all ${CREATES_OBJECTS}
       union all ${CHANGES_LOGS}
     ) w
     order by a.turn, w.place, w.through nulls first, w.statement
     limit 1`,
  );
  return rows[0] ?? null;
}

/** SQL: the functions that triggers, defaults, checks and indexes of the tables call, in whatever schema. */
const CALLED_BY_TABLES = `
  select t.tgfoid from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace
  union
  select d.refobjid from pg_depend d
    left join pg_attrdef f on d.classid = 'pg_attrdef'::regclass and f.oid = d.objid
    left join pg_constraint n on d.classid = 'pg_constraint'::regclass and n.oid = d.objid
    left join pg_index i on d.classid = 'pg_class'::regclass and i.indexrelid = d.objid
    join pg_class c on c.oid in (f.adrelid, n.conrelid, i.indrelid)
  where d.refclassid = 'pg_proc'::regclass and c.relnamespace = 'public'::regnamespace`;

/** SQL: the operators that are found in the schema of the tables, or their functions, and types with their casts: all run as whoever uses them. */
const OPERATORS_AND_TYPES = `
  select o.oprowner from pg_operator o where o.oprnamespace = 'public'::regnamespace
  union select p.proowner from pg_operator o join pg_proc p on p.oid = o.oprcode where o.oprnamespace = 'public'::regnamespace
  union select typowner from pg_type where typnamespace = 'public'::regnamespace`;

const OWNERS = `
  select 1 from (
    select relowner from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    union select nspowner from pg_namespace where nspname = 'public'
    union select datdba from pg_database where datname = current_database()
    union select proowner from pg_proc where pronamespace = 'public'::regnamespace or oid in (${CALLED_BY_TABLES})
    union ${OPERATORS_AND_TYPES}
  ) owners (id)
  where pg_has_role(r.oid, id, 'MEMBER')`;

/** The superuser of the server from its beginning, who has granted what no owner has. */
const FIRST_SUPERUSER = '10';

/** Since PostgreSQL 16 a membership is ended in the name of who has given it only, and with it those that its member has passed on. */
const HAS_GRANTORS = `current_setting('server_version_num')::int >= 160000`;

/** SQL: the statement that ends the membership through which `r` is in a role: a revoke of any other has no effect. */
const leaveSql = (role: string) => `
  (select format('revoke %s from %s', m.roleid::regrole, r.oid::regrole)
     || case when ${HAS_GRANTORS} and m.grantor <> ${FIRST_SUPERUSER} then format(' granted by %s', m.grantor::regrole) else '' end
     || case when ${HAS_GRANTORS} and m.admin_option then ' cascade' else '' end
   from pg_auth_members m
   where m.member = r.oid and pg_has_role(m.roleid, ${role}, 'MEMBER') order by m.roleid = ${role} desc, m.roleid limit 1)`;

/** SQL: whether `r` has what is granted to `grantee`; 0 is PUBLIC. */
const HAS_OF_GRANTEE = `(x.grantee = 0 or pg_has_role(r.oid, x.grantee, 'MEMBER'))`;
/**
 * SQL: from whom a statement of the owner takes the right `x` of an access list. What other roles have passed on is taken from those
 * to whom the owner has given it to pass on, and with it from all others: a revoke from anybody else has no effect.
 */
const grantee = (acl: string, owner: string) => `
  case when x.grantor <> ${owner} then (
      select string_agg(distinct g.grantee::regrole::text, ', ') || ' cascade' from aclexplode(${acl}) g
      where g.grantor = ${owner} and g.grantee <> ${owner} and g.privilege_type = x.privilege_type and g.is_grantable)
    when x.grantee = 0 then 'public'
    else x.grantee::regrole || case when exists (select from aclexplode(${acl}) g where g.grantor = x.grantee) then ' cascade' else '' end end`;

/**
 * SQL: the statement that takes the right `x` to the parameter `p`. A parameter has no owner: who has passed on what the first superuser
 * gave it takes it back, so that an administrator of managed PostgreSQL, who is no superuser, can run it as one of its members.
 */
const parameterStatement = (rights: string) => `
  case when x.grantor = ${FIRST_SUPERUSER}
    then format('revoke ${rights} on parameter %s from %s', p.parname, ${grantee('p.paracl', FIRST_SUPERUSER)})
    else format('set role %s; revoke ${rights} on parameter %s from %s cascade; reset role', x.grantor::regrole, p.parname,
      case when x.grantee = 0 then 'public' else x.grantee::regrole::text end) end`;

const CREATES_ROLES = `
  select 2, 'CREATES_ROLES', nullif(c.rolname::text, a.role),
    case when c.oid = r.oid then format('alter role %s nocreaterole', r.oid::regrole) else ${leaveSql('c.oid')} end
  from pg_roles c
  where c.rolcreaterole and current_setting('server_version_num')::int < 160000 and pg_has_role(r.oid, c.oid, 'MEMBER')`;

const USES_SERVER = `
  select 3, 'USES_SERVER', s.rolname::text, ${leaveSql('s.oid')}
  from pg_roles s
  where s.rolname in ('pg_execute_server_program', 'pg_write_server_files', 'pg_create_subscription')
    and pg_has_role(r.oid, s.oid, 'MEMBER')
  union all
  select 3, 'USES_SERVER', f.oid::regprocedure::text,
    format('revoke execute on function %s from %s', f.oid::regprocedure, ${grantee('f.proacl', 'f.proowner')})
  from pg_proc f cross join lateral aclexplode(f.proacl) x
  where f.proname in ('lo_export', 'pg_file_write', 'pg_file_rename', 'pg_file_unlink', 'dblink_connect_u') and ${HAS_OF_GRANTEE}
  union all
  select 3, 'USES_SERVER', 'alter system on ' || p.parname,
    ${parameterStatement('alter system')}
  from pg_parameter_acl p cross join lateral aclexplode(p.paracl) x
  where p.parname <> 'session_replication_role' and x.privilege_type = 'ALTER SYSTEM' and ${HAS_OF_GRANTEE}`;

/** By a right, by a setting of the role or the database, or by one of the whole server. */
const SKIPS_TRIGGERS = `
  select 4, 'SKIPS_TRIGGERS', null,
    ${parameterStatement('set, alter system')}
  from pg_parameter_acl p cross join lateral aclexplode(p.paracl) x
  where p.parname = 'session_replication_role' and ${HAS_OF_GRANTEE}
  union all
  select 4, 'SKIPS_TRIGGERS', null, case
    when s.setrole = 0 then format('alter database %I reset session_replication_role', current_database())
    when s.setdatabase = 0 then format('alter role %s reset session_replication_role', s.setrole::regrole)
    else format('alter role %s in database %I reset session_replication_role', s.setrole::regrole, current_database()) end
  from pg_db_role_setting s
  where s.setrole in (0, r.oid) and (s.setdatabase = 0 or s.setdatabase = (select d.oid from pg_database d where d.datname = current_database()))
    and exists (select from unnest(s.setconfig) one where one like 'session_replication_role=%' and one <> 'session_replication_role=origin')
  union all
  select 5, 'SKIPS_TRIGGERS', null, 'alter system reset session_replication_role'
  where current_setting('session_replication_role') <> 'origin'`;

/** SQL: where rights on tables and views, and on single columns of them, which a revoke from the whole takes too, are held. */
const RIGHTS_ON_TABLES = [
  ['c.relacl', 'pg_class c'],
  ['a.attacl', 'pg_class c join pg_attribute a on a.attrelid = c.oid and a.attacl is not null'],
] as const;
/** SQL: the access lists of a table `t` and of its single columns. */
const ACLS_OF_TABLE = `
  select t.relacl union all select l.attacl from pg_attribute l where l.attrelid = t.oid and l.attacl is not null`;
/**
 * SQL: the tables beside `c` that its owner takes a right on: all, but by name where views or tables of an extension are among
 * them, of which it may have no right at all. Then a statement about all tables fails as a whole.
 */
const tablesOfOwner = (right: string) => `
  case when exists (
      select from pg_class o where o.relnamespace = c.relnamespace and o.relkind in ('r', 'p', 'v', 'm', 'f')
        and not pg_has_role(c.relowner, o.relowner, 'MEMBER'))
    then (select string_agg(t.oid::regclass::text, ', ' order by t.relname) from pg_class t
      where t.relnamespace = c.relnamespace and t.relkind in ('r', 'p') and t.relowner = c.relowner and exists (
        select from (${ACLS_OF_TABLE}) acls (acl) cross join lateral aclexplode(acls.acl) g
        where g.grantee <> t.relowner and g.privilege_type = '${right}'))
    else format('all tables in schema %s', c.relnamespace::regnamespace) end`;

const CREATES_TRIGGERS = `
  select 6, 'CREATES_TRIGGERS', null,
    format('revoke trigger on %s from %s', ${tablesOfOwner('TRIGGER')}, ${grantee('c.relacl', 'c.relowner')})
  from pg_class c cross join lateral aclexplode(c.relacl) x
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and x.privilege_type = 'TRIGGER' and ${HAS_OF_GRANTEE}`;

/** SQL: whether a role owns one of the tables or may act as who does. */
const actsAsOwner = (role: string) => `
  exists (select from pg_class own where own.relnamespace = 'public'::regnamespace and own.relkind in ('r', 'p')
    and pg_has_role(${role}, own.relowner, 'MEMBER'))`;

/** A foreign key is checked as the owner of the table that it refers to, wherever that table is. */
const REFERS_TO_TABLES = RIGHTS_ON_TABLES.map(
  ([acl, held]) => `
  select 7, 'REFERS_TO_TABLES', null,
    format('revoke references on %s from %s', ${tablesOfOwner('REFERENCES')}, ${grantee(acl, 'c.relowner')})
  from ${held} cross join lateral aclexplode(${acl}) x
  where c.relkind in ('r', 'p') and x.privilege_type = 'REFERENCES' and ${HAS_OF_GRANTEE} and ${actsAsOwner('c.relowner')}`,
).join(`
  union all`);

/** The acl of a function that nobody has changed is null, and lets everybody execute it. */
const FUNCTION_ACL = `coalesce(f.proacl, acldefault('f', f.proowner))`;

/** SQL: whether `r`, or a role that it can act as, may use the schema of `f`: without that right nobody can name it. */
const IS_NAMED = `
  exists (select from pg_roles own where pg_has_role(r.oid, own.oid, 'MEMBER') and (has_schema_privilege(own.oid, f.pronamespace, 'USAGE')
    or own.oid = (select n.nspowner from pg_namespace n where n.oid = f.pronamespace)))`;

/** Triggers that stand call their function whoever may execute it, so that the statement takes nothing from them. */
const BORROWS_TRIGGERS = `
  select 8, 'BORROWS_TRIGGERS', f.oid::regprocedure::text,
    format('revoke execute on function %s from %s', f.oid::regprocedure, ${grantee(FUNCTION_ACL, 'f.proowner')})
  from pg_proc f cross join lateral aclexplode(${FUNCTION_ACL}) x
  where f.prosecdef and f.prorettype = 'trigger'::regtype and ${HAS_OF_GRANTEE} and ${IS_NAMED} and ${actsAsOwner('f.proowner')}`;

/** The acl of a schema or database that nobody has changed is null, and its owner's rights are in none. */
const SCHEMA_ACL = `coalesce(n.nspacl, acldefault('n', n.nspowner))`;
const DATABASE_ACL = `coalesce(d.datacl, acldefault('d', d.datdba))`;
/**
 * SQL: whether the owner of the tables looks for objects in a schema: by its own name, as PostgreSQL does unless told otherwise, or by a
 * setting for this database.
 */
const IS_SEARCHED = `
  n.nspname = 'public' or exists (
    select from pg_roles o
    where o.oid in (select relowner from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
      and (n.nspname = o.rolname or exists (
        select from pg_db_role_setting s cross join unnest(s.setconfig) one
          cross join regexp_split_to_table(substr(one, length('search_path=') + 1), ',') as searched
        where s.setrole in (0, o.oid) and s.setdatabase in (0, (select d.oid from pg_database d where d.datname = current_database()))
          and one like 'search_path=%' and lower(btrim(searched, ' "')) = lower(n.nspname))))`;

const CREATES_OBJECTS = `
  select 9, 'CREATES_OBJECTS', format('the schema %I', n.nspname), case
    when n.nspname <> 'public' and pg_has_role(r.oid, n.nspowner, 'MEMBER')
      then format('alter schema %I owner to %s', n.nspname, (select relowner::regrole from pg_class where oid = 'public.events'::regclass))
    else format('revoke create on schema %I from %s', n.nspname, ${grantee(SCHEMA_ACL, 'n.nspowner')}) end
  from pg_namespace n cross join lateral aclexplode(${SCHEMA_ACL}) x
  where x.privilege_type = 'CREATE' and ${HAS_OF_GRANTEE} and (${IS_SEARCHED})
  union all
  select 10, 'CREATES_OBJECTS', 'the database', format('revoke create on database %I from %s', d.datname, ${grantee(DATABASE_ACL, 'd.datdba')})
  from pg_database d cross join lateral aclexplode(${DATABASE_ACL}) x
  where d.datname = current_database() and x.privilege_type = 'CREATE' and ${HAS_OF_GRANTEE}`;

/** SQL: the views that show what is only added to, or views of it: who writes to one does that with the rights of its owner. */
const VIEWS_OF_LOGS = `
  with recursive shown (id) as (
    select oid from pg_class where relnamespace = 'public'::regnamespace and relname = any('{${ADDED_ONLY.join(',')}}')
    union
    select w.ev_class from shown join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = shown.id
      join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
  )
  select v.oid from shown join pg_class v on v.oid = shown.id
  where v.relkind = 'v' and not coalesce(v.reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false)`;

const changes = (place: number, tables: string, revoked: string) =>
  RIGHTS_ON_TABLES.map(
    ([acl, held]) => `
  select ${place}, 'CHANGES_LOGS', c.oid::regclass::text, format('revoke ${revoked} from %s', ${grantee(acl, 'c.relowner')})
  from ${held} cross join lateral aclexplode(${acl}) x
  where ${tables} and x.privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE') and ${HAS_OF_GRANTEE}`,
  );

const CHANGES_LOGS = [
  `
  select 11, 'CHANGES_LOGS', s.rolname::text, ${leaveSql('s.oid')}
  from pg_roles s where s.rolname = 'pg_write_all_data' and pg_has_role(r.oid, s.oid, 'MEMBER')`,
  ...changes(
    12,
    `c.relnamespace = 'public'::regnamespace and c.relname = any('{${ADDED_ONLY.join(',')}}')`,
    `update, delete, truncate on ${ADDED_ONLY.join(', ')}`,
  ),
  ...changes(
    13,
    `c.oid in (${VIEWS_OF_LOGS}) and not pg_has_role(r.oid, c.relowner, 'MEMBER')`,
    `update, delete on ' || c.oid::regclass || '`,
  ),
].join(`
  union all`);
