// Why: the message of a received record, and the claims that a record answers, are found without reading all messages of the
// deployment or all claims of the tenant. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  // Also of messages that their sender has taken back: those were exchanged, too.
  { name: 'message_pairs_received', definition: 'on message_pairs (incoming_id)' },
  {
    name: 'claims_of_transaction',
    definition: 'on claims (tenant_id, transaction_id) where transaction_id is not null',
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index claims_of_transaction, message_pairs_received');
}
