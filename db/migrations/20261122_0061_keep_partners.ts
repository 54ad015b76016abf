// Why: partners of the network have a profile, keys and webhooks of their own, an operator can suspend a tenant, and the domains of an institution's
// e-mail addresses tell who writes for it. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

/** Few messages wait for a receiver that cannot be reached: those for a tenant that is resumed are found at once. */
export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_unreachable',
    definition: `on transactions (id)
      where routing_fault = 'VASP_NOT_REACHABLE' and status = 'PENDING' and deleted_at is null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table partners (
      id uuid primary key,
      name text not null,
      name_folded text not null unique,
      legal_name text,
      email text,
      country text,
      webpage text,
      webhook_url text,
      webhook_secret bytea not null,
      webhook_status text check (webhook_status in ('ACTIVE', 'DISABLED')),
      webhook_set_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      check ((webhook_url is null) = (webhook_status is null))
    );

    create table partner_keys (
      id uuid primary key,
      partner_id uuid not null references partners,
      hash bytea not null unique,
      masked text not null,
      name text,
      expires_at timestamptz(3),
      created_at timestamptz(3) not null,
      revoked_at timestamptz(3),
      last_used_at timestamptz(3)
    );
    create index partner_keys_partner on partner_keys (partner_id, created_at desc, id desc);

    -- Whose endpoint gets the webhook: that of a partner, or of the tenant whose record it is about where there is none.
    alter table webhook_deliveries add column partner_id uuid references partners;
    alter table tenants add column suspended_at timestamptz(3);
    -- Few are suspended: sweeps and figures that leave them out look here alone.
    create index tenants_suspended on tenants (id) where suspended_at is not null;
    alter table entities add column email_domains text[] not null default '{}';
    alter table entity_import_rows add column email_domains text[] not null default '{}';

    ${indexesSql(online)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index transactions_unreachable;
    alter table entity_import_rows drop column email_domains;
    alter table entities drop column email_domains;
    alter table tenants drop column suspended_at;
    alter table webhook_deliveries drop column partner_id;
    drop table partner_keys, partners;
  `);
}
