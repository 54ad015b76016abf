// Why: undecided messages that nobody vouches for are counted for each wallet before another one is taken. The version before
// runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_unproven',
    definition: `on transactions (tenant_id, destination_normal)
      where direction = 'INCOMING' and message_source = 'TRP' and counterparty_entity_id is null
        and status = 'DELIVERED' and deleted_at is null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index transactions_unproven');
}
