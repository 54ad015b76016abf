// Why: wallets are listed and searched by the million, and confirming one shows what waited for it at once, while logs
// and webhooks of thousands of records follow.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(WALLETS);
  await knex.raw(RELEASES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index wallets_newest, wallets_status, wallets_updated, wallets_address, wallets_asset, wallets_search, wallets_route;
    create index wallets_route on wallets (address_normal) where status = 'CONFIRMED' and source <> 'DETECTED';
    drop index transactions_wallet, transactions_unowned, transactions_release;
    create index transactions_wallet on transactions (destination_wallet_id) where sealed;
    alter table transactions drop column release_id;
    drop table wallet_releases;`);
}

// The route holds tag and asset too: one address with a million tags is common on chains that have them. What has no
// metadata is not in the search index, so that an import pays nothing for it.
const WALLETS = `
  create index wallets_newest on wallets (tenant_id, created_at, id);
  create index wallets_updated on wallets (tenant_id, updated_at, id);
  create index wallets_status on wallets (tenant_id, status, created_at, id);
  create index wallets_address on wallets (tenant_id, (address_normal collate "C"), id);
  create index wallets_asset on wallets (tenant_id, (upper(asset) collate "C"), id);
  create index wallets_search on wallets using gin (search_tokens) with (gin_pending_list_limit = 256)
    where search_tokens <> '{}';
  drop index wallets_route;
  create index wallets_route on wallets (address_normal, coalesce(tag, ''), upper(asset), blockchain_key)
    include (tenant_id) where status = 'CONFIRMED' and source <> 'DETECTED';
`;

// release_id is set while log, webhook and search of a record that was made visible are still to follow.
const RELEASES = `
  create table wallet_releases (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    total int not null,
    wake_at timestamptz(3),
    created_at timestamptz(3) not null,
    finished_at timestamptz(3)
  );
  create index wallet_releases_wake on wallet_releases (wake_at) where wake_at is not null;
  alter table transactions add column release_id uuid;
  create index transactions_release on transactions (release_id, id) where release_id is not null;
  drop index transactions_wallet;
  create index transactions_wallet on transactions (destination_wallet_id)
    where direction = 'INCOMING' and is_destination_confirmed = false and deleted_at is null;
  create index transactions_unowned on transactions (tenant_id, destination_normal)
    where direction = 'INCOMING' and is_destination_confirmed = false and deleted_at is null;
`;
