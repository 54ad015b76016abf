// Why: tenants, their transactions and everything that must be written together with a change of one.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(TENANTS);
  await knex.raw(TRANSACTIONS);
  await knex.raw(EVENTS);
  await knex.raw(WALLETS);
  await knex.raw(WEBHOOKS);
  await knex.raw(HOUSEKEEPING);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table prices, idempotency_keys, outbox, webhook_attempts, webhook_deliveries, wallets, events,
      payload_versions, exchanges, transactions, api_keys, tenants;
    drop function refuse_event_change();
  `);
}

const TENANTS = `
  create table tenants (
    id uuid primary key,
    entity_id uuid not null unique,
    name text not null,
    name_folded text not null unique,
    legal_name text, email text, country text, registration_number text, lei text, webpage text,
    webhook_url text,
    webhook_secret bytea not null,
    webhook_status text check (webhook_status in ('ACTIVE', 'DISABLED')),
    settings jsonb not null default '{}',
    rate_limits jsonb not null default '{}',
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create table api_keys (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    hash bytea not null unique,
    sealed_key bytea not null,
    name text,
    role text not null check (role in ('ADMIN', 'COMPLIANCE', 'OBSERVER')),
    expires_at timestamptz(3),
    created_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    last_used_at timestamptz(3)
  );
  create index api_keys_tenant on api_keys (tenant_id, created_at);
`;

// personal holds everything that names a person or is free text, sealed with the record's own key.
const TRANSACTIONS = `
  create table transactions (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    direction text not null check (direction in ('OUTGOING', 'INCOMING')),
    status text not null
      check (status in ('PENDING', 'DELIVERED', 'CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED')),
    sub_status text,
    status_reason_code text,
    asset text not null,
    amount numeric,
    amount_usd numeric,
    amount_eur numeric,
    blockchain text,
    blockchain_key text,
    transaction_hash text,
    hash_normal text,
    origin text, origin_normal text, origin_tag text, origin_type text not null,
    destination text not null, destination_normal text not null, destination_tag text,
    destination_type text not null,
    destination_wallet_id bigint,
    is_destination_confirmed boolean,
    sealed boolean not null default false,
    reference text,
    beneficiary_vasp_folded text,
    counterparty_entity_id uuid,
    message_source text,
    exchange_id uuid,
    delivery_attempts int not null default 0,
    delivery_started_at timestamptz(3),
    deadline_at timestamptz(3),
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
  create unique index transactions_reference on transactions (tenant_id, reference) where reference is not null;
  create index transactions_newest on transactions (tenant_id, created_at desc, id desc)
    where deleted_at is null;
  create index transactions_status on transactions (tenant_id, status, created_at desc)
    where deleted_at is null;
  create index transactions_updated on transactions (tenant_id, updated_at desc) where deleted_at is null;
  create index transactions_search on transactions using gin (search_tokens) with (fastupdate = off);
  create index transactions_destination on transactions (tenant_id, destination_normal text_pattern_ops);
  create index transactions_origin on transactions (tenant_id, origin_normal text_pattern_ops)
    where origin_normal is not null;
  create index transactions_hash on transactions (tenant_id, hash_normal text_pattern_ops)
    where hash_normal is not null;
  create index transactions_wake on transactions (wake_at) where wake_at is not null;
  create index transactions_unrouted_destination on transactions (destination_normal)
    where sub_status = 'VASP_NOT_FOUND';
  create index transactions_unrouted_vasp on transactions (beneficiary_vasp_folded)
    where sub_status = 'VASP_NOT_FOUND';
  create index transactions_wallet on transactions (destination_wallet_id) where sealed;

  create table exchanges (
    id uuid primary key,
    outgoing_tenant_id uuid not null, outgoing_id uuid not null unique references transactions,
    incoming_tenant_id uuid not null, incoming_id uuid not null unique references transactions,
    outcome text check (outcome in ('CONFIRMED', 'DECLINED', 'CANCELLED')),
    created_at timestamptz(3) not null,
    decided_at timestamptz(3)
  );
  create table payload_versions (
    event_id uuid primary key,
    tenant_id uuid not null,
    transaction_id uuid not null references transactions,
    payload bytea not null
  );
  create index payload_versions_transaction on payload_versions (transaction_id);
`;

// xid and position order the change feed: a row is read only when every transaction before it has ended.
const EVENTS = `
  create table events (
    subject_id uuid not null,
    sequence int not null,
    id uuid not null,
    tenant_id uuid not null,
    subject_kind text not null,
    version int not null,
    type text not null,
    created_at timestamptz(3) not null,
    actor text not null check (actor in ('USER', 'API_KEY', 'SYSTEM', 'COUNTERPARTY')),
    user_id uuid,
    api_key_id uuid,
    previous_status text,
    new_status text,
    message text not null,
    data jsonb not null,
    basis jsonb,
    payload_hash text,
    previous_hash bytea,
    hash bytea not null,
    position bigint generated always as identity,
    xid xid8 not null default pg_current_xact_id(),
    primary key (subject_id, sequence)
  );
  create index events_feed on events (tenant_id, xid, position);
  create function refuse_event_change() returns trigger language plpgsql as $$
    begin raise exception 'events are immutable'; end $$;
  create trigger events_immutable before update or delete on events
    for each row execute function refuse_event_change();
  create trigger events_kept before truncate on events execute function refuse_event_change();
`;

const WALLETS = `
  create table wallets (
    id bigint generated always as identity primary key,
    tenant_id uuid not null references tenants,
    address text not null,
    address_normal text not null,
    tag text,
    asset text not null,
    blockchain text not null,
    blockchain_key text not null,
    metadata bytea,
    search_tokens bigint[] not null default '{}',
    status text not null check (status in ('CONFIRMED', 'UNCONFIRMED')),
    source text not null check (source in ('MANUAL', 'CSV', 'DETECTED')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    confirmed_at timestamptz(3)
  );
  create unique index wallets_unique
    on wallets (tenant_id, address_normal, blockchain_key, upper(asset), coalesce(tag, ''));
  create index wallets_route on wallets (address_normal) where status = 'CONFIRMED' and source <> 'DETECTED';
`;

const WEBHOOKS = `
  create table webhook_deliveries (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    kind text not null,
    resource_kind text not null check (resource_kind in ('TRANSACTION', 'TENANT')),
    resource_id uuid not null,
    resource_version int not null,
    masked boolean not null default false,
    body bytea not null,
    status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED', 'GAVE_UP')),
    attempts int not null default 0,
    schedule_from int not null default 0,
    last_error text,
    wake_at timestamptz(3),
    created_at timestamptz(3) not null,
    finished_at timestamptz(3)
  );
  create index webhook_deliveries_newest on webhook_deliveries (tenant_id, created_at desc, id desc);
  create index webhook_deliveries_open on webhook_deliveries (tenant_id, created_at)
    where status in ('PENDING', 'FAILED');
  create index webhook_deliveries_wake on webhook_deliveries (wake_at) where wake_at is not null;
  create index webhook_deliveries_resource on webhook_deliveries (tenant_id, resource_id);
  create table webhook_attempts (
    delivery_id uuid not null references webhook_deliveries on delete cascade,
    attempt int not null,
    tenant_id uuid not null,
    started_at timestamptz(3) not null,
    duration_ms int not null,
    status_code int,
    error text,
    primary key (delivery_id, attempt)
  );
`;

const HOUSEKEEPING = `
  create table outbox (
    id bigint generated always as identity primary key,
    tenant_id uuid not null,
    workflow text not null,
    subject_id uuid not null,
    summary text not null,
    due_at timestamptz(3) not null,
    attempts int not null default 0
  );
  create index outbox_due on outbox (due_at);
  create table idempotency_keys (
    tenant_id uuid not null,
    key text not null,
    fingerprint bytea not null,
    status int not null,
    headers jsonb not null default '{}',
    body bytea,
    sealed_by text not null check (sealed_by in ('TRANSACTION', 'TENANT')),
    sealed_by_id uuid not null,
    created_at timestamptz(3) not null,
    primary key (tenant_id, key)
  );
  create index idempotency_keys_age on idempotency_keys (created_at);
  create table prices (
    asset text primary key,
    usd numeric, eur numeric,
    source text not null,
    priced_at timestamptz(3) not null
  );
`;
