// Why: after a rotation receivers need time to learn the new secret, so the old one signs beside it for a while.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants
      add column webhook_secret_previous bytea,
      add column webhook_secret_previous_until timestamptz(3),
      add column webhook_secret_previous_host text,
      add constraint tenants_webhook_secret_previous_whole check (
        num_nulls(webhook_secret_previous, webhook_secret_previous_until, webhook_secret_previous_host) in (0, 3))`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants drop column webhook_secret_previous, drop column webhook_secret_previous_until,
      drop column webhook_secret_previous_host`);
}
