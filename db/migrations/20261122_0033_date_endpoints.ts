// Why: an answer 410 to a request that was sent before the tenant set its endpoint again must not switch that off.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table tenants add column webhook_set_at timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table tenants drop column webhook_set_at');
}
