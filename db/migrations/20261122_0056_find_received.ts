// Why: whoever knows a hash can send a receiver any number of messages for it. These indexes find some messages of each VASP,
// and the receiver's own records, without reading the others. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'transactions_received',
    definition: `on transactions (tenant_id, hash_normal, destination_normal, counterparty_entity_id, id)
      where direction = 'INCOMING' and pair_id is not null and status <> 'CANCELLED' and deleted_at is null
        and hash_normal is not null`,
  },
  {
    name: 'transactions_own_hash',
    definition: `on transactions (tenant_id, hash_normal, destination_normal, id)
      where direction = 'INCOMING' and pair_id is null and message_source = 'MANUAL' and deleted_at is null
        and hash_normal is not null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index transactions_own_hash, transactions_received');
}
