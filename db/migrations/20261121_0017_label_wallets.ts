// Why: whose an address is, is told from labels that a deployment brings along, and every answer about a wallet is kept as
// it was given.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(LABELS);
  await knex.raw(CHECKS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table wallet_checks, labels, label_imports');
}

// Labels belong to the deployment: published facts, no data of customers. The rows of an import are told only while it is
// active, so that they can arrive in many small statements and all count at once. version is what a bundled file calls itself.
const LABELS = `
  create table label_imports (
    id int primary key generated always as identity,
    source text not null,
    is_bundled boolean not null,
    version text,
    sha256 bytea,
    labels int not null default 0,
    is_active boolean not null default false,
    started_at timestamptz(3) not null,
    activated_at timestamptz(3)
  );
  create unique index label_imports_active on label_imports (source) where is_active;
  create table labels (
    import_id int not null references label_imports,
    confidence smallint not null check (confidence between 0 and 100),
    last_modified date,
    address_key text not null,
    blockchain text,
    label text not null,
    type text not null,
    entity_id text,
    entity_name text,
    reference text
  );
  create index labels_address on labels (address_key);
  create index labels_import on labels (import_id);
`;

// The whole answer, sealed for its tenant: whom somebody asked about is nobody else's business.
const CHECKS = `
  create table wallet_checks (
    tenant_id uuid not null references tenants,
    id uuid not null,
    body bytea not null,
    created_at timestamptz(3) not null,
    primary key (tenant_id, id)
  );
`;
