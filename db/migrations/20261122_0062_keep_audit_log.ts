// Why: who signed in, listed keys, took copies away or changed settings is asked for by supervisors. As with events, somebody
// who has the database must not be able to take it back unseen.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(ENTRIES);
  await knex.raw(BATCHES);
  await knex.raw(COUNTS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table audit_counts, audit_heads, audit_batches, audit_entries;
    drop function refuse_audit_change();
  `);
}

// Ids are of version 7, so the primary key is also the order of the list. epoch, xid and position are the order of the chain:
// as with the change feed, an entry has its place only when every transaction before it has ended.
const ENTRIES = `
  create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception 'audit logs are immutable'; end $$;

  create table audit_entries (
    tenant_id uuid not null,
    id uuid not null,
    created_at timestamptz(3) not null,
    operation text not null,
    actor text not null check (actor in ('USER', 'API_KEY', 'OPERATOR', 'UNKNOWN')),
    user_id uuid,
    api_key_id uuid,
    operator text,
    status int,
    code text,
    record_id text,
    items int,
    parameters jsonb not null,
    origin bytea,
    hour timestamptz(3),
    requests bigint not null,
    mac bytea not null,
    epoch int not null default take_feed_epoch(),
    xid xid8 not null default pg_current_xact_id(),
    position bigserial,
    primary key (tenant_id, id)
  );
  create index audit_entries_place on audit_entries (epoch, xid, position);
  create index audit_entries_log on audit_entries (tenant_id, epoch, xid, position);
  create index audit_entries_record on audit_entries (tenant_id, record_id, id) where record_id is not null;
  create index audit_entries_operators on audit_entries (id)
    where actor = 'OPERATOR' or tenant_id = '00000000-0000-0000-0000-000000000001';
  create trigger audit_entries_immutable before update or delete on audit_entries
    for each row execute function refuse_audit_change();
  create trigger audit_entries_kept before truncate on audit_entries execute function refuse_audit_change();
`;

// A batch has the entries of its log from the place of the batch before, exclusive, to its own, inclusive.
const BATCHES = `
  create table audit_batches (
    tenant_id uuid not null,
    number int not null,
    entries int not null,
    epoch int not null,
    xid xid8 not null,
    position bigint not null,
    hash bytea not null,
    created_at timestamptz(3) not null,
    primary key (tenant_id, number)
  );
  create index audit_batches_place on audit_batches (epoch, xid, position);
  create index audit_batches_day on audit_batches (tenant_id, created_at, number);
  create trigger audit_batches_immutable before update or delete on audit_batches
    for each row execute function refuse_audit_change();
  create trigger audit_batches_kept before truncate on audit_batches execute function refuse_audit_change();

  create table audit_heads (
    tenant_id uuid primary key,
    number int not null,
    hash bytea not null,
    mac bytea not null,
    created_at timestamptz(3) not null
  );
`;

// What is counted, until its hour is over and it becomes an entry.
const COUNTS = `
  create table audit_counts (
    tenant_id uuid not null,
    hour timestamptz(3) not null,
    actor text not null,
    api_key_id text not null,
    operation text not null,
    code text not null,
    record_id text not null,
    requests bigint not null,
    primary key (hour, tenant_id, actor, api_key_id, operation, code, record_id)
  );
`;
