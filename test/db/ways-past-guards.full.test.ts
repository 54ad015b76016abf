import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { checkOwnership } from '../../process/check-ownership.ts';
import { migrateAsOwner } from '../../process/migrate-as-owner.ts';
import { testDatabase, type TestDatabase } from '../database.ts';

// Each right by which the role of api and worker could rewrite what was logged is refused, and the printed statement ends it.
const mark = randomBytes(4).toString('hex');
const [OWNER, SERVICE, GROUP, OUTER] = ['Owner', 'service', 'group', 'outer'].map(
  (name) => `${name}_${mark}`,
);
let database: TestDatabase;
let serviceUrl: string;

beforeAll(async () => {
  database = await testDatabase('template0');
  for (const role of [OWNER, SERVICE])
    await database.pool.query(`create role "${role}" login password 'pass'`);
  await database.pool.query(`create role ${GROUP}; create role ${OUTER}; grant ${OUTER} to ${GROUP}`);
  await database.pool.query(`alter database ${database.name} owner to "${OWNER}"`);
  serviceUrl = urlOf(SERVICE ?? '');
  await migrateAsOwner({ DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: urlOf(OWNER ?? '') });
});
afterAll(async () => {
  await database.pool.query(`drop owned by ${SERVICE}, "${OWNER}", ${GROUP}, ${OUTER} cascade`);
  await database.pool.query(`alter database ${database.name} owner to current_user`);
  await database.pool.query(`drop role ${SERVICE}, "${OWNER}", ${GROUP}, ${OUTER}`);
  await database.drop();
});

function urlOf(role: string): string {
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'pass'];
  return url.href;
}

/** The refusal of production; null where it starts. By a new connection, as settings of a role count from its sign-in on. */
async function refusal(): Promise<string | null> {
  const pool = new pg.Pool({ connectionString: serviceUrl, max: 1 });
  try {
    await checkOwnership({ ENVIRONMENT: 'production' }, pool);
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await pool.end();
  }
}

test('the role of the guide is not refused', async () => {
  expect(await refusal()).toBeNull();
});

const toGroup = (give: string) => `${give} to ${GROUP}; grant ${GROUP} to ${SERVICE}`;
const leave = `revoke ${GROUP} from ${SERVICE}`;
const PARAMETER = 'grant set on parameter session_replication_role';

/** A right that the owner has given one role, which has given it another, which has given it the service. */
const passedOn = (right: string, what: string) =>
  `grant ${right} ${what} to ${OUTER} with grant option; set role ${OUTER}; grant ${right} ${what} to ${GROUP} with grant option;
   reset role; set role ${GROUP}; grant ${right} ${what} to ${SERVICE}; reset role`;
const asOwner = (statement: string) => `set role "${OWNER}"; ${statement}; reset role`;

