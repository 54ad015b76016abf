// Why: a proof that was given once may serve other tenants, and what relies on it must learn when it is withdrawn;
// transfers that wait for the owner of a wallet are found by that wallet.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(REUSES);
  await knex.raw(INDEXES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index verifications_reusable, transactions_unproven_destination, transactions_unproven_origin;
    drop table reuse_requests, verification_reuses;
  `);
}

// Who relies on whom is for the service alone: no answer, log or webhook shows it.
const REUSES = `
  create table verification_reuses (
    verification_id uuid primary key references verifications,
    tenant_id uuid not null,
    source_id uuid not null,
    source_tenant_id uuid not null,
    source_flow text not null,
    source_verified_at timestamptz(3) not null,
    match_level text not null check (match_level in ('LOW', 'MEDIUM', 'HIGH')),
    created_at timestamptz(3) not null,
    withdrawn_at timestamptz(3)
  );
  create index verification_reuses_source on verification_reuses (source_id) where withdrawn_at is null;
  create table reuse_requests (
    tenant_id uuid primary key references tenants,
    window_started_at timestamptz(3) not null,
    requests int not null
  );
`;

const INDEXES = `
  create index verifications_reusable on verifications (address_normal, blockchain_key, verified_at)
    where status = 'VERIFIED' and deleted_at is null and reuse_code is not null and reuse_result is null;
  create index transactions_unproven_destination on transactions (tenant_id, destination_normal)
    where direction = 'OUTGOING' and destination_type = 'NON_CUSTODIAL' and status = 'PENDING'
      and deleted_at is null;
  create index transactions_unproven_origin on transactions (tenant_id, origin_normal)
    where direction = 'INCOMING' and origin_type = 'NON_CUSTODIAL' and status = 'PENDING' and deleted_at is null;
`;
