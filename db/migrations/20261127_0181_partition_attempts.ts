// Why: attempts are kept for 90 days and were deleted row by row, which left as many dead entries in both indexes. A month of them is
// dropped in one step. By the id of the delivery, which begins with its time: the primary key stays, and who asks for a delivery reads
// one partition. The table that was there becomes the first of them, so nothing is copied.
import type { Knex } from 'knex';

const SETTINGS = 'autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';
/** Says of the table as it was that all its ids are of the first partition: attached, it is not read from end to end. */
const PROOF = 'webhook_attempts_first_ids';

/**
 * Reads the whole table while api and worker go on: under the lock of the migration itself they would wait for it. What a killed
 * upgrade has left behind is made anew.
 */
export async function prepare(knex: Knex): Promise<void> {
  if (!(await isPlainTable(knex))) return;
  await knex.raw(`alter table webhook_attempts drop constraint if exists ${PROOF}`);
  const until = await endOfNextMonth(knex);
  // Ids of clocks that were wrong: the migration moves them, and the rest is then read under its lock.
  if (await hasIdsFrom(knex, until)) return;
  await knex.raw(
    `alter table webhook_attempts add constraint ${PROOF} check (delivery_id < '${until}') not valid`,
  );
  await knex.raw(`alter table webhook_attempts validate constraint ${PROOF}`);
}