const RIGHTS: [what: string, give: string, takeBack?: string][] = [
  ['create in the schema', `grant create on schema public to ${SERVICE}`],
  [
    'create in the schema by PUBLIC, as a database of PostgreSQL 14 has it',
    'grant create on schema public to public',
  ],
  ['create in the schema through a group', toGroup('grant create on schema public'), leave],
  ['create in the database', `grant create on database NAME to ${SERVICE}`],
  ['create in the database by PUBLIC', 'grant create on database NAME to public'],
  ['the files of the server', `grant pg_write_server_files to ${SERVICE}`],
  [
    'the files of the server through a group',
    toGroup('grant pg_write_server_files'),
    `revoke pg_write_server_files from ${GROUP}`,
  ],
  [
    'the programs of the server through a group of a group',
    `grant pg_execute_server_program to ${OUTER}; grant ${GROUP} to ${SERVICE}`,
    `revoke pg_execute_server_program from ${OUTER}`,
  ],
  ['session_replication_role', `${PARAMETER} to ${SERVICE}`],
  ['session_replication_role through a group', toGroup(PARAMETER), leave],
  ['session_replication_role by PUBLIC', `${PARAMETER} to public`],
  ['triggers that are off for the role', `alter role ${SERVICE} set session_replication_role = replica`],
  ['triggers that are off in the database', 'alter database NAME set session_replication_role = replica'],
  [
    'triggers that are off for the role in the database',
    `alter role ${SERVICE} in database NAME set session_replication_role = replica`,
  ],
  ['triggers', `grant trigger on tenants to ${SERVICE}`],
  ['triggers by PUBLIC', 'grant trigger on tenants to public'],
  ['triggers through a group', toGroup('grant trigger on tenants'), leave],
  ['foreign keys', `grant references on tenants to ${SERVICE}`],
  ['foreign keys to one column by PUBLIC', 'grant references (id) on tenants to public'],
  ['foreign keys through a group', toGroup('grant references on tenants'), leave],
  [
    'foreign keys by what another role has passed on',
    passedOn('references', 'on tenants'),
    `revoke references on tenants from ${GROUP}, ${OUTER} cascade`,
  ],
  [
    'foreign keys to a table of the owner elsewhere',
    `create schema "Reports"; create table "Reports".seen (id int primary key); alter table "Reports".seen owner to "${OWNER}";
     grant references on "Reports".seen to ${SERVICE}`,
    'drop schema "Reports" cascade',
  ],
  ['all data', `grant pg_write_all_data to ${SERVICE}`],
  ['all data through a group', toGroup('grant pg_write_all_data'), `revoke pg_write_all_data from ${GROUP}`],
  ['deletion of sent messages', `grant delete on payload_versions to ${SERVICE}`],
  ['deletion of events by PUBLIC', 'grant delete on events to public'],
  ['one column of sent messages', `grant update (payload) on payload_versions to ${SERVICE}`],
  ['one column of events through a group', toGroup('grant update (message) on events'), leave],
  [
    'sent messages by what another role has passed on',
    passedOn('update', 'on payload_versions'),
    `revoke update on payload_versions from ${GROUP}, ${OUTER} cascade`,
  ],
  [
    'triggers by what another role has passed on',
    passedOn('trigger', 'on tenants'),
    `revoke trigger on tenants from ${GROUP}, ${OUTER} cascade`,
  ],
  [
    'create in the schema by what another role has passed on',
    passedOn('create', 'on schema public'),
    `revoke create on schema public from ${GROUP}, ${OUTER} cascade`,
  ],
  [
    'create in the schema through a group that has passed it on',
    `${asOwner(`grant create on schema public to ${GROUP} with grant option`)}; set role ${GROUP};
     grant create on schema public to ${OUTER}; reset role; grant ${GROUP} to ${SERVICE}`,
    leave,
  ],
  [
    'a view of sent messages that its owner has made in the schema of the tables',
    `${asOwner('create view sent as select * from payload_versions')}; grant update on sent to ${SERVICE}`,
    'drop view sent',
  ],
  [
    'a view of a view of sent messages elsewhere',
    `create schema reports; grant usage on schema reports to ${SERVICE};
     create view reports.sent as select * from payload_versions; create view reports.latest as select * from reports.sent;
     grant delete on reports.latest to ${SERVICE}`,
    'drop schema reports cascade',
  ],
  [
    'session_replication_role by what another role has passed on',
    `${PARAMETER} to ${OUTER} with grant option; set role ${OUTER}; ${PARAMETER} to ${SERVICE}; reset role`,
    `revoke set on parameter session_replication_role from ${OUTER} cascade`,
  ],
  ['files of the server by large objects', `grant execute on function lo_export(oid, text) to ${SERVICE}`],
  [
    'create in the schema that the owner searches first',
    `create schema "${OWNER}"; grant create on schema "${OWNER}" to ${SERVICE}`,
    `drop schema "${OWNER}"`,
  ],
  [
    'a schema of its own that the owner searches by a setting',
    `create schema tools authorization ${SERVICE}; alter role "${OWNER}" set search_path = tools, public`,
    `drop schema tools; alter role "${OWNER}" reset search_path`,
  ],
  [
    'a trigger function that runs as the owner',
    `grant execute on function note_customer_sum() to ${SERVICE}`,
  ],
  [
    'a trigger function of an operator, which everybody may execute',
    asOwner(
      `create function audited() returns trigger language plpgsql security definer as 'begin return null; end'`,
    ),
    'drop function audited()',
  ],
  [
    'writing to all tables, given by an administrator',
    `grant pg_write_all_data to ${GROUP} with admin option; set role ${GROUP}; grant pg_write_all_data to ${SERVICE}; reset role`,
    `revoke pg_write_all_data from ${GROUP} cascade`,
  ],
  [
    'writing to all tables, which it has passed on',
    `grant pg_write_all_data to ${SERVICE} with admin option; set role ${SERVICE}; grant pg_write_all_data to ${GROUP}; reset role`,
    `revoke pg_write_all_data from ${GROUP}`,
  ],
  ['the program that archives the log', `grant alter system on parameter archive_command to ${SERVICE}`],
];

test.each(RIGHTS.map(([what, give, takeBack]) => ({ what, give, takeBack })))(
  '$what',
  async ({ give, takeBack }) => {
    const named = (statement: string) => statement.replaceAll('NAME', database.name);
    await database.pool.query(named(give));
    try {
      const refused = await refusal();
      expect(refused).toContain('Run: ');
      const statement = (refused ?? '').replace(/^.*Run: /s, '');
      await database.pool.query(statement);
      expect([statement, await refusal()]).toEqual([statement, null]);
    } finally {
      if (takeBack !== undefined) await database.pool.query(named(takeBack));
      await database.pool.query(`revoke ${GROUP} from ${SERVICE}`);
    }
  },
);

