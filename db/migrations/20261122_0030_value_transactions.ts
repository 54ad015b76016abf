// Why: a price that becomes known values every open record that was made without it; this finds them.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index transactions_unvalued on transactions (upper(asset))
    where amount_usd is null and amount_eur is null and amount is not null
      and status in ('PENDING', 'DELIVERED') and deleted_at is null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index transactions_unvalued');
}
