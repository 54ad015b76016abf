// Why: names and wallets are screened against lists that change while requests run. Every version stays readable, so that
// what was answered under it can be explained later.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('create extension if not exists pg_trgm');
  await knex.raw(LISTS);
  await knex.raw(ENTRIES);
  await knex.raw(UPLOADS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table sanctions_staging, sanctions_chunks, sanctions_uploads, sanctions_identifiers, sanctions_wallets,
      sanctions_names, sanctions_entries, sanctions_versions, sanctions_lists;
    drop extension if exists pg_trgm;
  `);
}

// Lists belong to the deployment, not to a tenant: no personal data of customers, nothing sealed. checked_at and
// check_outcome tell of the last look at the publisher's address, whether or not it brought a version; current_at is when
// the active version was last known to be the newest. The validators are what the publisher wants to hear to answer 304.
const LISTS = `
  create table sanctions_lists (
    code text primary key check (code ~ '^[A-Z0-9][A-Z0-9_]{1,39}$'),
    active_version int,
    last_version int not null default 0,
    validators jsonb not null default '[]',
    fetched_sha256 bytea,
    fetched_parser text,
    checked_at timestamptz(3),
    check_outcome text check (check_outcome in ('ACTIVATED', 'UNCHANGED', 'REJECTED', 'UNREADABLE', 'FETCH_FAILED')),
    check_detail text,
    current_at timestamptz(3),
    created_at timestamptz(3) not null default now()
  );
  create table sanctions_versions (
    code text not null references sanctions_lists,
    version int not null,
    state text not null check (state in ('ACTIVE', 'SUPERSEDED', 'REJECTED')),
    reject_reason text check (reject_reason in ('EMPTY', 'SHRUNK', 'FAULTS', 'SENTINELS_MISSING')),
    source text not null check (source in ('BUNDLED', 'UPLOAD', 'FETCH', 'ROLLBACK')),
    restored_version int,
    accepted_shrink boolean not null default false,
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
  create index sanctions_versions_rejected on sanctions_versions (code, version) where state = 'REJECTED';
`;

// An entry as it stood from version_added up to, but not in, version_removed. Numbers of versions only grow: a rollback is
// a new version with old contents.
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
  create index sanctions_entries_source on sanctions_entries (code, source_id, version_added);
  create index sanctions_entries_added on sanctions_entries (code, version_added, source_id);
  create index sanctions_entries_removed on sanctions_entries (code, version_removed, source_id)
    where version_removed is not null;
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

// A file on its way to becoming a version. Pieces and staged rows need not outlive a crash of the database: without its
// pieces an upload fails and is sent, or fetched, again.
const UPLOADS = `
  create table sanctions_uploads (
    id uuid primary key,
    code text not null,
    source text not null check (source in ('UPLOAD', 'FETCH', 'BUNDLED', 'ROLLBACK')),
    state text not null check (state in ('ARRIVING', 'RUNNING', 'ENDED')),
    format text not null,
    files jsonb not null default '[]',
    sha256 bytea,
    validators jsonb not null default '[]',
    published_at timestamptz(3),
    accept_shrink boolean not null default false,
    outcome text check (outcome in ('ACTIVATED', 'UNCHANGED', 'REJECTED', 'UNREADABLE', 'LOST', 'FAILED')),
    fault text,
    version int,
    created_at timestamptz(3) not null default now()
  );
  create index sanctions_uploads_created on sanctions_uploads (created_at);
  create unlogged table sanctions_chunks (
    upload_id uuid not null,
    file int not null,
    sequence int not null,
    content bytea not null,
    primary key (upload_id, file, sequence)
  );
  create unlogged table sanctions_staging (
    run_id uuid not null,
    upload_id uuid not null,
    source_id text not null,
    row_hash bytea not null,
    entry jsonb not null,
    keys jsonb not null
  );
  create index sanctions_staging_rows on sanctions_staging (run_id, source_id);
  create index sanctions_staging_upload on sanctions_staging (upload_id);
`;
