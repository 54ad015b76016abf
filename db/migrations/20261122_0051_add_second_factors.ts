// Why: a password can be learnt by others; a user may ask for a code of their telephone beside it.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // The secret and the hashes of the recovery codes are sealed. The step is the last one whose code was taken.
  await knex.raw(`
    alter table users
      add column second_factor bytea,
      add column second_factor_since timestamptz(3),
      add column second_factor_step bigint,
      add constraint users_second_factor check (second_factor is not null or second_factor_since is null)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users drop column second_factor, drop column second_factor_since, drop column second_factor_step
  `);
}
