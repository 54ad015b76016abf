// Why: who owns a self-hosted wallet is proven in steps, with an end of its own, whose record is kept as evidence.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(VERIFICATIONS);
  await knex.raw(MESSAGES);
  await knex.raw(ATTEMPTS);
  await knex.raw(SEALED_BY);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from idempotency_keys where sealed_by = 'VERIFICATION';
    alter table idempotency_keys drop constraint idempotency_keys_sealed_by_check,
      add constraint idempotency_keys_sealed_by_check check (sealed_by in ('TRANSACTION', 'TENANT'));
    delete from webhook_deliveries where resource_kind = 'VERIFICATION';
    alter table webhook_deliveries drop constraint webhook_deliveries_resource_kind_check,
      add constraint webhook_deliveries_resource_kind_check check (resource_kind in ('TRANSACTION', 'TENANT'));
    drop table proof_attempts, signed_messages, verifications;
  `);
}

// personal holds what names people, is free text or is a proof, sealed with the record's own key.
const VERIFICATIONS = `
  create table verifications (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    status text not null
      check (status in ('PENDING', 'VERIFIED', 'ACTION_REQUIRED', 'DECLINED', 'FAILED', 'DELETED')),
    failure_code text,
    flow text,
    allowed_flows jsonb not null,
    asset text not null,
    blockchain text not null, blockchain_key text not null,
    address text not null, address_normal text not null,
    verified_transaction_hash text,
    verified_at timestamptz(3),
    risk_score int not null check (risk_score between 0 and 100),
    warnings jsonb not null,
    satoshi_amount numeric,
    satoshi_deposit_address text,
    satoshi_deposit_normal text,
    reuse_request jsonb,
    reuse_code bytea,
    reuse_result jsonb,
    steps jsonb not null,
    bad_tries int not null,
    page_revision int not null,
    reminded boolean not null,
    expires_at timestamptz(3) not null,
    wake_at timestamptz(3),
    record_key bytea not null,
    personal bytea not null,
    search_tokens bigint[] not null default '{}',
    version int not null,
    sequence int not null,
    head bytea not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3)
  );
  create index verifications_newest on verifications (tenant_id, created_at desc, id desc)
    where deleted_at is null;
  create index verifications_status on verifications (tenant_id, status, created_at desc)
    where deleted_at is null;
  create index verifications_address on verifications (tenant_id, address_normal text_pattern_ops);
  create index verifications_proven on verifications (address_normal, blockchain_key)
    where status = 'VERIFIED';
  create index verifications_search on verifications using gin (search_tokens) with (fastupdate = off);
  create index verifications_steps on verifications using gin (steps jsonb_path_ops)
    where steps <> '[]' and deleted_at is null;
  create index verifications_wake on verifications (wake_at) where wake_at is not null;
  create index verifications_expiry on verifications (expires_at) where status = 'PENDING';
`;

// Of every text that was accepted for an address, by whichever tenant, only its hash: a second use shows.
const MESSAGES = `
  create table signed_messages (
    address_normal text not null,
    message_hash bytea not null,
    tenant_id uuid not null,
    verification_id uuid not null,
    created_at timestamptz(3) not null,
    primary key (address_normal, message_hash)
  );
  create index signed_messages_verification on signed_messages (verification_id);
`;

// Counted apart from the record, whose version and log they are no part of.
const ATTEMPTS = `
  create table proof_attempts (
    verification_id uuid primary key references verifications,
    tenant_id uuid not null,
    window_started_at timestamptz(3) not null,
    attempts int not null
  );
`;

const SEALED_BY = `
  alter table idempotency_keys drop constraint idempotency_keys_sealed_by_check,
    add constraint idempotency_keys_sealed_by_check
      check (sealed_by in ('TRANSACTION', 'TENANT', 'VERIFICATION'));
  alter table webhook_deliveries drop constraint webhook_deliveries_resource_kind_check,
    add constraint webhook_deliveries_resource_kind_check
      check (resource_kind in ('TRANSACTION', 'TENANT', 'VERIFICATION'));
`;
