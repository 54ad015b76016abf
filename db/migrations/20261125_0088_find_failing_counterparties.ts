// Why: counterparties that fail repeatedly are a work item and can be filtered, so their latest incomplete messages are looked for
// in each look at the list of work. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_incomplete',
    definition: `on transactions (tenant_id, counterparty_entity_id, created_at desc)
      where counterparty_entity_id is not null and incomplete and direction = 'INCOMING' and message_source <> 'MANUAL'
        and deleted_at is null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index transactions_incomplete');
}