test.each([
  [
    'the database, whose schema is that of another',
    `alter schema public owner to "${OWNER}"; alter database NAME owner to ${SERVICE}; revoke create on database NAME from ${SERVICE}`,
    `alter database NAME owner to "${OWNER}"; alter schema public owner to pg_database_owner`,
  ],
  [
    'a function that those of the owner call',
    `alter function first_id_of(timestamp) owner to ${SERVICE}`,
    `alter function first_id_of(timestamp) owner to "${OWNER}"`,
  ],
  [
    'a function of another schema that a trigger calls',
    `create schema elsewhere authorization ${SERVICE}; create function elsewhere.note() returns trigger language plpgsql as 'begin return null; end';
     create trigger noted after insert on tenants for each row execute function elsewhere.note(); alter function elsewhere.note() owner to ${SERVICE}`,
    'drop trigger noted on tenants; drop schema elsewhere cascade',
  ],
  [
    'the function of an operator beside the tables',
    `create schema elsewhere authorization ${SERVICE}; create function elsewhere.joined(integer, text) returns text language sql as 'select $2';
     alter function elsewhere.joined(integer, text) owner to ${SERVICE};
     create operator public.|| (function = elsewhere.joined, leftarg = integer, rightarg = text)`,
    'drop schema elsewhere cascade',
  ],
  [
    'a type beside the tables',
    `create type public.bait as enum ('x'); alter type public.bait owner to ${SERVICE}`,
    'drop type public.bait',
  ],
  [
    'a function of another schema that a check calls',
    `create schema elsewhere authorization ${SERVICE}; create function elsewhere.is_known(text) returns boolean language sql as 'select true';
     alter table tenants add constraint known check (elsewhere.is_known(id::text)) not valid; alter function elsewhere.is_known(text) owner to ${SERVICE}`,
    'alter table tenants drop constraint known; drop schema elsewhere cascade',
  ],
  [
    'a function of another schema that an index calls',
    `create schema elsewhere authorization ${SERVICE}; create function elsewhere.folded(text) returns text language sql immutable as 'select lower($1)';
     create index folded on tenants (elsewhere.folded(id::text)); alter function elsewhere.folded(text) owner to ${SERVICE}`,
    'drop index folded; drop schema elsewhere cascade',
  ],
])('who owns %s is refused', async (_what, give, takeBack) => {
  await database.pool.query(give.replaceAll('NAME', database.name));
  const refused = await refusal();
  await database.pool.query(takeBack.replaceAll('NAME', database.name));
  expect(refused).toContain('nor act as the owner');
  expect(await refusal()).toBeNull();
});

/** A type that becomes a UUID by a function of its maker, in a row of a table on which a function of the owner is the trigger. */
const BORROWING = `
  create type pg_temp.bait as enum ('x');
  create function pg_temp.take(pg_temp.bait) returns uuid language plpgsql as $$
    begin execute 'alter table public.events disable trigger user'; return gen_random_uuid(); end $$;
  create cast (pg_temp.bait as uuid) with function pg_temp.take(pg_temp.bait) as assignment;
  create temporary table hook (tenant_id pg_temp.bait, subject_token bigint, direction text, created_at timestamptz,
    amount_eur numeric, deleted_at timestamptz, sealed boolean, release_id uuid, status text);
  create trigger hooked after insert on hook for each row execute function public.note_customer_sum();
  insert into hook values ('x', 1, 'OUTGOING', now(), 1, null, false, null, 'PENDING')`;

async function asService(statements: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: serviceUrl });
  await client.connect();
  try {
    return await client.query(statements);
  } finally {
    await client.end();
  }
}

test('a trigger function of an extension is no way in a schema that the role has no right to use, also by none of its groups', async () => {
  await database.pool.query(
    `create schema internals; create function internals.audited() returns trigger language plpgsql security definer as 'begin return null; end'`,
  );
  try {
    expect(await refusal()).toBeNull();
    await database.pool.query(
      `grant usage on schema internals to ${OUTER}; alter role ${SERVICE} noinherit; grant ${GROUP} to ${SERVICE}`,
    );
    expect(await refusal()).toContain('Run: revoke execute on function internals.audited() from public');
    // Who owns a schema can give the right back to itself.
    await database.pool.query(
      `revoke ${GROUP} from ${SERVICE}; alter schema internals owner to ${SERVICE}; revoke usage on schema internals from ${SERVICE}`,
    );
    expect(await refusal()).toContain('Run: revoke execute on function internals.audited() from public');
  } finally {
    await database.pool.query(
      `drop schema internals cascade; alter role ${SERVICE} inherit; revoke ${GROUP} from ${SERVICE}`,
    );
  }
});

