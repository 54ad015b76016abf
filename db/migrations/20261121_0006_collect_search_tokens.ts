// Why: putting the some forty search tokens of a transaction into their index one by one is a third of what PostgreSQL
// does to store it, and each later change of the row does it again.
import type { Knex } from 'knex';

// New entries gather in a list that every search reads as well, so that nothing is found late. Each of the ten arms of a
// search reads it all, hence the small limit: with 256 kB (some 280 transactions) a search took 1 ms longer, with 4 MB
// 300 ms. Whoever fills it moves it into the index: some 30 ms.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter index transactions_search set (fastupdate = on, gin_pending_list_limit = 256)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter index transactions_search reset (gin_pending_list_limit);
    alter index transactions_search set (fastupdate = off);
    select gin_clean_pending_list('transactions_search');
  `);
}
