// Why: an answer that was given can always be read again, and a match that is a false positive need not be judged twice.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(SCREENINGS);
  await knex.raw(SUPPRESSIONS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table screening_suppressions, screenings;');
}

// Who was screened and what was answered is sealed with the tenant's key; name_token is the keyed hash of the folded name,
// subject_token of all that says who is meant. In clear stands what lists are filtered by.
const SCREENINGS = `
  create table screenings (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    kind text not null check (kind in ('NAME', 'ADDRESS')),
    sanctioned boolean not null,
    complete boolean not null,
    total_matches int not null,
    suppressed_matches int not null,
    answered_by text not null check (answered_by in ('INDEX', 'DATABASE')),
    engine_version text not null,
    lists jsonb not null,
    asked_by jsonb not null,
    name_token bigint not null,
    subject_token bigint not null,
    subject bytea not null,
    answer bytea not null,
    created_at timestamptz(3) not null
  );
  create index screenings_created on screenings (tenant_id, created_at, id);
  create index screenings_sanctioned on screenings (tenant_id, created_at, id) where sanctioned;
  create index screenings_name on screenings (tenant_id, name_token);
  create index screenings_age on screenings (created_at);
`;

// It holds for one subject and one wording of one entry: once the entry changes its row_hash is another one.
const SUPPRESSIONS = `
  create table screening_suppressions (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    subject_token bigint not null,
    list_code text not null,
    source_id text not null,
    row_hash bytea not null,
    screening_id uuid not null,
    made_by jsonb not null,
    details bytea not null,
    created_at timestamptz(3) not null
  );
  create unique index screening_suppressions_match
    on screening_suppressions (tenant_id, subject_token, list_code, source_id, row_hash);
  create index screening_suppressions_created on screening_suppressions (tenant_id, created_at, id);
`;
