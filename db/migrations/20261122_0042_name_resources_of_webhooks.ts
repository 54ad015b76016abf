// Why: operators find every webhook of a record by the record's id, from the start of its workflow.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox add column resource_id uuid');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table outbox drop column resource_id');
}
