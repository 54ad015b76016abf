// Why: a transfer that is confirmed and held is compared with new versions of the lists, since a reviewer may still release
// it. Few are held among all that were ever confirmed. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_confirmed_held',
    definition: `on transactions (id) where status = 'CONFIRMED' and hold is not null and deleted_at is null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index transactions_confirmed_held');
}
