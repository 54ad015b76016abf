// Why: the Travel Rule Protocol has no place for our ids. A travel address leads to a wallet by a token, and callbacks lead to
// a message by another. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(ADDRESSES);
  await knex.raw(TRANSFERS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from outbox where workflow = 'trpNotice';
    drop table trp_transfers, trp_addresses`);
}

const ADDRESSES = `
  create table trp_addresses (
    token text primary key,
    tenant_id uuid not null references tenants,
    wallet_id bigint not null unique references wallets on delete cascade,
    created_at timestamptz(3) not null
  );
`;

// sent_id is the outgoing record of the message: the tenant's own, or that of the gateway. sealed holds the token of our
// callback, the travel address, the other VASP's callback and its answer. wake_at is set while the other VASP has to be told something.
const TRANSFERS = `
  create table trp_transfers (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    direction text not null check (direction in ('OUTGOING', 'INCOMING')),
    sent_id uuid not null unique,
    request_identifier text not null,
    sender text,
    sender_entity_id uuid,
    token_hash bytea not null unique,
    body_hash bytea not null,
    sealed bytea not null,
    sent_at timestamptz(3),
    told text,
    told_at timestamptz(3),
    wake_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    check ((direction = 'INCOMING') = (sender is not null))
  );
  create index trp_transfers_wake on trp_transfers (wake_at) where wake_at is not null;
  create unique index trp_transfers_request on trp_transfers (tenant_id, request_identifier, sender)
    where direction = 'INCOMING';
`;
