// Why: the first attempt of a webhook is made by the workflow whose change it announces, and may still run when the
// delivery's own workflow starts. Whoever makes an attempt leases the delivery, so that nobody else makes it too.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_deliveries add column leased_until timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_deliveries drop column leased_until');
}
