// Why: the result of a CSV import names the addresses that were on a sanctions list. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table wallet_imports add column sanctioned_addresses text[]');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table wallet_imports drop column sanctioned_addresses');
}