export async function up(knex: Knex): Promise<void> {
  // In the order in which those who write deliveries take them.
  await knex.raw('lock table webhook_deliveries, webhook_attempts in access exclusive mode');
  const until = (await provenEnd(knex)) ?? (await endOfNextMonth(knex));
  await knex.raw(PARENT);
  await knex.raw(rightsSql('webhook_attempts_before', 'webhook_attempts'));
  await knex.raw(`
    with beyond as (delete from webhook_attempts_before where delivery_id >= '${until}' returning ${COLUMNS})
    insert into webhook_attempts_default (${COLUMNS}) select ${COLUMNS} from beyond;
    alter table webhook_attempts attach partition webhook_attempts_before for values from (minvalue) to ('${until}');
    alter table webhook_attempts_before drop constraint if exists ${PROOF};`);
  await knex.raw(FUNCTIONS);
  await knex.raw(MAKING);
  await knex.raw(DROPPING);
  await knex.raw('select make_attempt_partitions()');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    lock table webhook_deliveries, webhook_attempts in access exclusive mode;
    drop function drop_past_attempts(), make_attempt_partitions(), attempt_partitions(), first_id_of(timestamp);
    create table webhook_attempts_all (like webhook_attempts including defaults including indexes) with (${SETTINGS});
    insert into webhook_attempts_all (${COLUMNS}) select ${COLUMNS} from webhook_attempts;`);
  await knex.raw(rightsSql('webhook_attempts', 'webhook_attempts_all'));
  await knex.raw(`
    drop table webhook_attempts;
    alter table webhook_attempts_all rename to webhook_attempts;
    alter index webhook_attempts_all_pkey rename to webhook_attempts_pkey;
    alter index webhook_attempts_all_started_at_idx rename to webhook_attempts_age;
    alter table webhook_attempts add foreign key (delivery_id) references webhook_deliveries on delete cascade;`);
}

const COLUMNS = 'delivery_id, attempt, tenant_id, started_at, duration_ms, status_code, error';

// An insert never fails for want of a partition: what none is made for is kept in the default one.
const PARENT = `
  alter table webhook_attempts rename to webhook_attempts_before;
  alter index webhook_attempts_pkey rename to webhook_attempts_before_pkey;
  alter index webhook_attempts_age rename to webhook_attempts_before_started_at_idx;
  create table webhook_attempts (
    delivery_id uuid not null references webhook_deliveries on delete cascade,
    attempt int not null,
    tenant_id uuid not null,
    started_at timestamptz(3) not null,
    duration_ms int not null,
    status_code int,
    error text,
    primary key (delivery_id, attempt)
  ) partition by range (delivery_id);
  create index webhook_attempts_age on webhook_attempts (started_at);
  create table webhook_attempts_default partition of webhook_attempts default with (${SETTINGS});
`;

/** SQL: who could use the table goes on: the version before must not fail until rights are given. Of a partition nobody needs a right. */
const rightsSql = (from: string, to: string) => `
  do $$
  declare given record;
  begin
    for given in
      select acl.grantee::regrole as role, acl.privilege_type as privilege
      from pg_class c, aclexplode(c.relacl) acl
      where c.oid = '${from}'::regclass and acl.grantee not in (0, c.relowner)
    loop
      execute format('grant %s on ${to} to %s', given.privilege, given.role);
    end loop;
  end $$;
`;

// The catalog alone says which partitions there are: an operator may have detached one.
const FUNCTIONS = `
  create function first_id_of(moment timestamp) returns uuid language sql immutable strict set search_path = pg_catalog, pg_temp as $$
    select rpad(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
  $$;
  create function attempt_partitions() returns table (name text, from_id uuid, until_id uuid)
  language sql stable set search_path = pg_catalog, pg_temp as $$
    select c.relname::text, substring(bound from 'FROM [(]''([0-9a-f-]+)''[)]')::uuid, substring(bound from 'TO [(]''([0-9a-f-]+)''[)]')::uuid
    from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join pg_get_expr(c.relpartbound, c.oid) as bound
    where i.inhparent = 'public.webhook_attempts'::regclass
  $$;
`;

// With the rights of the owner, since the role of api and worker owns no table; nothing of a caller goes into a statement. Who waits
// for a lock lets all later ones wait too, so not for long: the next hour is early enough. A month whose attempts are in
// the default partition stays there: it would have to be moved while nobody else reads or writes. The lock of deliveries, which the
// foreign key needs, comes first: who deletes a delivery comes to its attempts after it.
const MAKING = `
  create function make_attempt_partitions() returns int language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
  declare
    first_month timestamp := date_trunc('month', now() at time zone 'UTC');
    month timestamp;
    child text;
    made int := 0;
  begin
    perform pg_advisory_xact_lock(727275);
    for ahead in 0..3 loop
      month := first_month + make_interval(months => ahead);
      child := 'webhook_attempts_' || to_char(month, 'YYYY_MM');
      continue when to_regclass('public.' || child) is not null
        or exists (
          select from public.attempt_partitions() p
          where p.until_id > public.first_id_of(month)
            and (p.from_id is null or p.from_id < public.first_id_of(month + interval '1 month')))
        or exists (
          select from public.webhook_attempts_default d
          where d.delivery_id >= public.first_id_of(month)
            and d.delivery_id < public.first_id_of(month + interval '1 month'));
      lock table public.webhook_deliveries in share row exclusive mode;
      execute format('create table public.%I (like public.webhook_attempts including defaults) with (${SETTINGS})', child);
      execute format('alter table public.webhook_attempts attach partition public.%I for values from (%L) to (%L)',
        child, public.first_id_of(month), public.first_id_of(month + interval '1 month'));
      made := made + 1;
    end loop;
    return made;
  end $$;
`;

// The time is here and not of the caller, who could otherwise drop what is young. Looked at twice: without a lock, which most calls
// end with, and once nobody can add an attempt. One partition at a time, so that the lock is short.
const DROPPING = `
  create function drop_past_attempts() returns bigint language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $$
  declare
    past timestamptz := now() - interval '90 days';
    child text;
    is_young boolean;
    attempts bigint;
  begin
    perform pg_advisory_xact_lock(727275);
    for child in
      select p.name from public.attempt_partitions() p
      where p.until_id <= public.first_id_of(past at time zone 'UTC') order by p.until_id
    loop
      execute format('select exists (select from public.%I where started_at >= $1)', child) into is_young using past;
      continue when is_young;
      lock table only public.webhook_attempts in access exclusive mode;
      execute format('select exists (select from public.%I where started_at >= $1)', child) into is_young using past;
      if is_young then return null; end if;
      select greatest(c.reltuples, 0)::bigint into attempts from pg_class c where c.oid = format('public.%I', child)::regclass;
      execute format('drop table public.%I', child);
      return attempts;
    end loop;
    return null;
  end $$;
`;

async function isPlainTable(knex: Knex): Promise<boolean> {
  return (
    (await valueOf(
      knex,
      `select 1 as value from pg_class where oid = to_regclass('webhook_attempts') and relkind = 'r'`,
    )) !== null
  );
}

/**
 * The first id after the next month. Until then everything is in the first partition: a worker of the version before deletes by
 * places that are places of one partition.
 */
async function endOfNextMonth(knex: Knex): Promise<string> {
  const month = `date_trunc('month', now() at time zone 'UTC') + interval '2 months'`;
  const id = await valueOf(
    knex,
    `select rpad(lpad(to_hex((extract(epoch from ${month}) * 1000)::bigint), 12, '0'), 32, '0')::uuid as value`,
  );
  if (id === null) throw new Error('the database has no clock');
  return id;
}

async function hasIdsFrom(knex: Knex, id: string): Promise<boolean> {
  return (
    (await valueOf(knex, `select 1 as value from webhook_attempts where delivery_id >= '${id}' limit 1`)) !==
    null
  );
}

async function provenEnd(knex: Knex): Promise<string | null> {
  return await valueOf(
    knex,
    `select substring(pg_get_constraintdef(oid) from '[0-9a-f]{8}-[0-9a-f-]{27}') as value from pg_constraint
     where conname = '${PROOF}' and conrelid = 'webhook_attempts'::regclass and convalidated`,
  );
}

async function valueOf(knex: Knex, sql: string): Promise<string | null> {
  const { rows } = await knex.raw<{ rows: { value: string }[] }>(sql);
  return rows[0]?.value ?? null;
}
