// Why: everybody could put a function that runs with the rights of the owner as a trigger on a temporary table of their own, whose types
// convert by functions of theirs: those then ran as the owner. Triggers that stand need no right to execute.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('revoke execute on function note_customer_sum() from public');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('grant execute on function note_customer_sum() to public');
}