test('no function of the owner runs as a trigger of the role of the guide', async () => {
  await expect(asService(BORROWING)).rejects.toThrow(
    'permission denied for function public.note_customer_sum',
  );
});

/** A foreign key is checked as the owner of the table that it refers to, and so is a cast to the type of its column. */
const REFERRING = `
  create type tools.bait as enum ('x');
  create function tools.take(tools.bait) returns integer language plpgsql as $$
    begin execute 'alter table public.events disable trigger user'; return 1; end $$;
  create cast (tools.bait as integer) with function tools.take(tools.bait) as implicit;
  create table tools.hook (id tools.bait references public.knex_migrations (id));
  insert into tools.hook values ('x')`;

test('no foreign key of the role of the guide runs as the owner, also of one that had all rights before the migrations', async () => {
  await database.pool.query(
    `create schema tools authorization ${SERVICE}; ${asOwner(`grant all on all tables in schema public to ${SERVICE} with grant option`)};
     set role ${SERVICE}; grant all on tenants to ${OUTER}; reset role`,
  );
  try {
    expect(await refusal()).not.toBeNull();
    await migrateAsOwner({ DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: urlOf(OWNER ?? '') });
    expect(await refusal()).toBeNull();
    await expect(asService(REFERRING)).rejects.toThrow('permission denied for table knex_migrations');
  } finally {
    await database.pool.query(`drop schema tools cascade; revoke all on tenants from ${OUTER}`);
  }
});

test('the rights of the migrations let the role write to no view, and a view that acts for whoever asks is no way', async () => {
  await database.pool.query(asOwner('create view sent as select * from payload_versions'));
  try {
    await migrateAsOwner({ DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: urlOf(OWNER ?? '') });
    expect(await refusal()).toBeNull();
    await database.pool.query(
      `alter view sent set (security_invoker = true); grant update on sent to ${SERVICE}`,
    );
    expect(await refusal()).toBeNull();
  } finally {
    await database.pool.query('drop view sent');
  }
});

/** Runs the printed statement as a role that is no superuser, and answers what is refused after it. */
async function mendAs(role: string): Promise<[statement: string, refused: string | null]> {
  const statement = ((await refusal()) ?? '').replace(/^.*Run: /s, '');
  const client = new pg.Client({ connectionString: urlOf(role) });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
  return [statement, await refusal()];
}

test('beside the view of an extension, on which nobody else has a right, the owner migrates and runs the statement', async () => {
  await database.pool.query('create view cache as select 1 as page; revoke all on cache from public');
  try {
    await migrateAsOwner({ DATABASE_URL: serviceUrl, DATABASE_OWNER_URL: urlOf(OWNER ?? '') });
    expect(await refusal()).toBeNull();
    await database.pool.query(asOwner(`grant trigger on tenants, users to ${SERVICE}`));
    const statement = `revoke trigger on tenants, users from ${SERVICE}`;
    expect(await mendAs(OWNER ?? '')).toEqual([statement, null]);
    await database.pool.query(
      asOwner(`grant references on users to ${SERVICE}; grant references (id) on tenants to ${SERVICE}`),
    );
    expect(await mendAs(OWNER ?? '')).toEqual([`revoke references on tenants, users from ${SERVICE}`, null]);
  } finally {
    await database.pool.query('drop view cache');
  }
});

test('an administrator who is no superuser takes back what the role of administrators has passed on', async () => {
  const admin = `admin_${mark}`;
  await database.pool.query(
    `create role ${admin} login password 'pass' in role ${OUTER}; ${PARAMETER} to ${OUTER} with grant option;
     set role ${OUTER}; ${PARAMETER} to ${SERVICE}; reset role`,
  );
  try {
    expect(await mendAs(admin)).toEqual([expect.stringContaining(`set role ${OUTER}; revoke`), null]);
  } finally {
    await database.pool.query(
      `revoke set on parameter session_replication_role from ${OUTER} cascade; drop role ${admin}`,
    );
  }
});

test.each([
  ['of another database', 'alter database postgres set search_path = tools, public'],
  ['that names a longer one', `alter role "${OWNER}" set search_path = tools_of_others, public`],
])('a schema of its own is no way by a search path %s', async (_what, set) => {
  await database.pool.query(`create schema tools authorization ${SERVICE}; ${set}`);
  try {
    expect(await refusal()).toBeNull();
  } finally {
    await database.pool.query(
      `drop schema tools; alter database postgres reset search_path; alter role "${OWNER}" reset search_path`,
    );
  }
});
