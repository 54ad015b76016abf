// Why: messages are sent to names, and names have to lead to one institution: its aliases, its duplicates, and whether and
// how it is reached. What a tenant thinks of a counterparty stands beside it.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(ENTITIES);
  await knex.raw(IMPORTS);
  await knex.raw(COUNTERPARTIES);
  await knex.raw(EXISTING_TENANTS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index transactions_counterparty;
    alter table transactions drop column incomplete;
    drop table counterparties, entity_import_names, entity_import_rows, entity_bundles, entity_names, entities;
  `);
}

// The directory belongs to the deployment, not to a tenant. No foreign key leads here from tenants: the version before
// makes tenants without knowing of entities, and the next start adds what is missing. A name's words are null until then.
const ENTITIES = `
  create table entities (
    id uuid primary key,
    name text not null,
    name_folded text not null,
    legal_name text,
    aliases text[] not null default '{}',
    type text not null,
    countries text[] not null default '{}',
    webpage text, email text, lei text, registration_number text, travel_address text,
    in_network boolean not null default false,
    networks text[] not null default '{}',
    risk_score smallint check (risk_score between 0 and 100),
    risk_severity text not null check (risk_severity in ('low', 'medium', 'high')),
    risk_assessed_at timestamptz(3),
    master_entity_id uuid references entities check (master_entity_id <> id),
    source text not null,
    source_id text,
    edited_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create unique index entities_source on entities (source, source_id) where source_id is not null;
  create index entities_newest on entities (created_at, id);
  create index entities_name on entities (name_folded collate "C", id);
  create index entities_risk on entities ((coalesce(risk_score, -1)), id);
  create index entities_type on entities (type, created_at, id);
  create index entities_severity on entities (risk_severity, created_at, id);
  create index entities_in_network on entities (created_at, id) where in_network;
  create index entities_assessed on entities (created_at, id) where risk_assessed_at is not null;
  create index entities_master on entities (master_entity_id) where master_entity_id is not null;
  create table entity_names (
    entity_id uuid not null references entities on delete cascade,
    kind text not null check (kind in ('NAME', 'ALIAS', 'LEGAL')),
    folded text not null,
    words tsvector
  );
  create index entity_names_entity on entity_names (entity_id);
  create index entity_names_folded on entity_names (folded) where kind <> 'LEGAL';
  create index entity_names_words on entity_names using gin (words);
  create table entity_bundles (
    digest text primary key,
    loaded_at timestamptz(3) not null
  );
`;

// Rows of a file while it is read and checked; an import that was cut off leaves some behind until the next one. Unlogged:
// they are worth nothing after a crash.
const IMPORTS = `
  create unlogged table entity_import_rows (
    import_id uuid not null,
    row int not null,
    entity_id uuid not null,
    given_id uuid,
    source text not null, source_id text not null,
    name text not null, name_folded text not null, legal_name text, aliases text[] not null,
    type text not null, countries text[] not null,
    webpage text, email text, lei text, registration_number text, travel_address text,
    networks text[] not null,
    risk_score smallint, risk_severity text not null, risk_assessed_at timestamptz(3),
    given_master_id uuid, master_source_id text, master_entity_id uuid,
    begun_at timestamptz(3) not null
  );
  create index entity_import_rows_row on entity_import_rows (import_id, row);
  create unlogged table entity_import_names (
    import_id uuid not null,
    row int not null,
    kind text not null,
    folded text not null,
    words tsvector not null,
    begun_at timestamptz(3) not null
  );
  create index entity_import_names_row on entity_import_names (import_id, row);
`;

// incomplete: of a message, whether what the law asks for was missing; null while it is sealed and for older rows.
const COUNTERPARTIES = `
  create table counterparties (
    tenant_id uuid not null references tenants,
    entity_id uuid not null references entities,
    policy text not null check (policy in ('ALLOW', 'REVIEW', 'BLOCK')),
    due_diligence_at timestamptz(3),
    next_review_at timestamptz(3),
    note bytea,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (tenant_id, entity_id)
  );
  create index counterparties_entity on counterparties (entity_id);
  alter table transactions add column incomplete boolean;
  create index transactions_counterparty on transactions (tenant_id, counterparty_entity_id)
    include (direction, status, sub_status, message_source, incomplete, created_at)
    where counterparty_entity_id is not null and deleted_at is null;
`;

const EXISTING_TENANTS = `
  insert into entities (id, name, name_folded, legal_name, type, countries, webpage, lei, registration_number,
    in_network, networks, risk_score, risk_severity, source, created_at, updated_at)
  select entity_id, name, name_folded, legal_name, 'service',
    case when country is null then '{}' else array[country] end, webpage, lei, registration_number,
    true, '{NATIVE}', 10, 'low', 'TENANT', created_at, updated_at
  from tenants;
  insert into entity_names (entity_id, kind, folded) select entity_id, 'NAME', name_folded from tenants;
`;
