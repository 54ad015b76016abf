// Why: a tenant that has received coins without a message asks the originator VASP for the data. Both sides have a record of
// that claim. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(CLAIMS);
  await knex.raw(`
    alter table idempotency_keys drop constraint idempotency_keys_sealed_by_check,
      add constraint idempotency_keys_sealed_by_check
        check (sealed_by in ('TRANSACTION', 'TENANT', 'VERIFICATION', 'CLAIM'));
    alter table webhook_deliveries drop constraint webhook_deliveries_resource_kind_check,
      add constraint webhook_deliveries_resource_kind_check
        check (resource_kind in ('TRANSACTION', 'TENANT', 'VERIFICATION', 'CLAIM'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from idempotency_keys where sealed_by = 'CLAIM';
    alter table idempotency_keys drop constraint idempotency_keys_sealed_by_check,
      add constraint idempotency_keys_sealed_by_check
        check (sealed_by in ('TRANSACTION', 'TENANT', 'VERIFICATION'));
    delete from webhook_deliveries where resource_kind = 'CLAIM';
    alter table webhook_deliveries drop constraint webhook_deliveries_resource_kind_check,
      add constraint webhook_deliveries_resource_kind_check
        check (resource_kind in ('TRANSACTION', 'TENANT', 'VERIFICATION'));
    delete from outbox where workflow = 'claimRequest';
    delete from events where subject_kind = 'CLAIM';
    drop table claims;
  `);
}

// personal holds the names of VASPs and of the beneficiary, and the reason of a refusal, sealed with the record's own key.
const CLAIMS = `
  create table claims (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    direction text not null check (direction in ('OUTGOING', 'INCOMING')),
    status text not null
      check (status in ('PENDING', 'DELIVERED', 'ANSWERED', 'DECLINED', 'EXPIRED', 'CANCELLED', 'FAILED')),
    failure_code text,
    asset text not null,
    blockchain text not null, blockchain_key text not null,
    transaction_hash text not null, hash_normal text not null,
    origin text, origin_normal text, origin_tag text,
    destination text not null, destination_normal text not null, destination_tag text,
    requested_fields jsonb not null,
    transaction_id uuid,
    originator_vasp_entity_id uuid,
    beneficiary_vasp_entity_id uuid,
    message_source text,
    counterpart_id uuid unique,
    delivery_attempts int not null,
    delivery_started_at timestamptz(3),
    looked_for_transfer boolean not null,
    reminded_at timestamptz(3),
    remind_at timestamptz(3),
    deadline_at timestamptz(3) not null,
    wake_at timestamptz(3),
    record_key bytea not null,
    personal bytea not null,
    search_tokens bigint[] not null default '{}',
    version int not null,
    sequence int not null,
    head bytea not null,
    head_mac bytea,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create index claims_newest on claims (tenant_id, created_at desc, id desc);
  create index claims_status on claims (tenant_id, status, created_at desc);
  create index claims_transfer on claims (tenant_id, hash_normal text_pattern_ops);
  create index claims_destination on claims (tenant_id, destination_normal text_pattern_ops);
  create index claims_search on claims using gin (search_tokens) with (fastupdate = off);
  create index claims_wake on claims (wake_at) where wake_at is not null;
  create unique index claims_open
    on claims (tenant_id, hash_normal, destination_normal, blockchain_key, coalesce(destination_tag, ''))
    where direction = 'OUTGOING' and status in ('PENDING', 'DELIVERED');
`;
