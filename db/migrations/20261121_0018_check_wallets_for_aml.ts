// Why: checks at vendors cost money, so each is written down before it is asked for and completed before it is answered:
// a repeat finds it, whichever process made it. Keys for vendors are the tenants' own secrets.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(SERVICE_KEYS);
  await knex.raw(CHECKS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table aml_checks, service_keys');
}

// One active provider per tenant and feature. key_id changes with each put.
const SERVICE_KEYS = `
  create table service_keys (
    tenant_id uuid not null references tenants,
    feature text not null,
    provider text not null,
    key_id uuid not null,
    sealed_key bytea,
    refused_at timestamptz(3),
    refused_status int,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (tenant_id, feature)
  );
`;

// request_key is the SHA-256 of everything that is asked. PENDING: somebody asks until lease_until. sealed holds the result
// and the vendor's raw answer, and stays while a check is asked anew. credits are all that were spent on the row.
const CHECKS = `
  create table aml_checks (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    provider text not null,
    request_key bytea not null,
    kind text not null check (kind in ('wallet', 'transaction')),
    blockchain text not null,
    value text not null,
    direction text,
    context_address text,
    state text not null check (state in ('PENDING', 'DONE', 'FAILED')),
    fault text,
    lease_until timestamptz(3),
    attempts int not null default 1,
    repeated boolean not null default false,
    recheck_of uuid,
    provider_ref text,
    status text,
    risk_score double precision,
    sealed bytea,
    credits int not null default 0,
    created_at timestamptz(3) not null,
    created_by uuid,
    fetched_at timestamptz(3),
    expires_at timestamptz(3)
  );
  create unique index aml_checks_in_flight on aml_checks (tenant_id, provider, request_key) where state = 'PENDING';
  create index aml_checks_request on aml_checks (tenant_id, provider, request_key, created_at);
  create index aml_checks_history on aml_checks (tenant_id, created_at, id) where sealed is not null;
  create index aml_checks_value on aml_checks (tenant_id, value) where sealed is not null;
`;
