// Why: names and wallets are screened against lists that change while requests run. Every version stays readable, so that
// what was answered under it can be explained later.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('create extension if not exists pg_trgm');
  await knex.raw(LISTS);
  await knex.raw(ENTRIES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table sanctions_identifiers, sanctions_wallets, sanctions_names, sanctions_entries,
      sanctions_versions, sanctions_lists;
    drop extension if exists pg_trgm;
  `);
}

// Lists belong to the deployment, not to a tenant: no personal data of customers, nothing sealed. checked_at and
// check_outcome tell of the last look at the publisher's address, whether or not it brought a version.
const LISTS = `
  create table sanctions_lists (
    code text primary key check (code ~ '^[A-Z0-9][A-Z0-9_]{1,39}$'),
    active_version int,
    last_version int not null default 0,
    etag text,
    last_modified text,
    checked_at timestamptz(3),
    check_outcome text,
    created_at timestamptz(3) not null
  );
  create table sanctions_versions (
    code text not null references sanctions_lists,
    version int not null,
    state text not null check (state in ('STAGED', 'ACTIVE', 'SUPERSEDED', 'REJECTED')),
    reject_reason text,
    source text not null check (source in ('BUNDLED', 'UPLOAD', 'FETCH', 'ROLLBACK')),
    format text not null,
    sha256 bytea not null,
    published_at timestamptz(3),
    received_at timestamptz(3) not null,
    activated_at timestamptz(3),
    entries int not null,
    names int not null,
    wallets int not null,
    added int not null,
    changed int not null,
    removed int not null,
    faults int not null,
    parser_version text not null,
    primary key (code, version)
  );
  create unique index sanctions_versions_active on sanctions_versions (code) where state = 'ACTIVE';
`;

// An entry as it stood from version_added up to, but not in, version_removed. Numbers of versions only grow: a rollback is
// a new version with old contents. What is staged stands in unlogged tables of its own and is no row here.
const ENTRIES = `
  create table sanctions_entries (
    id bigint primary key generated always as identity,
    code text not null references sanctions_lists,
    source_id text not null,
    row_hash bytea not null,
    entry jsonb not null,
    version_added int not null,
    version_removed int
  );
  create unique index sanctions_entries_active on sanctions_entries (code, source_id) where version_removed is null;
  create index sanctions_entries_versions on sanctions_entries (code, version_added, version_removed);
  create table sanctions_names (
    entry_id bigint not null references sanctions_entries on delete cascade,
    key text not null
  );
  create index sanctions_names_key on sanctions_names using gin (key gin_trgm_ops);
  create index sanctions_names_entry on sanctions_names (entry_id);
  create table sanctions_wallets (
    entry_id bigint not null references sanctions_entries on delete cascade,
    asset text not null,
    address text not null,
    address_key text not null
  );
  create index sanctions_wallets_key on sanctions_wallets (address_key);
  create index sanctions_wallets_entry on sanctions_wallets (entry_id);
  create table sanctions_identifiers (
    entry_id bigint not null references sanctions_entries on delete cascade,
    key text not null
  );
  create index sanctions_identifiers_key on sanctions_identifiers (key);
  create index sanctions_identifiers_entry on sanctions_identifiers (entry_id);
`;
