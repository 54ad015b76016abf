// Why: answers of AML providers and about wallets are kept as long as those of screenings; housekeeping finds old ones by
// their age.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index aml_checks_age on aml_checks (created_at);
    create index wallet_checks_age on wallet_checks (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index wallet_checks_age, aml_checks_age');
}
