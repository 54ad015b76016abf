// Why: the counterparties of a sandbox are tenants like any other, except that they answer by themselves.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants add column test_behaviour text unique
      check (test_behaviour in ('CONFIRMS', 'DECLINES', 'SILENT'))`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table tenants drop column test_behaviour');
}
