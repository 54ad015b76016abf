// Why: an open transaction that a false positive had let pass was confirmed after the false positive was taken back: nobody compared it
// again. The time is set with the removal. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table tenants add column suppression_removed_at timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table tenants drop column suppression_removed_at');
}
