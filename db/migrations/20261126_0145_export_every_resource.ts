// Why: besides transactions a tenant takes copies of its claims, wallets, verifications, screenings and audit log away, and all
// records of one customer. A filter may name a customer, so it is sealed; a file goes with a manifest.
import type { Knex } from 'knex';

// The version before reads `filter` and knows transactions alone: api and worker are exchanged together.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table exports
      drop constraint exports_resource_check,
      add constraint exports_resource_check check (resource in
        ('transactions', 'claims', 'wallets', 'verifications', 'screenings', 'audit', 'dossier')),
      alter column filter set default '{}',
      add column sealed_filter bytea,
      add column columns jsonb,
      add column product_version text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from exports where resource <> 'transactions';
    alter table exports
      drop constraint exports_resource_check,
      add constraint exports_resource_check check (resource in ('transactions')),
      alter column filter drop default,
      drop column sealed_filter,
      drop column columns,
      drop column product_version;
  `);
}
